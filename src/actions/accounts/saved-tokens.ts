import { setTimeout as wait } from 'node:timers/promises';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { isStorageFull } from '../../db/failures.ts';
import { claimRefresh, findHostToken, resealHostToken, type SavedHostToken } from '../../db/host-tokens.ts';
import { Failure } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import { inTime } from '../../domain/in-time.ts';
import { savingToken } from '../../domain/saving-token.ts';
import { isSealedByFirst } from '../../domain/seal.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import { claimMs, exchangeHostToken, noOther } from './exchange-host-token.ts';
import { type HeldTokens, sealHostToken, unsealHostToken } from './seal-host-token.ts';

/** A token with less than this left is exchanged for another, so that nothing begun with it outlasts it. */
const refreshBeforeMs = 5 * 60 * 1000;

/** No request is to wait longer than ten seconds for a host that does not answer; the service itself needs some of them. */
const patienceMs = 8_000;

/** After a request has waited in vain: how long users with a token that is still good do not wait for another. */
const leftAloneMs = 30_000;

/** How often a request looks for the token that another process gets. */
const lookEveryMs = 50;

interface Parts {
  database: Database;
  secretKeys: SecretKeys;
  clock: () => Date;
}

/** Whose saved token, and of which host. */
interface TokenHolder {
  codeHost: Pick<CodeHost, 'id' | 'app'>;
  identity: Identity;
}

/** A token, and whether so long was waited for another that little time is left for what it is to be used for. */
interface Found {
  token: string;
  isLate: boolean;
}

/**
 * Tokens that people saved, ready to be used. Those that are about to expire are exchanged at their host, by one process of
 * all: what they are exchanged for works once.
 */
export class SavedTokens {
  readonly #parts: Parts;
  readonly #underWay = new Map<string, Promise<string>>();
  /** Until when, on this process's own clock, no request waits for a host. */
  readonly #leftAlone = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The token that a user saved; null where there is none. Throws HOST_TOKEN_INVALID where it is of no use. */
  async find(holder: TokenHolder): Promise<Found | null> {
    const saved = await this.#look(holder);
    return saved && this.#use(holder, saved);
  }

  /** Another one than a host has just refused; null where there is none. */
  async replace(holder: TokenHolder, refused: string): Promise<string | null> {
    const saved = await this.#look(holder);
    const held = saved && unsealHostToken(this.#parts.secretKeys, saved);
    if (!saved || !held) return null;
    if (held.accessToken !== refused) return (await this.#use(holder, saved)).token;
    return held.refreshToken !== null && holder.codeHost.app ? this.#awaitAnother(holder, saved, held) : null;
  }

  /** Settles when nothing is under way that would be lost. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  #look({ identity, codeHost }: TokenHolder): Promise<SavedHostToken | null> {
    return findHostToken(this.#parts.database, { identity, host: codeHost.id });
  }

  async #use(holder: TokenHolder, saved: SavedHostToken): Promise<Found> {
    const { secretKeys, clock } = this.#parts;
    const held = unsealHostToken(secretKeys, saved);
    if (!held) throw unusable(holder, 'the keys of this service have been replaced since');
    if (saved.refreshRefused) throw unusable(holder, noOther);
    const left = saved.expiresAt ? saved.expiresAt.getTime() - clock().getTime() : Number.POSITIVE_INFINITY;
    if (left < refreshBeforeMs && held.refreshToken !== null && holder.codeHost.app)
      return left > 0
        ? this.#anotherOrThis(holder, saved, held)
        : { token: await this.#awaitAnother(holder, saved, held), isLate: false };
    if (left <= 0) throw unusable(holder, 'it has expired');
    if (!isSealedByFirst(secretKeys, saved.sealed)) await this.#moveToFirstKey(saved, held);
    return { token: held.accessToken, isLate: false };
  }

  async #moveToFirstKey(saved: SavedHostToken, held: HeldTokens): Promise<void> {
    const { database, secretKeys } = this.#parts;
    try {
      await resealHostToken(database, saved, sealHostToken(secretKeys, saved, held));
    } catch (error) {
      // It is moved when it is used the next time.
      if (!isStorageFull(error)) throw error;
    }
  }

  /** It is good until it expires, whatever keeps the host from giving another. */
  async #anotherOrThis(holder: TokenHolder, saved: SavedHostToken, held: HeldTokens): Promise<Found> {
    const { id } = holder.codeHost;
    const isLeftAlone = (this.#leftAlone.get(id) ?? 0) > performance.now();
    const another = this.#awaitAnother(holder, saved, held);
    const thisOne = { token: held.accessToken, isLate: false };
    if (isLeftAlone) {
      another.catch(() => {});
      return thisOne;
    }
    try {
      return { token: await another, isLate: false };
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'HOST_TOKEN_INVALID') throw error;
      if (error.code !== 'HOST_TIMEOUT') return thisOne;
      this.#leftAlone.set(id, performance.now() + leftAloneMs);
      return { ...thisOne, isLate: true };
    }
  }

  #awaitAnother(holder: TokenHolder, saved: SavedHostToken, held: HeldTokens): Promise<string> {
    return inTime(this.#exchangeOnce(holder, saved, held), patienceMs, () => {
      throw new Failure('HOST_TIMEOUT', `${holder.codeHost.id} did not renew your token in time. Try again.`);
    });
  }

  /** Requests of this process for the same token share one exchange. It goes on also if they no longer wait for it. */
  #exchangeOnce(holder: TokenHolder, saved: SavedHostToken, held: HeldTokens): Promise<string> {
    const key = `${saved.identityId} ${saved.host} ${saved.savedAt.getTime()} ${saved.generation}`;
    const known = this.#underWay.get(key);
    if (known) return known;
    const token = this.#exchange(holder, saved, held).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, token);
    return token;
  }

  async #exchange(holder: TokenHolder, saved: SavedHostToken, held: HeldTokens): Promise<string> {
    const { app } = holder.codeHost;
    const { database, clock } = this.#parts;
    for (const end = performance.now() + patienceMs; app && performance.now() < end; ) {
      const now = clock();
      if (await claimRefresh(database, saved, { now, until: new Date(now.getTime() + claimMs) })) {
        const refused = (why: string) => unusable(holder, why);
        return exchangeHostToken(this.#parts, { app, saved, held, refused });
      }
      const other = await this.#look(holder);
      if (!other) throw unusable(holder, 'it has been deleted');
      if (!isSame(other, saved) || other.refreshRefused) return (await this.#use(holder, other)).token;
      await wait(lookEveryMs);
    }
    throw new Failure('HOST_TIMEOUT', `${holder.codeHost.id} did not renew your token in time. Try again.`);
  }
}

const isSame = (one: SavedHostToken, other: SavedHostToken): boolean =>
  one.generation === other.generation && one.savedAt.getTime() === other.savedAt.getTime();

function unusable({ codeHost }: TokenHolder, why: string): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    `The token of ${codeHost.id} that you saved cannot be used: ${why}. Save another with ${savingToken(codeHost.id)}, or sign in again.`,
  );
}
