import type { Static, TSchema } from 'typebox';
import type { Identity } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { hashToken } from '../../domain/secrets.ts';
import { BoundedMap, cacheResponses } from '../bounded-map.ts';
import {
  type CodeHost,
  type HostApp,
  type HostCredential,
  MovedMeanwhile,
  UselessResponse,
} from '../code-host.ts';
import {
  AccountTurnedAway,
  brokenResponse,
  ClosedToService,
  type HostApi,
  type HostCaller,
  type HostResponse,
  HostTimeout,
  isAbsent,
  limited,
  ResponseTooLarge,
  TokenRefused,
  throwUnlessAbsent,
} from './host-api.ts';
import { CircuitBreaker, type HostConnection, type HostRequest, sendToHost } from './host-transport.ts';
import { countInHeader, RateLimits, usualResource } from './rate-limits.ts';

export interface ClientOptions extends HostConnection {
  clock: () => Date;
}

interface KnownResponse {
  tag: string;
  data: object;
  headers: HostResponse['headers'];
}

const knownBytes = 16 * 1024 * 1024;

/**
 * The limit in characters for each kind of text: more than a thousand comments, and small enough to hold several at
 * once.
 */
const mostTextOfPeople = 4 * 1024 * 1024;

interface Keeping<Item, Kept> {
  atMost: number;
  mostText?: number;
  keep: (item: Item) => Kept;
}

interface Page<Item> {
  items: Item[];
  isLast: boolean;
  total: number | null;
}

