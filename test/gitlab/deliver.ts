import { createHmac, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

export const webhookSecret = 'a-secret-of-gitlab-for-its-header';
export const signingToken = `whsec_${Buffer.from('a key of gitlab for signatures').toString('base64')}`;

/** GitLab's signature of a delivery. */
export function signatureOf(
  body: string,
  { id, at }: { id: string; at: string },
  key: string | Buffer = Buffer.from(signingToken.replace('whsec_', ''), 'base64'),
): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
}

/** Delivers an event as GitLab, with the given headers; returns the status of the response. */
export async function deliver(
  server: FastifyInstance,
  payload: object,
  headers: Record<string, string> = { 'x-gitlab-token': webhookSecret },
): Promise<number> {
  const { statusCode } = await server.inject({
    method: 'POST',
    url: '/webhooks/gitlab',
    headers: {
      'content-type': 'application/json',
      'x-gitlab-event': 'System Hook',
      'x-gitlab-event-uuid': randomUUID(),
      ...headers,
    },
    payload: JSON.stringify(payload),
  });
  return statusCode;
}
