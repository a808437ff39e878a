import { setTimeout as wait } from 'node:timers/promises';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { isStorageFull } from '../../db/failures.ts';
import { claimRefresh, findHostToken, resealHostToken, type SavedHostToken } from '../../db/host-tokens.ts';
import { Failure } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import { inTime } from '../../domain/in-time.ts';
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
interface Place {
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
  async find(place: Place): Promise<Found | null> {
    const saved = await this.#look(place);
    return saved && this.#use(place, saved);
  }

  /** Another one than a host has just refused; null where there is none. */
  async replace(place: Place, refused: string): Promise<string | null> {
    const saved = await this.#look(place);
    const held = saved && unsealHostToken(this.#parts.secretKeys, saved);
    if (!saved || !held) return null;
    if (held.accessToken !== refused) return (await this.#use(place, saved)).token;
    return held.refreshToken !== null && place.codeHost.app ? this.#awaitAnother(place, saved, held) : null;
  }

  /** Settles when nothing is under way that would be lost. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  #look({ identity, codeHost }: Place): Promise<SavedHostToken | null> {
    return findHostToken(this.#parts.database, { identity, host: codeHost.id });
  }

  async #use(place: Place, saved: SavedHostToken): Promise<Found> {
    const { secretKeys, clock } = this.#parts;
    const held = unsealHostToken(secretKeys, saved);
    if (!held) throw unusable(place, 'the keys of this service have been replaced since');
    if (saved.refreshRefused) throw unusable(place, noOther);
    const left = saved.expiresAt ? saved.expiresAt.getTime() - clock().getTime() : Number.POSITIVE_INFINITY;
    if (left < refreshBeforeMs && held.refreshToken !== null && place.codeHost.app)
      return left > 0
        ? this.#anotherOrThis(place, saved, held)
        : { token: await this.#awaitAnother(place, saved, held), isLate: false };
    if (left <= 0) throw unusable(place, 'it has expired');
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
  async #anotherOrThis(place: Place, saved: SavedHostToken, held: HeldTokens): Promise<Found> {
    const { id } = place.codeHost;
    const isLeftAlone = (this.#leftAlone.get(id) ?? 0) > performance.now();
    const another = this.#awaitAnother(place, saved, held);
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

  #awaitAnother(place: Place, saved: SavedHostToken, held: HeldTokens): Promise<string> {
    return inTime(this.#exchangeOnce(place, saved, held), patienceMs, () => {
      throw new Failure('HOST_TIMEOUT', `${place.codeHost.id} did not renew your token in time. Try again.`);
    });
  }

  /** Requests of this process for the same token share one exchange. It goes on also if they no longer wait for it. */
  #exchangeOnce(place: Place, saved: SavedHostToken, held: HeldTokens): Promise<string> {
    const key = `${saved.identityId} ${saved.host} ${saved.savedAt.getTime()} ${saved.generation}`;
    const known = this.#underWay.get(key);
    if (known) return known;
    const token = this.#exchange(place, saved, held).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, token);
    return token;
  }

  async #exchange(place: Place, saved: SavedHostToken, held: HeldTokens): Promise<string> {
    const { app } = place.codeHost;
    const { database, clock } = this.#parts;
    for (const end = performance.now() + patienceMs; app && performance.now() < end; ) {
      const now = clock();
      if (await claimRefresh(database, saved, { now, until: new Date(now.getTime() + claimMs) })) {
        const refused = (why: string) => unusable(place, why);
        return exchangeHostToken(this.#parts, { app, saved, held, refused });
      }
      const other = await this.#look(place);
      if (!other) throw unusable(place, 'it has been deleted');
      if (!isSame(other, saved) || other.refreshRefused) return (await this.#use(place, other)).token;
      await wait(lookEveryMs);
    }
    throw new Failure('HOST_TIMEOUT', `${place.codeHost.id} did not renew your token in time. Try again.`);
  }
}

const isSame = (one: SavedHostToken, other: SavedHostToken): boolean =>
  one.generation === other.generation && one.savedAt.getTime() === other.savedAt.getTime();

function unusable({ codeHost }: Place, why: string): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    `The token of ${codeHost.id} that you saved cannot be used: ${why}. Save another with POST /auth/host-token, or sign in again.`,
  );
}