/** Calls a host, with limits and ETags for each token. Every error is a Failure that can be shown to users. */
export class HostClient {
  readonly api: HostApi;
  readonly #limits: RateLimits;
  readonly #breaker: CircuitBreaker;
  readonly #connection: HostConnection & { breaker: CircuitBreaker };
  readonly #known = new BoundedMap<KnownResponse>(
    knownBytes,
    ({ data }, key) => JSON.stringify(data).length + key.length,
  );

  constructor(options: ClientOptions) {
    this.api = options.api;
    this.#limits = new RateLimits(options.clock, options.api.limits);
    this.#breaker = new CircuitBreaker(options.clock);
    this.#connection = { ...options, breaker: this.#breaker };
  }

  backgroundQuota(token: string | null): number {
    if (this.#breaker.isOpen()) return 0;
    return this.#limits.backgroundQuota(tokenName({ token }), this.api.usualLimit(token));
  }

  limitLeft(token: string | null): number | null {
    return this.#limits.left(tokenName({ token }));
  }

  /** Null if the resource does not exist or is hidden from this caller. Throws if the service is rejected. */
  async get<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: HostCaller,
    { isCostly = false }: { isCostly?: boolean } = {},
  ): Promise<Static<Schema> | null> {
    const { status, data, remember } = await this.call({ ...this.#at(path), isCostly }, caller);
    if (status === 403) throw new ClosedToService(this.api.name);
    if (isAbsent(status)) return null;
    const value = await this.checked(schema, data);
    remember();
    return value;
  }

  /** Throws if the token may not make this call; the response does not matter otherwise. */
  async requireAllowed(path: string, caller: HostCaller): Promise<void> {
    await this.call({ ...this.#at(path), isCostly: true }, caller);
  }

  /** A page of a list of a resource that was found before; empty if the host has no such list for it. */
  async page<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: HostCaller,
  ): Promise<Page<Static<Schema>>> {
    const response = await this.call({ ...this.#at(path), isCostly: true }, caller);
    if (response.status === 410) return { items: [], isLast: true, total: 0 };
    if (isAbsent(response.status)) throw new MovedMeanwhile();
    const page = await this.#pageOf(schema, response);
    response.remember();
    return page;
  }

  async count(path: string, caller: HostCaller): Promise<number> {
    const { status, headers } = await this.call({ ...this.#at(path), isCostly: true }, caller);
    if (isAbsent(status)) throw new MovedMeanwhile();
    const total = this.#totalIn(headers);
    if (total === null) throw brokenResponse(this.api.name);
    return total;
  }

  /**
   * A page for polling, with an ETag that the caller keeps. `unchanged` if the tag still matches; null if there is no
   * such list for this caller.
   */
  async pageUnlessUnchanged<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: HostCaller,
    tag: string | null,
  ): Promise<(Page<Static<Schema>> & { tag: string | null }) | 'unchanged' | null> {
    const response = await this.call({ ...this.#at(path), isCostly: true, tag }, caller);
    if (response.status === 304) return 'unchanged';
    if (response.status === 403) throw new ClosedToService(this.api.name);
    if (isAbsent(response.status)) return null;
    return { ...(await this.#pageOf(schema, response)), tag: response.headers.etag ?? null };
  }

  async list<Schema extends TSchema, Kept>(
    path: string,
    schema: Schema,
    caller: HostCaller,
    { atMost, mostText = mostTextOfPeople, keep }: Keeping<Static<Schema>, Kept>,
  ): Promise<Kept[]> {
    const all: Kept[] = [];
    let [size, ...smaller] = this.api.pages.sizes;
    let text = 0;
    for (let begin = 0; all.length < atMost && text < mostText; ) {
      const query = this.api.pages.query(size, begin / size + 1);
      const page = await this.page(`${path}${path.includes('?') ? '&' : '?'}${query}`, schema, caller).catch(
        (error) => {
          if (smaller.length > 0 && error instanceof ResponseTooLarge) return null;
          throw error;
        },
      );
      if (!page) {
        [size = 1, ...smaller] = smaller;
        continue;
      }
      for (const item of page.items.map(keep)) {
        text += JSON.stringify(item).length;
        if (text <= mostText) all.push(item);
      }
      if (page.isLast || page.items.length === 0) break;
      begin += size;
    }
    return all.slice(0, atMost);
  }

  /** The tag is stored only once the response was read completely, because a truncated one has the tag of the whole. */
  protected async call(
    request: HostRequest,
    caller: HostCaller,
  ): Promise<HostResponse & { remember: () => void }> {
    const { api } = this;
    const { resource } = request;
    const who = tokenName(caller);
    const seconds = caller.respectsBackgroundQuota
      ? this.#limits.secondsUntilQuotaAllows(who, resource, api.usualLimit(caller.token))
      : this.#limits.secondsLeft(who, resource);
    if (seconds > 0) throw limited(api.name, seconds, caller.isService);
    if (this.#breaker.isOpen())
      throw new HostTimeout(api.name, new Error(`${api.name} did not answer; waiting before the next try.`));
    const key = `${who} ${request.address}`;
    const isKept = !request.body && !request.streamOf && request.tag === undefined;
    const known = isKept ? this.#known.get(key) : undefined;
    const tag = request.tag ?? known?.tag;
    const isAnswered = this.#limits.begin(who, resource);
    const response = await sendToHost(this.#connection, request, caller, tag).finally(isAnswered);
    if (this.#limits.note(who, resource, response)) throw this.limitReached(caller, resource);
    if (response.status === 304 && known) return { ...known, status: 200, remember() {} };
    if (response.status === 304 && request.tag) return { ...response, remember() {} };
    if (response.status === 401 && caller.token !== null && caller.replaceToken) {
      const { replaceToken, ...rest } = caller;
      const token = await replaceToken(caller.token);
      if (token !== null) return this.call(request, { ...rest, token });
    }
    if (response.status >= 300) return { ...throwUnlessAbsent(api, response, caller), remember() {} };
    const remember = () => {
      const { data, headers } = response;
      if (isKept && headers.etag !== undefined && isObject(data))
        this.#known.set(key, { data, headers, tag: headers.etag });
    };
    return { ...response, remember };
  }

  protected refuse(caller: HostCaller, resource: string): Error {
    this.#limits.refuse(tokenName(caller), resource);
    return this.limitReached(caller, resource);
  }

  protected async checked<Schema extends TSchema>(schema: Schema, data: unknown): Promise<Static<Schema>> {
    const { Check } = await import('typebox/value');
    if (Check(schema, data)) return data;
    throw brokenResponse(this.api.name);
  }

  private limitReached(caller: HostCaller, resource: string): Error {
    const seconds = this.#limits.secondsLeft(tokenName(caller), resource);
    return limited(this.api.name, seconds, caller.isService);
  }

  #at(path: string): Pick<HostRequest, 'address' | 'resource'> {
    return { address: `${this.api.address}${path}`, resource: usualResource };
  }

  async #pageOf<Schema extends TSchema>(
    schema: Schema,
    { data, headers }: HostResponse,
  ): Promise<Page<Static<Schema>>> {
    if (!Array.isArray(data)) throw brokenResponse(this.api.name);
    const items = await Promise.all(data.map((item) => this.checked(schema, item)));
    const { isLast = isLastByLinks } = this.api.pages;
    return { items, isLast: isLast(headers, items.length), total: this.#totalIn(headers) };
  }

  #totalIn(headers: HostResponse['headers']): number | null {
    return countInHeader(headers[this.api.pages.totalHeader ?? '']);
  }
}

export const tokenName = ({ token }: Pick<HostCaller, 'token'>): string =>
  token === null ? 'anonymous' : hashToken(token);

const isLastByLinks = (headers: HostResponse['headers']): boolean =>
  !(headers.link ?? '').includes('rel="next"');

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const atOnce = 8;

export async function inTurns<Given, Done>(
  given: readonly Given[],
  work: (one: Given) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  for (let at = 0; at < given.length; at += atOnce)
    done.push(...(await Promise.all(given.slice(at, at + atOnce).map(work))));
  return done;
}

const patienceMs = 9_000;

export interface TokenRules {
  isAppToken: (token: string) => boolean;
  notOurs: string;
  whose: (token: string, signal: AbortSignal) => Promise<Identity | null>;
}

interface Options extends TokenRules {
  name: string;
  app: HostApp | null;
  clock: () => Date;
}

/**
 * Tokens of apps count only if granted to ours: otherwise any app that a user has authorized could sign in as that
 * user.
 */
export function checkTokens(options: Options): Required<Pick<CodeHost, 'identify' | 'forgetTokens'>> {
  const { app, isAppToken, clock } = options;
  const { cached, forget } = cacheResponses<HostCredential | AccountTurnedAway | null>(clock);
  const ask = async (token: string): Promise<HostCredential | AccountTurnedAway | null> => {
    const signal = AbortSignal.timeout(patienceMs);
    const confirmed = isAppToken(token) ? await app?.confirm(token, signal) : null;
    if (isAppToken(token) && !confirmed) return null;
    const identity = await findOwner(options, token, signal);
    if (identity instanceof AccountTurnedAway) return identity;
    return identity && { identity, expiresAt: confirmed?.expiresAt ?? null, singleUse: false };
  };
  return {
    async identify(token) {
      const found = await cached(hashToken(token), () => ask(token));
      if (found instanceof AccountTurnedAway)
        throw new Failure('UNAUTHORIZED', found.message, { cause: found });
      const isExpired = found?.expiresAt && found.expiresAt <= clock();
      if (found && !isExpired) return found;
      if (isAppToken(token) && !isExpired) throw new Failure('UNAUTHORIZED', options.notOurs);
      return null;
    },
    forgetTokens: (hostUserId) =>
      forget((known) => {
        const identity = known instanceof AccountTurnedAway ? null : known?.identity;
        return hostUserId === null || identity?.hostUserId === hostUserId;
      }),
  };
}

async function findOwner(
  { name, whose }: Options,
  token: string,
  signal: AbortSignal,
): Promise<Identity | AccountTurnedAway | null> {
  try {
    return await whose(token, signal);
  } catch (error) {
    if (error instanceof TokenRefused) return null;
    if (error instanceof AccountTurnedAway) return error;
    // The host or a proxy refused for a reason that says nothing about the token.
    if (error instanceof Failure && error.code === 'HOST_TOKEN_INVALID')
      throw new UselessResponse(`${name} does not say whose token this is. Try again later.`, {
        cause: error,
      });
    throw error;
  }
}
