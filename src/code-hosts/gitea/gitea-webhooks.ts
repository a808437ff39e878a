import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../../domain/errors.ts';
import type { HostNews, HostWebhooks } from '../host-webhooks.ts';
import { webhookEvents } from './webhook-events.ts';

/** More than any delivery that is read here: those about pushes, which list commits, are not. */
const mostKib = 8 * 1024;

/** HMAC with SHA-256 in hexadecimal digits. What was sent twice comes joined by a comma, and is none. */
const signatureForm = /^(?:sha256=)?([0-9a-f]{64})$/;

const deliveryForm = /^[\w-]{1,100}$/;

/** Forgejo says what Gitea says under both names, and both say what GitHub would: what they say themselves comes first. */
function said(headers: IncomingHttpHeaders, ...names: string[]): string {
  const given = names.map((name) => headers[name]).find((value) => value !== undefined);
  return typeof given === 'string' ? given : '';
}

const signatureOf = (headers: IncomingHttpHeaders): string | null => {
  const given = said(headers, 'x-forgejo-signature', 'x-gitea-signature', 'x-hub-signature-256');
  return signatureForm.exec(given)?.[1] ?? null;
};

/** Webhooks of Gitea, signed with one of the secrets: with several, one can be replaced and no delivery is lost. */
export function createGiteaWebhooks(secrets: string[]): HostWebhooks {
  return {
    mostKib,
    looksSigned: (headers) => signatureOf(headers) !== null,
    isSigned(headers, body) {
      const given = signatureOf(headers);
      if (given === null) return false;
      const signature = Buffer.from(given, 'hex');
      // All of them are tried, so that the time it takes does not tell which one it was.
      return secrets
        .map((secret) => timingSafeEqual(createHmac('sha256', secret).update(body).digest(), signature))
        .includes(true);
    },
    deliveryId(headers) {
      const id = said(headers, 'x-forgejo-delivery', 'x-gitea-delivery', 'x-github-delivery');
      return deliveryForm.test(id) ? id : null;
    },
    read: (headers, body) =>
      readNews(said(headers, 'x-forgejo-event', 'x-gitea-event', 'x-github-event'), body),
  };
}

async function readNews(event: string, body: Buffer): Promise<HostNews> {
  if (event === '')
    throw new Failure('INVALID_REQUEST', 'Send X-Gitea-Event, as Gitea does.', {
      details: [{ field: 'x-gitea-event', problem: 'is missing' }],
    });
  const payload = parse(body);
  const actions = Object.hasOwn(webhookEvents, event) ? webhookEvents[event] : undefined;
  if (!actions) return {};
  const { action } = payload;
  const read = typeof action === 'string' && Object.hasOwn(actions, action) ? actions[action] : actions['*'];
  return (await read?.(payload)) ?? {};
}

function parse(body: Buffer): { action?: unknown } {
  try {
    const payload: unknown = JSON.parse(body.toString());
    if (typeof payload === 'object' && payload !== null) return payload;
  } catch {
    // It is said below.
  }
  throw new Failure(
    'INVALID_REQUEST',
    'The delivery is no JSON object. Choose the content type application/json for this webhook.',
    { details: [{ field: 'body', problem: 'cannot be read as a JSON object' }] },
  );
}
