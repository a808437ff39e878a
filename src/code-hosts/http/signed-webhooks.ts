import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import { Failure } from '../../domain/errors.ts';
import type { HostWebhooks, WebhookEvent } from '../code-host.ts';

/** HMAC-SHA-256 in hexadecimal. A header that was sent twice is joined by a comma, and does not match. */
const signatureForm = /^[0-9a-f]{64}$/;

export const deliveryForm = /^[\w-]{1,100}$/;

export type ReadEvent = (payload: unknown) => Promise<WebhookEvent>;

/** By event and action; `*` is any other action. */
export type WebhookEvents = Record<string, Record<string, ReadEvent>>;

interface Options {
  name: string;
  /** Several, so that one can be replaced without losing deliveries. */
  secrets: string[];
  mostKib: number;
  /** The first header that is present counts. A signature may have a prefix. */
  headers: {
    signature: { name: string; prefix: string }[];
    delivery: [string, ...string[]];
    event: string[];
  };
  events: WebhookEvents;
}

function headerIn(headers: IncomingHttpHeaders, names: string[]): string {
  const given = names.map((name) => headers[name.toLowerCase()]).find((value) => value !== undefined);
  return typeof given === 'string' ? given : '';
}

export function createSignedWebhooks(options: Options): HostWebhooks {
  const { secrets, mostKib, headers: names } = options;
  const signatureOf = (headers: IncomingHttpHeaders): string | null => {
    const given = names.signature.find(({ name }) => headers[name.toLowerCase()] !== undefined);
    const signature = given ? headerIn(headers, [given.name]) : '';
    if (!given || !signature.startsWith(given.prefix)) return null;
    const digits = signature.slice(given.prefix.length);
    return signatureForm.test(digits) ? digits : null;
  };
  return {
    mostKib,
    looksSigned: (headers) => signatureOf(headers) !== null,
    isSigned(headers, body) {
      const given = signatureOf(headers);
      if (given === null) return false;
      const signature = Buffer.from(given, 'hex');
      // All are tried, so that the time does not reveal which one matched.
      return secrets
        .map((secret) => timingSafeEqual(createHmac('sha256', secret).update(body).digest(), signature))
        .includes(true);
    },
    deliveryHeader: names.delivery[0],
    deliveryId(headers) {
      const id = headerIn(headers, names.delivery);
      return deliveryForm.test(id) ? id : null;
    },
    read: (headers, body) => readWebhookEvent(options, headerIn(headers, names.event), body),
  };
}

async function readWebhookEvent(
  { name, headers, events }: Options,
  event: string,
  body: Buffer,
): Promise<WebhookEvent> {
  const [header = ''] = headers.event;
  const payload: { action?: unknown } = payloadOf({ name, header, event, body });
  const actions = Object.hasOwn(events, event) ? events[event] : undefined;
  if (!actions) return {};
  const { action } = payload;
  const read = typeof action === 'string' && Object.hasOwn(actions, action) ? actions[action] : actions['*'];
  return (await read?.(payload)) ?? {};
}

export function payloadOf({
  name,
  header,
  event,
  body,
}: {
  name: string;
  header: string;
  event: string;
  body: Buffer;
}): object {
  if (event === '')
    throw new Failure('INVALID_REQUEST', `Send ${header}, as ${name} does.`, {
      details: [{ field: header.toLowerCase(), problem: 'is missing' }],
    });
  try {
    const payload: unknown = JSON.parse(body.toString());
    if (typeof payload === 'object' && payload !== null) return payload;
  } catch {}
  throw new Failure(
    'INVALID_REQUEST',
    'The delivery is no JSON object. Choose the content type application/json for this webhook.',
    { details: [{ field: 'body', problem: 'cannot be read as a JSON object' }] },
  );
}

export const eventOf =
  (name: string) =>
  <Schema extends TSchema>(schema: Schema, eventFrom: (payload: Static<Schema>) => WebhookEvent): ReadEvent =>
  async (payload) => {
    const { Check } = await import('typebox/value');
    if (Check(schema, payload)) return eventFrom(payload);
    throw new Failure(
      'INVALID_REQUEST',
      `This delivery lacks what its event is about. Send what ${name} sends.`,
      { details: [{ field: 'body', problem: `is not what ${name} sends for this event` }] },
    );
  };
