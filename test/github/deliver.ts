import { createHmac, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

export const webhookSecret = 'a-secret-of-github';

/** GitHub's signature of a body. */
export const signatureOf = (body: string | Buffer, secret = webhookSecret): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

interface Sent {
  event: string;
  payload: object;
  deliveryId?: string;
  secret?: string;
}

/** A delivery as GitHub sends it, as headers and body. */
export function deliveryOf({ event, payload, deliveryId = randomUUID(), secret }: Sent) {
  const body = JSON.stringify(payload);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': deliveryId,
    'x-hub-signature-256': signatureOf(body, secret),
  };
  return { headers, body };
}

/** Hands a request to a server without a connection. */
export const post = (
  server: FastifyInstance,
  headers: Record<string, string | string[]>,
  payload: string | Buffer | Readable,
): Promise<LightMyRequestResponse> =>
  server.inject({ method: 'POST', url: '/webhooks/github', headers, payload });

/** Delivers an event as GitHub; returns the status of the response. */
export async function deliver(server: FastifyInstance, event: string, payload: object): Promise<number> {
  const { headers, body } = deliveryOf({ event, payload });
  return (await post(server, headers, body)).statusCode;
}
