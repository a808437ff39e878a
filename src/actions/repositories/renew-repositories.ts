import {
  type Caller,
  type CodeHost,
  type HostRepository,
  UselessAnswer,
} from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { asDatabaseFailure, isStorageFull } from '../../db/failures.ts';
import {
  findRepository,
  makePrivate,
  markUnreachable,
  type Repository,
  saveRepository,
  saveSeenRepository,
} from '../../db/repositories.ts';
import { markGrantUnreachable, suspendGrant, withdrawGrant } from '../../db/repository-grants.ts';
import { freshForMs, silenceMs } from '../../db/visibility.ts';
import { Failure } from '../../domain/errors.ts';
import { inTime } from '../../domain/in-time.ts';
import type { ActingUser, Viewer } from '../accounts/identify-bearer.ts';
import { anonymousCaller, type CallerOn } from './call-host.ts';
import { tokenRequired } from './find-on-host.ts';

/** Readers do not wait longer than this for a host that is only asked whether all is as it was. */
const patienceMs = 2_000;

/** A host that gives no answer is left alone for this long: requests meanwhile would only wait for nothing. */
const leftAloneMs = 30_000;

/** How often the time for which a single repository is left alone doubles. */
const mostDoublings = 3;

export const isFresh = ({ checkedAt }: Repository, now: Date): boolean =>
  now.getTime() - checkedAt.getTime() < freshForMs;

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  callerOn: CallerOn;
  clock: () => Date;
}

/**
 * What asking came to: a repository that everybody could see is private now; or there was no answer; or a limit kept it from
 * being asked for; or one of these two has been so for too long; or the host shows it, or no longer does, which there was no
 * room to store, so that it decides this answer and no other.
 */
export type Outcome =
  | 'turnedPrivate'
  | 'unanswered'
  | 'limited'
  | 'lapsed'
  | 'shownThisOnce'
  | 'hiddenThisOnce'
  | 'otherwise';

/** With whose rights a host is asked: of one who looks, of one in whose absence something is done, or of nobody. */
type Asking = Viewer | ActingUser | null;

/** Why there is no answer: the host gives none, or a limit kept it from being asked. */
type NoAnswer = 'unanswered' | 'limited';

/** False where there was no room. */
async function isStored(storing: Promise<unknown>): Promise<boolean> {
  try {
    await storing;
    return true;
  } catch (error) {
    if (isStorageFull(error)) return false;
    throw error;
  }
}

/**
 * Until when, in milliseconds of the clock, a host is left alone, and longer than that single repositories on it: one that
 * its host always chokes on must let others have their turn, and not speak for all of them.
 */
interface Backoff {
  until: number;
  repositories: Map<string, { until: number; times: number }>;
}

/**
 * Asks code hosts whether what is known about repositories still holds: with the viewer's own rights where they are
 * private, without a credential where they are public, or may be again. Those who want the same at the same time share one question.
 */
export class RepositoryRenewals {
  readonly #parts: Parts;
  readonly #underWay = new Map<string, Promise<Outcome>>();
  /** Hosts that have given no answer since their last one. */
  readonly #silent = new Map<string, Backoff>();
  /** Since when, in milliseconds of the clock, there has been no answer about public repositories that one was wanted for. */
  readonly #wantedSince = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Settles when what is known is as new as it can be had. A reader waits for it, unless `isRead` is false. */
  renew(stored: Repository, viewer: Asking, { isRead = true } = {}): Promise<Outcome> {
    const asker = stored.isPrivate ? viewer : null;
    const key = [stored.id, asker?.user?.id, this.#rightsOf(stored, asker)].join(' ');
    const known = this.#underWay.get(key);
    if (known) return known;
    const outcome = this.#renewOnce(stored, asker, isRead).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, outcome);
    return outcome;
  }

  /** Where a host goes by tokens, one token of a viewer may show what another does not. */
  #rightsOf({ host }: Repository, asker: Asking): string | undefined {
    const codeHost = this.#hostOf(host);
    const goesByTokens = codeHost !== undefined && !codeHost.isLocal;
    const credential = asker?.credential;
    return goesByTokens && credential?.kind === 'hostToken' ? credential.tokenHash : credential?.kind;
  }

