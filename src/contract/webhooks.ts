import { OneOf, record } from './formats.ts';

export const WebhookReceipt = record(
  {
    outcome: OneOf(
      ['queued', 'repeated', 'nothing'],
      '`queued`: the event is being processed, or was processed. `repeated`: the delivery was already processed. `nothing`: the event has no effect here.',
    ),
  },
  { example: { outcome: 'queued' } },
);
