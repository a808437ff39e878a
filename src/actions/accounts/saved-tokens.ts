import { setTimeout as wait } from 'node:timers/promises';
import {
  type CodeHost,
  type GrantedToken,
  type HostApp,
  UselessResponse,
} from '../../code-hosts/code-host.ts';
import {
  claimTokenRefresh,
  findHostToken,
  refuseTokenRefresh,
  releaseTokenRefresh,
  replaceHostToken,
  resealHostToken,
  type SavedHostToken,
} from '../../db/accounts.ts';
import { isStorageFull } from '../../db/failures.ts';
import { type Identity, savingToken } from '../../domain/accounts.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { isSealedByFirst, type SecretKeys, seal, unseal } from '../../domain/secrets.ts';
import type { Deps } from '../deps.ts';

export interface HeldTokens extends Pick<GrantedToken, 'accessToken' | 'refreshToken'> {
  /**
   * The account number that the owner of the refreshed token must have, if the host has not confirmed the owner yet.
   */
  unconfirmedOwner: number | null;
}

interface Owner {
  identityId: string;
  host: string;
}

const bindingOf = ({ identityId, host }: Owner) => ({
  purpose: 'saved host token',
  belongsTo: [identityId, host],
});

/** Encrypts a token for its owner and host, so that it cannot be decrypted in another row. */
export function sealHostToken(
  keys: SecretKeys,
  owner: Owner,
  { accessToken, refreshToken, unconfirmedOwner }: HeldTokens,
): string {
  const lines = [accessToken, refreshToken, refreshToken && unconfirmedOwner].filter((part) => part !== null);
  return seal(keys, bindingOf(owner), lines.join('\n'));
}

export function unsealHostToken(
  keys: SecretKeys,
  { sealed, ...owner }: Owner & { sealed: string },
): HeldTokens | null {
  const lines = unseal(keys, bindingOf(owner), sealed)?.split('\n') ?? [];
  const [accessToken, refreshToken = null, confirming] = lines;
  const unconfirmedOwner = confirming === undefined ? null : Number(confirming);
  return accessToken === undefined ? null : { accessToken, refreshToken, unconfirmedOwner };
}

const revokeWithinMs = 2_000;

export async function revokeQuietly(app: HostApp, accessToken: string): Promise<void> {
  const signal = AbortSignal.timeout(revokeWithinMs);
  await inTime(
    app.revoke(accessToken, signal).catch(() => {}),
    revokeWithinMs,
    () => {},
  );
}

interface Exchange {
  app: HostApp;
  saved: SavedHostToken;
  held: HeldTokens;
  refused: (why: string) => Failure;
}

/** Generous, because a refresh token works once: giving up on a response loses the token. */
const responseMs = 20_000;

/**
 * How long a process may hold the claim to refresh a token: longer than a refresh takes, so that one that still holds
 * it has died.
 */
const claimMs = 30_000;

const noOther = 'it has expired, and the code host does not renew it';

async function exchangeHostToken(deps: TokenDeps, exchange: Exchange): Promise<string> {
  const { app, saved, held, refused } = exchange;
  const { refreshToken, unconfirmedOwner } = held;
  const signal = AbortSignal.timeout(responseMs);
  const refresh = (token: string) =>
    app.refresh(token, signal).catch(async (error: unknown) => {
      await releaseTokenRefresh(deps.database, saved);
      throw error;
    });
  const granted = refreshToken === null ? null : await refresh(refreshToken);
  if (!granted) {
    await refuseTokenRefresh(deps.database, saved);
    throw refused(noOther);
  }
  if (unconfirmedOwner === null) return keep(deps, exchange, granted);
  const owner = await app.confirm(granted.accessToken, signal).then(
    (confirmed) => confirmed?.hostUserId ?? null,
    () => 'unknown' as const,
  );
  if (owner === 'unknown') {
    // Stored as expired, so that it is not used but refreshed by the next caller, who then confirms its owner.
    await keep(deps, exchange, { ...granted, expiresAt: deps.clock() }, unconfirmedOwner);
    throw new UselessResponse('The code host did not return the owner of this token. Try again later.');
  }
  if (owner === unconfirmedOwner) return keep(deps, exchange, granted);
  await refuseTokenRefresh(deps.database, saved);
  await revokeQuietly(app, granted.accessToken);
  throw refused('its refresh token belongs to another account');
}

async function keep(
  { database, secretKeys }: TokenDeps,
  { app, saved }: Exchange,
  granted: GrantedToken,
  unconfirmedOwner: number | null = null,
): Promise<string> {
  const { accessToken, expiresAt } = granted;
  const sealed = sealHostToken(secretKeys, saved, { ...granted, unconfirmedOwner });
  const isKept = await replaceHostToken(database, saved, { sealed, expiresAt });
  // If the saved token was deleted or replaced in the meantime, the new one is revoked.
  if (!isKept) await revokeQuietly(app, accessToken);
  return accessToken;
}

