import { Type } from './type.ts';

/** It stands in the document where webhooks are taken, and is therefore no component, which would stand there unused elsewhere. */
export const WebhookReceipt = Type.Object(
  {
    outcome: Type.Enum(['queued', 'repeated', 'nothing'], {
      type: 'string',
      description:
        '`queued`: what it calls for is under way, or done. `repeated`: that was so before. `nothing`: it calls for nothing here.',
    }),
  },
  { additionalProperties: false, examples: [{ outcome: 'queued' }] },
);
