import type { JWTVerifyGetKey } from 'jose';
import { LazyPromise } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';

/** A whole number as GitHub gives to accounts, as it is, in digits, or as those write it who know several hosts. */
const written = /^(?:github\|)?([1-9]\d{0,15})$/;

/** Which user of the code host a claim names; null where it names none. */
export function hostUserIn(claims: unknown, pointer: string[]): number | null {
  let value = claims;
  for (const step of pointer) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null;
    value = Reflect.get(value, step);
  }
  const number = typeof value === 'string' ? Number(written.exec(value)?.[1]) : value;
  return Number.isSafeInteger(number) && Number(number) > 0 ? Number(number) : null;
}

/** An unknown key may be a new one, or made up: keys are fetched no more often than this. */
const askEveryMs = 30_000;

const newMs = 10 * 60 * 1000;

/** How long they hold while the issuer does not answer. */
const holdMs = 60 * 60 * 1000;

interface Parts {
  load: () => Promise<JWTVerifyGetKey>;
  /** Whether an error says that there is no such key. */
  isUnknownKey: (error: unknown) => boolean;
  clock: () => Date;
}

/** The keys with which an issuer signs, as new as they need to be. */
class IssuerKeys {
  readonly #parts: Parts;
  #known: { find: JWTVerifyGetKey; loadedAt: number } | null = null;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #problem: unknown;
  #loading: Promise<boolean> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly find: JWTVerifyGetKey = async (header, token) => {
    const age = this.#age();
    if (age > holdMs) await this.#renew();
    // It is not waited for as long as there are keys.
    else if (age > newMs) this.#renew();
    const known = this.#known;
    if (!known || this.#age() > holdMs) throw silent(this.#problem);
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!this.#parts.isUnknownKey(error) || !(await this.#renew())) throw error;
      return this.#known ? this.#known.find(header, token) : known.find(header, token);
    }
  };

  #age(): number {
    return this.#known ? this.#parts.clock().getTime() - this.#known.loadedAt : Number.POSITIVE_INFINITY;
  }

  /** Whether there are new keys. Calls at the same time share one request. */
  #renew(): Promise<boolean> {
    const now = this.#parts.clock().getTime();
    if (this.#loading) return this.#loading;
    if (now - this.#fetchedAt < askEveryMs) return Promise.resolve(false);
    this.#fetchedAt = now;
    this.#loading = this.#load(now).finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  async #load(now: number): Promise<boolean> {
    try {
      this.#known = { find: await this.#parts.load(), loadedAt: now };
      return true;
    } catch (error) {
      this.#problem = error;
      return false;
    }
  }
}

function silent(cause: unknown): Failure {
  return new Failure(
    'UNAVAILABLE',
    'The identity provider does not tell its keys, so that its tokens cannot be checked. Try again later.',
    { headers: { 'retry-after': String(askEveryMs / 1000) }, cause },
  );
}

/** The settings that are about an identity provider. */
export interface IssuerSettings {
  issuer: string;
  audience: string;
  /** The steps to the claim that names the user on the code host. */
  hostUserClaim: string[];
  /** Where its keys are, if it does not tell. */
  jwksUrl: URL | undefined;
}

interface EgressRules {
  origins: string[];
  mayBePrivate: boolean;
  patienceMs: number;
  mostBytes: number;
}

interface Way {
  fetch: typeof globalThis.fetch;
  close: () => Promise<void>;
}

interface IssuerDeps {
  clock: () => Date;
  /** Opens a way to some origins and nowhere else. */
  connect: (rules: EgressRules) => Way;
}

/** An identity provider whose signed tokens count. */
interface OpenTokenIssuer {
  recognizes: (token: string) => boolean;
  check: (token: string) => Promise<{ hostUserId: number; expiresAt: Date } | null>;
  close: () => Promise<void>;
}

/** No secret is shared with the issuer, and nothing is left unsigned. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** Clocks differ. */
const toleranceSeconds = 60;

