import type { Caller, CodeHost, HostRepository } from '../../code-hosts/code-host.ts';
import { asDatabaseFailure, isUnstorable } from '../../db/failures.ts';
import {
  findRepository,
  makeRepositoryPrivate,
  markRepositoryUnreachable,
  saveRepository,
  saveSeenRepository,
} from '../../db/repositories.ts';
import { markGrantUnreachable, suspendGrant, withdrawGrant } from '../../db/rights.ts';
import { type Repository, toleratedSilenceMs } from '../../db/visibility.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import type { ActingUser, Deps, RenewalOutcome, Renewals, Viewer } from '../deps.ts';
import { anonymousCaller, isFresh, tokenRequired } from './find-repository.ts';

const patienceMs = 2_000;

/** A renewal takes a few calls of up to 8 seconds each, so slow hosts do not count as silent. */
const mostMs = 20_000;

const leftAloneMs = 60_000;
const mostDoublings = 2;

type RenewalDeps = Pick<Deps, 'database' | 'codeHosts' | 'clock' | 'callerOn'>;

type Asking = Viewer | ActingUser | null;

type NoResponse = 'unanswered' | 'limited';

async function isStored(storing: Promise<unknown>): Promise<boolean> {
  try {
    await storing;
    return true;
  } catch (error) {
    if (isUnstorable(error)) return false;
    throw error;
  }
}

interface Question {
  asker: Asking;
  isRead: boolean;
  askedAt: Date;
}

interface Renewal {
  askedAt: Date;
  isAnswered: boolean;
  outcome: Promise<RenewalOutcome>;
  /** The outcome that waiting readers share; later readers do not wait at all. */
  forReaders?: Promise<RenewalOutcome>;
}

/**
 * Checks with code hosts whether stored repositories are still visible: with the viewer's rights if private, and
 * without a credential if they are or may be public. Concurrent checks of the same kind share one call.
 */
export class RepositoryRenewals implements Renewals {
  readonly #deps: RenewalDeps;
  readonly #underWay = new Map<string, Renewal>();
  /**
   * For each host, the repositories that failed, and until when (in ms) each is left alone. The circuit breaker covers
   * whole hosts.
   */
  readonly #unanswered = new Map<string, Map<string, { until: number; times: number }>>();
  /** For each public repository, since when (in ms) a response has been wanted without arriving. */
  readonly #wantedSince = new Map<string, number>();

  constructor(deps: RenewalDeps) {
    this.#deps = deps;
  }

  renew(stored: Repository, viewer: Asking, { isRead = true } = {}): Promise<RenewalOutcome> {
    return this.#begin(stored, stored.isPrivate ? viewer : null, isRead).outcome;
  }

  renewForReader(stored: Repository, viewer: Viewer | null): Promise<RenewalOutcome> {
    const asker = stored.isPrivate ? viewer : null;
    const renewal = this.#begin(stored, asker, true);
    // If the response has arrived and is being stored, readers wait for it, because it may be a refusal.
    renewal.forReaders ??= inTime(renewal.outcome, patienceMs, () =>
      renewal.isAnswered
        ? renewal.outcome
        : this.#onNoResponse(stored, { asker, askedAt: renewal.askedAt, why: 'late' }),
    );
    return renewal.forReaders;
  }

