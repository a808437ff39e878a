import type { Caller, CodeHost, HostRepository } from '../../code-hosts/code-host.ts';
import { asDatabaseFailure, isStorageFull } from '../../db/failures.ts';
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

/** A renewal takes a few calls of up to 8 seconds each; a slow host is not a silent one. */
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
    if (isStorageFull(error)) return false;
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
  /** What readers get, who share one wait: those who come after it do not wait at all. */
  forReaders?: Promise<RenewalOutcome>;
}

/**
 * Asks code hosts whether what is known about repositories still holds: with the viewer's own rights where they are
 * private, without a credential where they are public, or may be again. Those who want the same at the same time share one question.
 */
export class RepositoryRenewals implements Renewals {
  readonly #deps: RenewalDeps;
  readonly #underWay = new Map<string, Renewal>();
  /** Failed repositories by host, and until when (in ms) each is left alone. The circuit breaker judges whole hosts. */
  readonly #unanswered = new Map<string, Map<string, { until: number; times: number }>>();
  /** Since when, in milliseconds of the clock, there has been no response about public repositories that one was wanted for. */
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
    // A response that is being stored is waited for: it may be a refusal.
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

  /** Where a host goes by tokens, one token of a viewer may show what another does not. */
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
      // Lists are not to go on showing what their viewer's token no longer opens.
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
   * What is known holds for an hour without a response. That the host gives none is stored, because lists go by it. A limit says
   * nothing about the host, nor does slowness about a public repository: only those are kept from it who wanted to ask.
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

  /** The viewer where it is private and there is one; else a caller without a credential, whose rate limit readers leave some of. */
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
