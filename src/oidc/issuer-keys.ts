import type { JWTVerifyGetKey } from 'jose';
import { Failure } from '../domain/errors.ts';

/** An unknown key may be a new one, or made up: the issuer is asked no more often than this. */
const askEveryMs = 30_000;

/** How long keys count as the newest. */
const newMs = 10 * 60 * 1000;

/** How long they hold while the issuer does not answer. */
const holdMs = 60 * 60 * 1000;

interface Parts {
  /** Asks the issuer for its keys. */
  load: () => Promise<JWTVerifyGetKey>;
  /** Whether an error says that there is no such key. */
  isUnknownKey: (error: unknown) => boolean;
  clock: () => Date;
}

/** The keys with which an issuer signs, as new as they need to be. */
export class IssuerKeys {
  readonly #parts: Parts;
  #known: { find: JWTVerifyGetKey; loadedAt: number } | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Why there are no newer ones. */
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
    if (now - this.#askedAt < askEveryMs) return Promise.resolve(false);
    this.#askedAt = now;
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