/** Keys are a few KiB. */
const mostBytes = 1024 * 1024;

/** For all calls of the issuer: a request that waits for it may have to wait for the code host next. */
const patienceMs = 5_000;

/** Later than anything that expires. */
const latestMs = Date.UTC(9999, 0);

const jwtPattern = /^eyJ[\w-]*\.([\w-]+)\.[\w-]+$/;

/** Whose a token says that it is: code hosts sign tokens too. It proves nothing, and only tells whom to ask. */
function issuerSaid(token: string): unknown {
  const [, claims] = jwtPattern.exec(token) ?? [];
  if (claims === undefined) return null;
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString())?.iss;
  } catch {
    return null;
  }
}

/** The issuer as the settings want it. The library that checks signatures is loaded with the first token. */
export function openTokenIssuer(settings: IssuerSettings, { clock, connect }: IssuerDeps): OpenTokenIssuer {
  const ways = new Map<string, Way>();
  const ask = async (address: URL, signal: AbortSignal): Promise<unknown> => {
    const way = ways.get(address.origin) ?? connect(rulesFor(address, settings.issuer));
    ways.set(address.origin, way);
    const response = await way.fetch(address, { headers: { accept: 'application/json' }, signal });
    if (!response.ok) throw new Error(`${address.origin} answered ${response.status}.`);
    return response.json();
  };
  const prepared = new LazyPromise(async () => {
    const { createLocalJWKSet, errors, jwtVerify } = await import('jose');
    const load = async (): Promise<JWTVerifyGetKey> => {
      const signal = AbortSignal.timeout(patienceMs);
      const address =
        settings.jwksUrl ?? keysAddressIn(await ask(discoveryOf(settings.issuer), signal), settings.issuer);
      const found = await ask(address, signal);
      if (!isObject(found) || !Array.isArray(found.keys)) throw new Error('These are no keys.');
      return createLocalJWKSet({ keys: found.keys });
    };
    const isUnknownKey = (error: unknown) => error instanceof errors.JWKSNoMatchingKey;
    return { jwtVerify, keys: new IssuerKeys({ load, isUnknownKey, clock }) };
  });
  return {
    recognizes: (token) => issuerSaid(token) === settings.issuer,
    async check(token) {
      const { jwtVerify, keys } = await prepared.get();
      try {
        const { payload } = await jwtVerify(token, keys.find, {
          issuer: settings.issuer,
          audience: settings.audience,
          algorithms,
          clockTolerance: toleranceSeconds,
          currentDate: clock(),
          requiredClaims: ['exp'],
        });
        const hostUserId = hostUserIn(payload, settings.hostUserClaim);
        const expiresMs = (Math.ceil(payload.exp ?? 0) + toleranceSeconds) * 1000;
        return hostUserId === null
          ? null
          : { hostUserId, expiresAt: new Date(Math.min(expiresMs, latestMs)) };
      } catch (error) {
        if (error instanceof Failure) throw error;
        // The token proves nothing, or the key that it names is one that nothing can be proven with.
        return null;
      }
    },
    async close() {
      await Promise.all([...ways.values()].map((way) => way.close()));
    },
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The issuer may be in the operator's own network; wherever else its keys are, they are public, over https. */
function rulesFor({ origin, protocol }: URL, issuer: string): EgressRules {
  const isOwn = origin === new URL(issuer).origin;
  if (!isOwn && protocol !== 'https:') throw new Error(`The keys at ${origin} are not to be had over https.`);
  return { origins: [origin], mayBePrivate: isOwn, patienceMs, mostBytes };
}

const discoveryOf = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

function keysAddressIn(found: unknown, issuer: string): URL {
  if (!isObject(found) || found.issuer !== issuer)
    throw new Error('This is the description of another issuer.');
  const address = typeof found.jwks_uri === 'string' ? URL.parse(found.jwks_uri) : null;
  if (!address) throw new Error('The issuer does not tell where its keys are.');
  return address;
}
