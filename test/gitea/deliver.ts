import { createHmac, randomUUID } from 'node:crypto';

export const webhookSecret = 'a-secret-of-gitea';

interface Sent {
  event: string;
  payload: object;
  deliveryId?: string;
  secret?: string;
}

/** A delivery as Gitea sends it, as headers and body, with GitHub's headers too. */
export function deliveryOf({ event, payload, deliveryId = randomUUID(), secret = webhookSecret }: Sent) {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const names = ['gitea', 'gogs'];
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`x-${name}-delivery`, deliveryId],
        [`x-${name}-event`, event],
        [`x-${name}-signature`, signature],
      ]),
    ),
    'x-github-delivery': deliveryId,
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${signature}`,
  };
  return { headers, body };
}
