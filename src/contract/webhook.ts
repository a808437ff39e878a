import { component } from './component.ts';
import { Type } from './type.ts';

export const WebhookReceipt = component(
  'WebhookReceipt',
  Type.Object(
    {
      outcome: Type.Enum(['queued', 'repeated', 'nothing'], {
        type: 'string',
        description:
          '`queued`: what it calls for is under way, or done. `repeated`: that was so before. `nothing`: it calls for nothing here.',
      }),
    },
    { additionalProperties: false, examples: [{ outcome: 'queued' }] },
  ),
);