  #begin(stored: Repository, asker: Asking, isRead: boolean): Renewal {
    const key = [stored.id, asker?.user?.id, this.#rightsOf(stored, asker)].join(' ');
    const known = this.#underWay.get(key);
    if (known) return known;
    const askedAt = this.#deps.clock();
    const onResponse = () => {
      renewal.isAnswered = true;
    };
    const outcome = this.#renewOnce(stored, { asker, isRead, askedAt, onResponse }).finally(() =>
      this.#underWay.delete(key),
    );
    const renewal: Renewal = { askedAt, isAnswered: false, outcome };
    this.#underWay.set(key, renewal);
    return renewal;
  }

  /** On a host with tokens, one token of a viewer may show what another does not. */
  #rightsOf({ host }: Repository, asker: Asking): string | undefined {
    const codeHost = this.#hostOf(host);
    const goesByTokens = codeHost !== undefined && !codeHost.isLocal;
    const credential = asker?.credential;
    return goesByTokens && credential?.kind === 'hostToken' ? credential.tokenHash : credential?.kind;
  }

  #hostOf(host: string): CodeHost | undefined {
    return this.#deps.codeHosts.find(({ id }) => id === host);
  }

  async #renewOnce(
    stored: Repository,
    { asker, isRead, askedAt, onResponse }: Question & { onResponse: () => void },
  ): Promise<RenewalOutcome> {
    const { database } = this.#deps;
    const viewer = { userId: asker?.user?.id ?? null, now: askedAt, purpose: 'beforeAskingHost' } as const;
    const isHidden = stored.isPrivate && asker === null;
    const now = isHidden ? stored : await findRepository(database, { repositoryId: stored.id, viewer });
    if (!now || isFresh(now, askedAt) || now.isPrivate !== stored.isPrivate) return 'otherwise';
    const check = { repositoryId: now.id, askedAt };
    const own = viewer.userId === null ? null : { ...check, userId: viewer.userId };
    const asking = this.#ask(now, { asker, isRead, askedAt }).finally(onResponse);
    const response = await asking.catch(async (error: unknown) => {
      // If the token no longer works, lists stop showing what it opened.
      if (own && error instanceof Failure && error.code === 'HOST_TOKEN_INVALID')
        await isStored(suspendGrant(database, own));
      throw error;
    });
    if (response === 'unanswered' || response === 'limited')
      return this.#onNoResponse(now, { asker, askedAt, why: response });
    this.#wantedSince.delete(now.id);
    if (response) {
      const seen = { ...response, host: now.host };
      const storing = database.transaction((tx) =>
        own ? saveSeenRepository(tx, { seen, ...own }) : saveRepository(tx, seen, askedAt, { isRead }),
      );
      return (await isStored(storing)) ? 'otherwise' : 'visibleNotPersisted';
    }
    const storing = own ? withdrawGrant(database, own) : makeRepositoryPrivate(database, check);
    if (!(await isStored(storing))) return 'hiddenNotPersisted';
    return own ? 'otherwise' : 'turnedPrivate';
  }

  /**
   * Without a response, stored data counts for an hour. Silence of a host is stored, because lists depend on it. A rate
   * limit says nothing about the host, nor does slowness about a public repository: then only the waiting viewer is
   * refused.
   */
  async #onNoResponse(
    { id: repositoryId, checkedAt, unreachableSince }: Repository,
    { asker, askedAt, why }: { asker: Asking; askedAt: Date; why: NoResponse | 'late' },
  ): Promise<RenewalOutcome> {
    const { database } = this.#deps;
    const userId = asker?.user?.id;
    if (userId !== undefined) {
      if (!unreachableSince)
        await isStored(markGrantUnreachable(database, { repositoryId, userId, askedAt }));
      return 'unanswered';
    }
    if (why === 'unanswered' && !unreachableSince)
      await isStored(markRepositoryUnreachable(database, { repositoryId, askedAt }));
    const now = askedAt.getTime();
    const known = this.#wantedSince.get(repositoryId) ?? 0;
    const since = known > checkedAt.getTime() ? known : now;
    this.#wantedSince.set(repositoryId, since);
    return now - since >= toleratedSilenceMs ? 'lapsed' : why;
  }

  async #ask(
    stored: Repository,
    { asker, isRead, askedAt }: Question,
  ): Promise<HostRepository | null | NoResponse> {
    const codeHost = this.#hostOf(stored.host);
    if (!codeHost) return 'unanswered';
    const signal = AbortSignal.timeout(mostMs);
    const ask = async (): Promise<HostRepository | null | NoResponse> => {
      const caller = await this.#callerFor(stored, codeHost, { asker, isRead, signal });
      return this.#isLeftAlone(stored, askedAt) ? 'unanswered' : codeHost.findRepositoryById(stored, caller);
    };
    try {
      const response = await inTime(ask(), mostMs, () => {
        throw new Error('The host did not answer in time.');
      });
      if (response === 'unanswered') return response;
      this.#unanswered.delete(stored.host);
      return response;
    } catch (error) {
      const code = error instanceof Failure ? error.code : null;
      if (code === 'HOST_TOKEN_INVALID' || code === 'HOST_TOKEN_REQUIRED') throw error;
      if (asDatabaseFailure(error)) throw error;
      if (code === 'HOST_RATE_LIMITED') return 'limited';
      this.#leaveAlone(stored, askedAt);
      return 'unanswered';
    }
  }

  /** The viewer if the repository is private; otherwise an anonymous caller, whose rate limit readers do not use up. */
  async #callerFor(
    stored: Repository,
    codeHost: CodeHost,
    { asker, isRead, signal }: { asker: Asking; isRead: boolean; signal: AbortSignal },
  ): Promise<Caller> {
    if (!stored.isPrivate || !asker) return { ...anonymousCaller(signal), respectsBackgroundQuota: isRead };
    const caller = await this.#deps.callerOn(codeHost, asker, signal);
    if (!codeHost.isLocal && caller.token === null) throw tokenRequired(codeHost);
    return caller;
  }

  #isLeftAlone({ host, id }: Repository, now: Date): boolean {
    return (this.#unanswered.get(host)?.get(id)?.until ?? 0) > now.getTime();
  }

  #leaveAlone({ host, id }: Repository, now: Date): void {
    const unanswered = this.#unanswered.get(host) ?? new Map();
    const times = unanswered.get(id)?.times ?? 0;
    const until = now.getTime() + leftAloneMs * 2 ** Math.min(times, mostDoublings);
    this.#unanswered.set(host, unanswered.set(id, { until, times: times + 1 }));
  }
}