/** A token that expires within this time is refreshed before use, so that no operation outlasts it. */
const refreshBeforeMs = 5 * 60 * 1000;

/** Requests wait at most ten seconds for a host; the service needs the rest of the time itself. */
const patienceMs = 8_000;

/** How long a request with a still valid token waits for its refresh. */
const shortPatienceMs = 2_000;

const lookEveryMs = 50;

type TokenDeps = Pick<Deps, 'database' | 'secretKeys' | 'clock'>;

interface TokenHolder {
  codeHost: Pick<CodeHost, 'id' | 'app'>;
  identity: Identity;
}

/** Refreshes saved tokens before they expire, one process at a time, because a refresh token works once. */
export class SavedTokens {
  readonly #deps: TokenDeps;
  readonly #underWay = new Map<string, Promise<string>>();

  constructor(deps: TokenDeps) {
    this.#deps = deps;
  }

  async find(holder: TokenHolder): Promise<string | null> {
    const saved = await this.#look(holder);
    return saved && this.#use(holder, saved);
  }

  async replace(holder: TokenHolder, refused: string): Promise<string | null> {
    const saved = await this.#look(holder);
    const held = saved && unsealHostToken(this.#deps.secretKeys, saved);
    if (!saved || !held) return null;
    if (held.accessToken !== refused) return this.#use(holder, saved);
    return held.refreshToken !== null && holder.codeHost.app ? this.#awaitAnother(holder, saved, held) : null;
  }

  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  #look({ identity, codeHost }: TokenHolder): Promise<SavedHostToken | null> {
    return findHostToken(this.#deps.database, { identity, host: codeHost.id });
  }

  async #use(holder: TokenHolder, saved: SavedHostToken): Promise<string> {
    const { secretKeys, clock } = this.#deps;
    const held = unsealHostToken(secretKeys, saved);
    if (!held) throw unusable(holder, 'the keys of this service have been replaced since it was saved');
    if (saved.refreshRefused) throw unusable(holder, noOther);
    const left = saved.expiresAt ? saved.expiresAt.getTime() - clock().getTime() : Number.POSITIVE_INFINITY;
    if (left < refreshBeforeMs && held.refreshToken !== null && holder.codeHost.app)
      return left > 0 ? this.#anotherOrThis(holder, saved, held) : this.#awaitAnother(holder, saved, held);
    if (left <= 0) throw unusable(holder, 'it has expired');
    if (!isSealedByFirst(secretKeys, saved.sealed)) await this.#moveToFirstKey(saved, held);
    return held.accessToken;
  }

  async #moveToFirstKey(saved: SavedHostToken, held: HeldTokens): Promise<void> {
    const { database, secretKeys } = this.#deps;
    try {
      await resealHostToken(database, saved, sealHostToken(secretKeys, saved, held));
    } catch (error) {
      if (!isStorageFull(error)) throw error;
    }
  }

  async #anotherOrThis(holder: TokenHolder, saved: SavedHostToken, held: HeldTokens): Promise<string> {
    try {
      return await this.#awaitAnother(holder, saved, held, shortPatienceMs);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'HOST_TOKEN_INVALID') throw error;
      return held.accessToken;
    }
  }

  #awaitAnother(
    holder: TokenHolder,
    saved: SavedHostToken,
    held: HeldTokens,
    mostMs = patienceMs,
  ): Promise<string> {
    return inTime(this.#exchangeOnce(holder, saved, held), mostMs, () => {
      throw notInTime(holder);
    });
  }

  /** Requests of this process for the same token share one refresh, which continues even if they give up. */
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
    const { database, clock } = this.#deps;
    for (const end = performance.now() + patienceMs; app && performance.now() < end; ) {
      const now = clock();
      if (await claimTokenRefresh(database, saved, { now, until: new Date(now.getTime() + claimMs) })) {
        const refused = (why: string) => unusable(holder, why);
        return exchangeHostToken(this.#deps, { app, saved, held, refused });
      }
      const other = await this.#look(holder);
      if (!other) throw unusable(holder, 'it has been deleted');
      if (!isSameToken(other, saved) || other.refreshRefused) return this.#use(holder, other);
      await wait(lookEveryMs);
    }
    throw notInTime(holder);
  }
}

const notInTime = ({ codeHost: { id } }: TokenHolder): Failure =>
  new Failure('HOST_TIMEOUT', `${id} did not renew your token in time. Try again.`);

const isSameToken = (one: SavedHostToken, other: SavedHostToken): boolean =>
  one.generation === other.generation && one.savedAt.getTime() === other.savedAt.getTime();

function unusable({ codeHost }: TokenHolder, why: string): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    `Your saved token for ${codeHost.id} cannot be used: ${why}. Save another one with ${savingToken(codeHost.id)}, or sign in again.`,
  );
}
