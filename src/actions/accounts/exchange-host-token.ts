import type { GrantedToken, HostApp } from '../../code-hosts/code-host.ts';
import { UselessAnswer } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import {
  refuseRefresh,
  releaseRefresh,
  replaceHostToken,
  type SavedHostToken,
} from '../../db/host-tokens.ts';
import type { Failure } from '../../domain/errors.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import { revokeQuietly } from './revoke-quietly.ts';
import { type HeldTokens, sealHostToken } from './seal-host-token.ts';

interface Parts {
  database: Database;
  secretKeys: SecretKeys;
  clock: () => Date;
}

interface Exchange {
  app: HostApp;
  saved: SavedHostToken;
  held: HeldTokens;
  /** What is said where the host gives no other token for this one. */
  refused: (why: string) => Failure;
}

/** How long the host may take: what it is asked with works once, so that an answer that is given up is a token that is lost. */
const answerMs = 20_000;

/** Longer than all of it takes: after this, the process that held the claim has died. */
export const claimMs = 30_000;

export const noOther = 'it has expired, and the code host gives out no other for it';

/**
 * Has the host give another token for a saved one, and stores it. The caller holds the claim, and nothing else in the
 * database meanwhile.
 */
export async function exchangeHostToken(parts: Parts, exchange: Exchange): Promise<string> {
  const { app, saved, held, refused } = exchange;
  const signal = AbortSignal.timeout(answerMs);
  const granted = await ask(parts, exchange, signal);
  if (!granted) {
    await refuseRefresh(parts.database, saved);
    throw refused(noOther);
  }
  const { unconfirmedOwner } = held;
  if (unconfirmedOwner === null) return keep(parts, exchange, granted);
  const owner = await findOwnerOfToken(app, granted, signal);
  if (owner === 'unknown') {
    // As one that has expired it is not used, but exchanged once more, by a caller who then asks whose that one is.
    await keep(parts, exchange, { ...granted, expiresAt: parts.clock() }, unconfirmedOwner);
    throw new UselessAnswer('The code host does not say whose token it has given. Try again later.');
  }
  if (owner === unconfirmedOwner) return keep(parts, exchange, granted);
  await refuseRefresh(parts.database, saved);
  await revokeQuietly(app, granted.accessToken);
  throw refused('what was saved to renew it with is of another account');
}

async function ask(
  { database }: Parts,
  { app, saved, held }: Exchange,
  signal: AbortSignal,
): Promise<GrantedToken | null> {
  if (held.refreshToken === null) return null;
  try {
    return await app.refresh(held.refreshToken, signal);
  } catch (error) {
    await releaseRefresh(database, saved);
    throw error;
  }
}

async function findOwnerOfToken(
  app: HostApp,
  { accessToken }: GrantedToken,
  signal: AbortSignal,
): Promise<number | null | 'unknown'> {
  try {
    const confirmed = await app.confirm(accessToken, signal);
    return confirmed?.hostUserId ?? null;
  } catch {
    return 'unknown';
  }
}

async function keep(
  { database, secretKeys }: Parts,
  { app, saved }: Exchange,
  granted: GrantedToken,
  unconfirmedOwner: number | null = null,
): Promise<string> {
  const { accessToken, expiresAt } = granted;
  const sealed = sealHostToken(secretKeys, saved, { ...granted, unconfirmedOwner });
  const isKept = await replaceHostToken(database, saved, { sealed, expiresAt });
  // Forgotten or saved anew meanwhile: this one must not stay valid.
  if (!isKept) await revokeQuietly(app, accessToken);
  return accessToken;
}