  #hostOf(host: string): CodeHost | undefined {
    return this.#parts.codeHosts.find(({ id }) => id === host);
  }

  async #renewOnce(stored: Repository, asker: Asking, isRead: boolean): Promise<Outcome> {
    const { database, clock } = this.#parts;
    const askedAt = clock();
    const viewer = { userId: asker?.user?.id ?? null, now: askedAt, purpose: 'renewal' } as const;
    const isHidden = stored.isPrivate && asker === null;
    // Another request may have renewed it since this one read it.
    const now = isHidden ? stored : await findRepository(database, { repositoryId: stored.id, viewer });
    if (!now || isFresh(now, askedAt) || now.isPrivate !== stored.isPrivate) return 'otherwise';
    const check = { repositoryId: now.id, askedAt };
    const own = viewer.userId === null ? null : { ...check, userId: viewer.userId };
    const answer = await this.#ask(now, { asker, isRead, askedAt }).catch(async (error: unknown) => {
      // Lists are not to go on showing what their viewer's token no longer opens.
      if (own && error instanceof Failure && error.code === 'HOST_TOKEN_INVALID')
        await isStored(suspendGrant(database, own));
      throw error;
    });
    if (answer === 'unanswered' || answer === 'limited') {
      if (!own) return this.#doWithout(now, askedAt, answer);
      if (!now.unreachableSince) await isStored(markGrantUnreachable(database, own));
      return 'unanswered';
    }
    this.#wantedSince.delete(now.id);
    if (answer) {
      const seen = { ...answer, host: now.host };
      const storing = database.transaction((tx) =>
        own ? saveSeenRepository(tx, { seen, ...own }) : saveRepository(tx, seen, askedAt, { isRead }),
      );
      return (await isStored(storing)) ? 'otherwise' : 'shownThisOnce';
    }
    const storing = own ? withdrawGrant(database, own) : makePrivate(database, check);
    if (!(await isStored(storing))) return 'hiddenThisOnce';
    return own ? 'otherwise' : 'turnedPrivate';
  }

  /**
   * What is known of a public repository holds for an hour without an answer. That the host gives none is stored, because
   * lists go by it. A limit says nothing about the host, so that only those are kept from a repository who wanted to ask.
   */
  async #doWithout(stored: Repository, askedAt: Date, why: NoAnswer): Promise<Outcome> {
    const { id: repositoryId, checkedAt, unreachableSince } = stored;
    if (why === 'unanswered' && !unreachableSince)
      await isStored(markUnreachable(this.#parts.database, { repositoryId, askedAt }));
    const now = askedAt.getTime();
    const known = this.#wantedSince.get(repositoryId) ?? 0;
    // Another process may have had an answer meanwhile.
    const since = known > checkedAt.getTime() ? known : now;
    this.#wantedSince.set(repositoryId, since);
    if (now - since >= silenceMs) return 'lapsed';
    return why;
  }

  async #ask(
    stored: Repository,
    { asker, isRead, askedAt }: { asker: Asking; isRead: boolean; askedAt: Date },
  ): Promise<HostRepository | null | NoAnswer> {
    const codeHost = this.#hostOf(stored.host);
    if (!codeHost) return 'unanswered';
    const signal = AbortSignal.timeout(patienceMs);
    const ask = async (): Promise<HostRepository | null | NoAnswer> => {
      const caller = await this.#callerFor(stored, codeHost, { asker, isRead, signal });
      return this.#isLeftAlone(stored, askedAt) ? 'unanswered' : codeHost.findRepositoryById(stored, caller);
    };
    try {
      const answer = await inTime(ask(), patienceMs, () => {
        throw new Error('The host did not answer in time.');
      });
      if (answer === 'unanswered') return answer;
      this.#silent.delete(stored.host);
      return answer;
    } catch (error) {
      const code = error instanceof Failure ? error.code : null;
      if (code === 'HOST_TOKEN_INVALID' || code === 'HOST_TOKEN_REQUIRED') throw error;
      if (asDatabaseFailure(error)) throw error;
      // Who has asked too often is answered; it is no silence that others would meet, and an error is none either.
      if (code === 'HOST_RATE_LIMITED') return 'limited';
      this.#leaveAlone(stored, askedAt, signal.aborted || !(error instanceof UselessAnswer));
      return 'unanswered';
    }
  }

  /** The viewer where it is private and there is one; else a caller without a credential, whose rate limit readers leave some of. */
  async #callerFor(
    stored: Repository,
    codeHost: CodeHost,
    { asker, isRead, signal }: { asker: Asking; isRead: boolean; signal: AbortSignal },
  ): Promise<Caller> {
    if (!stored.isPrivate || !asker) return { ...anonymousCaller(signal), leavesSpare: isRead };
    const caller = await this.#parts.callerOn(codeHost, asker, signal);
    if (!codeHost.isLocal && caller.token === null) throw tokenRequired(codeHost);
    return caller;
  }

  #isLeftAlone({ host, id }: Repository, now: Date): boolean {
    const silence = this.#silent.get(host);
    if (!silence) return false;
    return Math.max(silence.until, silence.repositories.get(id)?.until ?? 0) > now.getTime();
  }

  /** Who answers one question with an error may answer others, about other repositories or with other tokens. */
  #leaveAlone({ host, id }: Repository, now: Date, isSilent: boolean): void {
    const { until, repositories } = this.#silent.get(host) ?? { until: 0, repositories: new Map() };
    const times = (repositories.get(id)?.times ?? 0) + 1;
    const doubled = leftAloneMs * 2 ** Math.min(times, mostDoublings);
    repositories.set(id, { times, until: now.getTime() + doubled });
    this.#silent.set(host, { until: isSilent ? now.getTime() + leftAloneMs : until, repositories });
  }
}
