import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import { Type } from '../../contract/type.ts';
import { EgressProblem, Failure } from '../../domain/errors.ts';
import {
  type GrantedToken,
  type HostApp,
  type HostWebhooks,
  UselessResponse,
  type WebhookEvent,
} from '../code-host.ts';
import { Id, largestCount, maybe } from '../payload-types.ts';
import { brokenResponse, HostTimeout, limited, unreachable } from './host-api.ts';
import { isSlow } from './host-transport.ts';
import { defaultWaitMs, longestWaitMs, waitIn } from './rate-limits.ts';

export interface OAuthOptions {
  name: string;
  settings: { clientId: string; clientSecret: string };
  clientId: string;
  clientSecret: string;
  scopes: string;
  authorizeUrl: string;
  tokenUrl: string;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  isAppAtFault?: (error: string, description: string) => boolean;
}

type OAuthApp = Omit<HostApp, 'confirm' | 'isRefreshToken' | 'revoke'>;

const Name = Type.String({ minLength: 1, maxLength: 4096 });
const Granted = Type.Object({
  access_token: Name,
  expires_in: Type.Optional(Type.Integer({ minimum: 1, maximum: largestCount })),
  refresh_token: Type.Optional(Name),
});
const Refused = Type.Object({
  error: Type.String(),
  error_description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const badApp =
  /^(?:incorrect_client_credentials|invalid_client|redirect_uri_mismatch|unauthorized_client|application_suspended)$/;

/** Errors about the request itself. Any other error may be temporary, so the saved token is kept. */
const badRequest =
  /^(?:bad_verification_code|bad_refresh_token|invalid_grant|expired_token|access_denied|unverified_user_email)$/;

export function createOAuthApp(options: OAuthOptions): OAuthApp {
  const { name, clientId, clientSecret, scopes, clock } = options;
  const { isAppAtFault = (error) => badApp.test(error) } = options;

  const grant = async (
    parameters: Record<string, string>,
    signal: AbortSignal,
  ): Promise<GrantedToken | null> => {
    const { status, data } = await callAsApp(options, options.tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...parameters }),
      signal,
    });
    const refused = await parseResponse(Refused, data);
    if (status === 404) throw new AppRefused(options, String(status));
    if (refused && isAppAtFault(refused.error, refused.error_description ?? ''))
      throw new AppRefused(options, refused.error);
    if (refused && (badRequest.test(refused.error) || badApp.test(refused.error))) return null;
    const granted = refused ? null : await parseResponse(Granted, data);
    if (!granted)
      throw brokenResponse(name, refused && new Error(`${name} answered ${refused.error.slice(0, 100)}.`));
    const { access_token, expires_in, refresh_token } = granted;
    return {
      accessToken: access_token,
      expiresAt: expires_in === undefined ? null : new Date(clock().getTime() + expires_in * 1000),
      refreshToken: refresh_token ?? null,
    };
  };

  return {
    clientId,
    scopes,
    authorizeUrl({ redirectUri, state, challenge }) {
      const url = new URL(options.authorizeUrl);
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(scopes && { scope: scopes }),
      }).toString();
      return url.href;
    },
    exchangeCode: ({ code, verifier, redirectUri }, signal) =>
      grant(
        { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri },
        signal,
      ),
    refresh: (refreshToken, signal) =>
      grant({ grant_type: 'refresh_token', refresh_token: refreshToken }, signal),
  };
}

