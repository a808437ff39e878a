import { randomBytes } from 'node:crypto';
import type { Database, Queries } from '../../db/database.ts';
import { asDatabaseFailure } from '../../db/failures.ts';
import { endSession, insertSession, refuseToken, type Session } from '../../db/users.ts';
import { hashToken } from '../../domain/secrets.ts';

export const sessionTokenPrefix = 'pq_';

/** A new session of an identity. Its token exists only in what this returns. */
export async function createSession(
  tx: Queries,
  { identityId, now }: { identityId: string; now: Date },
): Promise<{ session: Session; accessToken: string }> {
  const accessToken = `${sessionTokenPrefix}${randomBytes(32).toString('base64url')}`;
  const session = await insertSession(tx, { identityId, tokenHash: hashToken(accessToken), now });
  return { session, accessToken };
}

type Credential =
  | { kind: 'session'; session: Pick<Session, 'id'> }
  | { kind: 'hostToken' | 'jwt'; tokenHash: string; expiresAt: Date | null };

const retryMs = 1_000;

/** Far more than people log out while a disk is full, and little memory. Fewer unknown tokens are kept. */
const mostPending = 10_000;
const mostUnknown = 1_000;

/** No session lasts longer; a token that does is refused for this long. */
const unknownForMs = 90 * 24 * 60 * 60 * 1000;

/** Ends credentials. While the database cannot store that, this process refuses them and retries. */
export class Revocations {
  readonly #database: Database;
  readonly #clock: () => Date;
  readonly #pending = new Map<string, () => Promise<unknown>>();
  #retrying: NodeJS.Timeout | null = null;

  constructor({ database, clock }: { database: Database; clock: () => Date }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Whether this process has yet to store that a session, by its id, or a token, by its hash, was ended. */
  isPending(key: string): boolean {
    return this.#pending.has(key);
  }

  /** Ends exactly the credential that was presented, and returns when. */
  async logOut({ credential }: { credential: Credential }): Promise<Date> {
    if (credential.kind === 'session') return this.endSession(credential.session);
    const { tokenHash, expiresAt } = credential;
    await this.#store(tokenHash, () => refuseToken(this.#database, tokenHash, expiresAt));
    return this.#clock();
  }

  async endSession({ id }: Pick<Session, 'id'>): Promise<Date> {
    const now = this.#clock();
    await this.#store(id, () => endSession(this.#database, { id }, now));
    return now;
  }

  /** Ends a credential of which the database cannot say at the moment whose it is. */
  endUnknown(token: string): void {
    if (this.#pending.size >= mostUnknown) return;
    const now = this.#clock();
    const expiresAt = new Date(now.getTime() + unknownForMs);
    // A signed token is known by what is signed.
    for (const named of new Set([token, token.slice(0, token.lastIndexOf('.'))])) {
      const tokenHash = hashToken(named);
      this.storeLater(tokenHash, () =>
        token.startsWith(sessionTokenPrefix)
          ? endSession(this.#database, { tokenHash }, now)
          : refuseToken(this.#database, tokenHash, expiresAt),
      );
    }
  }

  async stop(): Promise<void> {
    if (this.#retrying) clearTimeout(this.#retrying);
    if (this.#pending.size > 0) await this.#retry();
    if (this.#retrying) clearTimeout(this.#retrying);
  }

  async #store(key: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!asDatabaseFailure(error) || this.#pending.size >= mostPending) throw error;
      this.storeLater(key, write);
    }
  }

  /** Writes something as soon as the database can store it. */
  storeLater(key: string, write: () => Promise<unknown>): void {
    if (this.#pending.size < mostPending) this.#pending.set(key, write);
    this.#retrying ??= setTimeout(() => this.#retry(), retryMs).unref();
  }

  async #retry(): Promise<void> {
    for (const [key, write] of this.#pending)
      try {
        await write();
        this.#pending.delete(key);
      } catch (error) {
        if (asDatabaseFailure(error)) break;
        this.#pending.delete(key);
      }
    this.#retrying = this.#pending.size > 0 ? setTimeout(() => this.#retry(), retryMs).unref() : null;
  }
}
