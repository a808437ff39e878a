import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import { Failure } from '../../domain/errors.ts';
import type { WebhookEvent, HostWebhooks } from '../code-host.ts';

/** HMAC with SHA-256 in hexadecimal digits. What was sent twice comes joined by a comma, and is none. */
const signatureForm = /^[0-9a-f]{64}$/;

/** Hosts name deliveries with 36 characters. */
export const deliveryForm = /^[\w-]{1,100}$/;

/** What a delivery tells, as far as it is read. */
export type ReadEvent = (payload: unknown) => Promise<WebhookEvent>;

/** What is heard of which event, by the action that it names; `*` stands for any other. */
export type WebhookEvents = Record<string, Record<string, ReadEvent>>;

interface Options {
  /** What people call the host. */
  name: string;
  /** With several, one can be replaced and no delivery is lost. */
  secrets: string[];
  /** The largest body that it sends. */
  mostKib: number;
  /** Headers that say it, the first of which that is there counts; before a signature stands what it is called there. */
  headers: {
    signature: { name: string; prefix: string }[];
    delivery: [string, ...string[]];
    event: string[];
  };
  events: WebhookEvents;
}

function said(headers: IncomingHttpHeaders, names: string[]): string {
  const given = names.map((name) => headers[name.toLowerCase()]).find((value) => value !== undefined);
  return typeof given === 'string' ? given : '';
}

/** Webhooks of a host that signs their bodies with one of the secrets. */
export function createSignedWebhooks(options: Options): HostWebhooks {
  const { secrets, mostKib, headers: names } = options;
  const signatureOf = (headers: IncomingHttpHeaders): string | null => {
    const given = names.signature.find(({ name }) => headers[name.toLowerCase()] !== undefined);
    const signature = given ? said(headers, [given.name]) : '';
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
      // All of them are tried, so that the time it takes does not tell which one it was.
      return secrets
        .map((secret) => timingSafeEqual(createHmac('sha256', secret).update(body).digest(), signature))
        .includes(true);
    },
    deliveryHeader: names.delivery[0],
    deliveryId(headers) {
      const id = said(headers, names.delivery);
      return deliveryForm.test(id) ? id : null;
    },
    read: (headers, body) => readWebhookEvent(options, said(headers, names.event), body),
  };
}

async function readWebhookEvent({ name, headers, events }: Options, event: string, body: Buffer): Promise<WebhookEvent> {
  const [header = ''] = headers.event;
  const payload: { action?: unknown } = payloadOf({ name, header, event, body });
  const actions = Object.hasOwn(events, event) ? events[event] : undefined;
  if (!actions) return {};
  const { action } = payload;
  const read = typeof action === 'string' && Object.hasOwn(actions, action) ? actions[action] : actions['*'];
  return (await read?.(payload)) ?? {};
}

/** What a delivery tells, which has to say in a header what it is about. */
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
  } catch {
    // It is said below.
  }
  throw new Failure(
    'INVALID_REQUEST',
    'The delivery is no JSON object. Choose the content type application/json for this webhook.',
    { details: [{ field: 'body', problem: 'cannot be read as a JSON object' }] },
  );
}

/** Reads an event of a host by what its payload must have. */
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