/** Errors never contain the request, which has secrets. */
export async function callAsApp(
  options: Pick<OAuthOptions, 'name' | 'settings' | 'fetch' | 'clock'>,
  address: string,
  { headers, signal, ...init }: RequestInit & { signal: AbortSignal },
): Promise<{ status: number; data: unknown }> {
  const { name } = options;
  try {
    const response = await options.fetch(address, {
      ...init,
      headers: { accept: 'application/json', 'user-agent': 'pullquote', ...headers },
      signal,
    });
    const { status } = response;
    const text = await response.text();
    if (status === 401) throw new AppRefused(options, String(status));
    if (status === 429 || status === 403) {
      const named = waitIn(response.headers.get('retry-after') ?? undefined, options.clock());
      const waitMs = Math.min(named ?? defaultWaitMs, longestWaitMs);
      throw limited(name, Math.ceil(waitMs / 1000), true);
    }
    if (status >= 500) throw brokenResponse(name, new Error(`${name} answered ${status}.`));
    return { status, data: parseEventJson(text) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const cause = new Error(error instanceof Error ? error.message : 'something else was thrown');
    if (signal.aborted || isSlow(error)) throw new HostTimeout(name, cause);
    throw error instanceof EgressProblem ? brokenResponse(name, cause) : unreachable(name, cause);
  }
}

function parseEventJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function parseResponse<Schema extends TSchema>(
  schema: Schema,
  data: unknown,
): Promise<Static<Schema> | null> {
  const { Check } = await import('typebox/value');
  return Check(schema, data) ? data : null;
}

export class AppRefused extends UselessResponse {
  constructor({ name, settings }: Pick<OAuthOptions, 'name' | 'settings'>, why: string) {
    super(
      `${name} rejects the app of this service. Ask your administrator to check ${settings.clientId}, ${settings.clientSecret} and the callback URL.`,
      { cause: new Error(`${name} rejects the app: ${why.slice(0, 100)}`) },
    );
  }
}

/** HMAC-SHA-256 in hexadecimal. A header that was sent twice is joined by a comma and does not match. */
const signatureForm = /^[0-9a-f]{64}$/;

export const deliveryForm = /^[\w-]{1,100}$/;

export type ReadEvent = (payload: unknown) => Promise<WebhookEvent>;

export type WebhookEvents = Record<string, Record<string, ReadEvent>>;

interface Options {
  name: string;
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
      // All secrets are tried, so that the time does not reveal which one matched.
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
  const payload: { action?: unknown } = eventPayload(name, header, event, body);
  const actions = Object.hasOwn(events, event) ? events[event] : undefined;
  if (!actions) return {};
  const { action } = payload;
  const read = typeof action === 'string' && Object.hasOwn(actions, action) ? actions[action] : actions['*'];
  return (await read?.(payload)) ?? {};
}

export function eventPayload(name: string, header: string, event: string, body: Buffer): object {
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
    'The body is not a JSON object. Set the content type of this webhook to application/json.',
    { details: [{ field: 'body', problem: 'is not a JSON object' }] },
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
      `The body lacks required fields of this event. Send it as ${name} does.`,
      { details: [{ field: 'body', problem: `does not match this ${name} event` }] },
    );
  };

export const RepositoryEvent = Type.Object({ repository: Type.Object({ id: Id }) });

export const PullRequestEvent = Type.Object({
  ...RepositoryEvent.properties,
  number: Id,
  pull_request: Type.Object({ merged: maybe(Type.Boolean()) }),
});

export const DiscussionEvent = Type.Object({
  ...RepositoryEvent.properties,
  pull_request: Type.Object({ number: Id }),
});

export const CommentEvent = Type.Object({
  ...RepositoryEvent.properties,
  issue: Type.Object({ number: Id, pull_request: maybe(Type.Object({})) }),
});

type Change = NonNullable<WebhookEvent['pullRequest']>['change'];

const discussed = (hostRepoId: number, number: number): WebhookEvent => ({
  pullRequest: { hostRepoId, number, change: 'discussed' },
});

/** Events of GitHub, which Gitea sends too. */
export const sharedEvents = (name: string) => ({
  pullRequest: (change: Change): ReadEvent =>
    eventOf(name)(
      PullRequestEvent,
      ({ number, repository: { id: hostRepoId }, pull_request: { merged } }) => ({
        pullRequest: { hostRepoId, number, change: change === 'closed' && merged ? 'merged' : change },
      }),
    ),
  /** A review or one of its comments was added, edited or deleted. */
  discussion: eventOf(name)(DiscussionEvent, ({ repository, pull_request: { number } }) =>
    discussed(repository.id, number),
  ),
  comment: eventOf(name)(CommentEvent, ({ repository, issue: { number, pull_request: isPull } }) =>
    isPull ? discussed(repository.id, number) : {},
  ),
  repository: eventOf(name)(RepositoryEvent, ({ repository: { id } }) => ({
    revoked: { hostRepoIds: [id] },
  })),
});
