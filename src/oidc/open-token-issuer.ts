import type { JWTVerifyGetKey } from 'jose';
import { LazyPromise } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';

/** The number of a GitHub account in digits, with or without the prefix of Auth0. */
const written = /^(?:github\|)?([1-9]\d{0,15})$/;

export function hostUserIn(claims: unknown, pointer: string[]): number | null {
  let value = claims;
  for (const step of pointer) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null;
    value = Reflect.get(value, step);
  }
  const number = typeof value === 'string' ? Number(written.exec(value)?.[1]) : value;
  return Number.isSafeInteger(number) && Number(number) > 0 ? Number(number) : null;
}

/** An unknown key may be new or invented, so keys are fetched at most this often. */
const fetchEveryMs = 30_000;

const newMs = 10 * 60 * 1000;

/** Known keys are used for this long while the issuer does not respond. */
const holdMs = 60 * 60 * 1000;

interface Source {
  load: () => Promise<JWTVerifyGetKey>;
  isUnknownKey: (error: unknown) => boolean;
  clock: () => Date;
}

/**
 * The keys of an issuer. The `createRemoteJWKSet` of jose is not used, because it drops keys as soon as the issuer does
 * not respond.
 */
class IssuerKeys {
  readonly #source: Source;
  #known: { find: JWTVerifyGetKey; loadedAt: number } | null = null;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #problem: unknown;
  #loading: Promise<boolean> | null = null;

  constructor(source: Source) {
    this.#source = source;
  }

  readonly find: JWTVerifyGetKey = async (header, token) => {
    const age = this.#age();
    if (age > holdMs) await this.#renew();
    // Known keys are used in the meantime.
    else if (age > newMs) this.#renew();
    const known = this.#known;
    if (!known || this.#age() > holdMs) throw silent(this.#problem);
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!this.#source.isUnknownKey(error) || !(await this.#renew())) throw error;
      return (this.#known ?? known).find(header, token);
    }
  };

  #age(): number {
    return this.#known ? this.#source.clock().getTime() - this.#known.loadedAt : Number.POSITIVE_INFINITY;
  }

  /** Fetches keys, and returns whether there are new ones. Concurrent calls share one request. */
  #renew(): Promise<boolean> {
    const now = this.#source.clock().getTime();
    if (this.#loading) return this.#loading;
    if (now - this.#fetchedAt < fetchEveryMs) return Promise.resolve(false);
    this.#fetchedAt = now;
    this.#loading = this.#source
      .load()
      .then(
        (find) => {
          this.#known = { find, loadedAt: now };
          return true;
        },
        (error: unknown) => {
          this.#problem = error;
          return false;
        },
      )
      .finally(() => {
        this.#loading = null;
      });
    return this.#loading;
  }
}

function silent(cause: unknown): Failure {
  return new Failure(
    'UNAVAILABLE',
    'Cannot read the keys of the identity provider, so its tokens cannot be checked. Try again later.',
    { headers: { 'retry-after': String(fetchEveryMs / 1000) }, cause },
  );
}

interface IssuerSettings {
  issuer: string;
  audience: string;
  hostUserClaim: string[];
  jwksUrl: URL | undefined;
}

interface EgressRules {
  origins: string[];
  mayBePrivate: boolean;
  patienceMs: number;
  mostBytes: number;
}

interface Connection {
  fetch: typeof globalThis.fetch;
  close: () => Promise<void>;
}

interface IssuerDeps {
  clock: () => Date;
  connect: (rules: EgressRules) => Connection;
}

interface OpenTokenIssuer {
  recognizes: (token: string) => boolean;
  check: (token: string) => Promise<{ hostUserId: number; expiresAt: Date } | null>;
  close: () => Promise<void>;
}

/** The accepted algorithms: only those with public keys. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];

/** The tolerance for clocks that differ. */
const toleranceSeconds = 60;

const mostBytes = 1024 * 1024;

/** The limit for all calls together, because the request may also have to wait for the code host. */
const patienceMs = 5_000;

const latestMs = Date.UTC(9999, 0);

const jwtPattern = /^eyJ[\w-]*\.([\w-]+)\.[\w-]+$/;

/** The issuer in an unverified token, which only distinguishes it from signed tokens of code hosts. */
function issuerSaid(token: string): unknown {
  const [, claims] = jwtPattern.exec(token) ?? [];
  if (claims === undefined) return null;
  try {
    return JSON.parse(Buffer.from(claims, 'base64url').toString())?.iss;
  } catch {
    return null;
  }
}

/** jose is loaded with the first token. */
export function openTokenIssuer(settings: IssuerSettings, { clock, connect }: IssuerDeps): OpenTokenIssuer {
  const connections = new Map<string, Connection>();
  const ask = async (address: URL, signal: AbortSignal): Promise<unknown> => {
    const connection = connections.get(address.origin) ?? connect(rulesFor(address, settings.issuer));
    connections.set(address.origin, connection);
    const response = await connection.fetch(address, { headers: { accept: 'application/json' }, signal });
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
      if (!isObject(found) || !Array.isArray(found.keys)) throw new Error('The response contains no keys.');
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
        // Null for an invalid token, or one whose key is unusable.
        return null;
      }
    },
    async close() {
      await Promise.all([...connections.values()].map((one) => one.close()));
    },
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The issuer may be in a private network; keys on other origins must be public and use https. */
function rulesFor({ origin, protocol }: URL, issuer: string): EgressRules {
  const isOwn = origin === new URL(issuer).origin;
  if (!isOwn && protocol !== 'https:') throw new Error(`The keys at ${origin} are not available over https.`);
  return { origins: [origin], mayBePrivate: isOwn, patienceMs, mostBytes };
}

const discoveryOf = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

function keysAddressIn(found: unknown, issuer: string): URL {
  if (!isObject(found) || found.issuer !== issuer)
    throw new Error('The discovery document belongs to another issuer.');
  const address = typeof found.jwks_uri === 'string' ? URL.parse(found.jwks_uri) : null;
  if (!address) throw new Error('The discovery document does not contain the URL of the keys.');
  return address;
}
