import { setTimeout as wait } from 'node:timers/promises';
import type { CodeHost, GrantedToken, HostApp } from '../code-hosts/code-host.ts';
import type { Database } from '../db/database.ts';
import { isStorageFull } from '../db/failures.ts';
import {
  claimRefresh,
  findHostToken,
  refuseRefresh,
  releaseRefresh,
  replaceHostToken,
  resealHostToken,
  type SavedHostToken,
} from '../db/host-tokens.ts';
import { Failure } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import { isSealedByFirst } from '../domain/seal.ts';
import type { SecretKeys } from '../domain/secret-keys.ts';
import { revokeQuietly } from './revoke-quietly.ts';
import { sealHostToken, unsealHostToken } from './seal-host-token.ts';

/** A token with less than this left is exchanged for another, so that nothing begun with it outlasts it. */
const refreshBeforeMs = 5 * 60 * 1000;

/** Longer than a host is waited for: after this, whoever had the right to ask has died. */
const claimMs = 15_000;

/** How long the others wait for what it got, and how often they look. */
const patienceMs = 9_000;
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

interface Refresh {
  place: Place;
  app: HostApp;
  saved: SavedHostToken;
  signal: AbortSignal;
}

/**
 * Tokens that people saved, ready to be used. Those that are about to expire are exchanged at their host, by one process of
 * all: what they are exchanged for works once.
 */
export class SavedTokens {
  readonly #parts: Parts;
  readonly #underWay = new Map<string, Promise<string>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The token that somebody saved; null where they saved none. Throws HOST_TOKEN_INVALID where it is of no use. */
  async find(place: Place): Promise<string | null> {
    const saved = await this.#look(place);
    return saved && this.#use(place, saved);
  }

  /** Another one than a host has just refused; null where there is none. */
  async replace(place: Place, refused: string): Promise<string | null> {
    const saved = await this.#look(place);
    const tokens = saved && unsealHostToken(this.#parts.secretKeys, saved);
    if (!saved || !tokens) return null;
    if (tokens.accessToken !== refused) return this.#use(place, saved);
    return tokens.refreshToken !== null && place.codeHost.app ? this.#refreshOnce(place, saved) : null;
  }

  #look({ identity, codeHost }: Place): Promise<SavedHostToken | null> {
    return findHostToken(this.#parts.database, { identity, host: codeHost.id });
  }

  async #use(place: Place, saved: SavedHostToken): Promise<string> {
    const { secretKeys, clock } = this.#parts;
    const tokens = unsealHostToken(secretKeys, saved);
    if (!tokens) throw unusable(place, 'the keys of this service have been replaced since');
    if (saved.refreshRefused) throw refreshRefused(place);
    const left = saved.expiresAt ? saved.expiresAt.getTime() - clock().getTime() : Number.POSITIVE_INFINITY;
    if (left < refreshBeforeMs && tokens.refreshToken !== null && place.codeHost.app)
      return this.#refreshOnce(place, saved);
    if (left <= 0) throw unusable(place, 'it has expired');
    if (!isSealedByFirst(secretKeys, saved.sealed)) await this.#moveToFirstKey(saved);
    return tokens.accessToken;
  }

  async #moveToFirstKey(saved: SavedHostToken): Promise<void> {
    const { database, secretKeys } = this.#parts;
    const tokens = unsealHostToken(secretKeys, saved);
    if (!tokens) return;
    try {
      await resealHostToken(database, saved, sealHostToken(secretKeys, saved, tokens));
    } catch (error) {
      // It is moved when it is used the next time.
      if (!isStorageFull(error)) throw error;
    }
  }

  /** Those who want the same in this process ask together. */
  #refreshOnce(place: Place, saved: SavedHostToken): Promise<string> {
    const key = `${saved.identityId} ${saved.host} ${saved.generation}`;
    const known = this.#underWay.get(key);
    if (known) return known;
    const token = this.#refreshOrWait(place, saved).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, token);
    return token;
  }

  async #refreshOrWait(place: Place, saved: SavedHostToken): Promise<string> {
    const { database, clock } = this.#parts;
    const { app } = place.codeHost;
    const end = performance.now() + patienceMs;
    while (app && performance.now() < end) {
      const now = clock();
      const claim = { now, until: new Date(now.getTime() + claimMs) };
      if (await claimRefresh(database, saved, claim)) {
        const signal = AbortSignal.timeout(Math.max(1, Math.round(end - performance.now())));
        return this.#refresh({ place, app, saved, signal });
      }
      const other = await this.#look(place);
      if (!other) throw unusable(place, 'it has been deleted');
      if (other.generation !== saved.generation || other.refreshRefused) return this.#use(place, other);
      await wait(lookEveryMs);
    }
    throw new Failure('HOST_TIMEOUT', `${place.codeHost.id} did not renew your token in time. Try again.`);
  }

  /** Nothing is held in the database meanwhile but the right to ask. */
  async #refresh({ place, app, saved, signal }: Refresh): Promise<string> {
    const { database, secretKeys, clock } = this.#parts;
    const tokens = unsealHostToken(secretKeys, saved);
    if (!tokens?.refreshToken) throw refreshRefused(place);
    let granted: GrantedToken | null;
    try {
      granted = await app.refresh(tokens.refreshToken, signal);
    } catch (error) {
      await releaseRefresh(database, saved);
      // It is good until it expires, whatever kept the host from giving another.
      if (saved.expiresAt && saved.expiresAt > clock()) return tokens.accessToken;
      throw error;
    }
    if (!granted) {
      await refuseRefresh(database, saved);
      throw refreshRefused(place);
    }
    const { accessToken, expiresAt } = granted;
    const sealed = sealHostToken(secretKeys, saved, granted);
    const isKept = await replaceHostToken(database, saved, { sealed, expiresAt });
    // Forgotten or saved anew meanwhile: nobody is to find this one alive.
    if (!isKept) await revokeQuietly(app, accessToken);
    return accessToken;
  }
}

function refreshRefused(place: Place): Failure {
  return unusable(place, `it has expired, and ${place.codeHost.id} gives out no other for it`);
}

function unusable({ codeHost }: Place, why: string): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    `The token of ${codeHost.id} that you saved cannot be used: ${why}. Save another with POST /auth/host-token, or sign in again.`,
  );
}
