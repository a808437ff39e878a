import type { BaseLogger } from 'pino';
import type { Deps } from '../actions/deps.ts';
import {
  planDigests,
  postNextMerge,
  type SendingDeps,
  sendNextDigest,
} from '../actions/digests/send-digests.ts';
import { planParagraphs } from '../actions/digests/write-paragraph.ts';
import {
  type PollDeps,
  pollAfterOutage,
  pollNextRepository,
} from '../actions/following/poll-repositories.ts';
import { renewOfflineArticles, writeAboutSamples } from '../actions/imports/planned-articles.ts';
import { sweepRankings } from '../actions/likes/likes.ts';
import { renewListedRepositories } from '../actions/repositories/renew-listed-repositories.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { deleteEndedCredentials } from '../db/accounts.ts';
import { deleteOldArticleCards } from '../db/article-pages.ts';
import type { Database } from '../db/database.ts';
import { deleteOldUnreadableDiffs, deleteReplacedDiffs } from '../db/diffs.ts';
import { deleteOldParagraphs } from '../db/digest-paragraphs.ts';
import { deleteOldDigests } from '../db/digests.ts';
import { isDatabaseAway, isStorageFull, isUnstorable } from '../db/failures.ts';
import { claimHousekeepingRound } from '../db/figures.ts';
import { deleteFinishedJobs } from '../db/jobs.ts';
import { deleteOldModelDrafts } from '../db/model-drafts.ts';
import { deleteOldModelUsage } from '../db/model-usage.ts';
import { deleteUnusedPullRequests } from '../db/pull-requests.ts';
import { deleteOldQuotaCounts } from '../db/quotas.ts';
import { deleteRemovedRepository } from '../db/removals.ts';
import { deleteWithdrawnGrants } from '../db/rights.ts';
import { deleteMisplacedIndexRows, indexDueArticles } from '../db/search-index.ts';
import { deleteOldDeliveries, deleteOldMerges } from '../db/webhooks.ts';
import type { MailClient, WebhookFormat } from '../domain/digests.ts';
import { retentionCutoff, type retentionMs } from '../domain/time.ts';
import { digestForWebhook, postForWebhook } from '../feeds/digest-entry.ts';
import { digestMail } from '../feeds/mails.ts';

type Logged<Deps> = Deps & { log: BaseLogger };

/** More often than hosts are polled, so that a machine that slept for days soon shows its local clones. */
const renewEveryMs = 20_000;

/** Confirms repositories before lists stop showing them. */
export const renewLists = (deps: Logged<Parameters<typeof renewListedRepositories>[0]>): IntervalWork =>
  runAtIntervals({
    round: () => renewListedRepositories(deps),
    everyMs: renewEveryMs,
    log: deps.log,
    failure: 'listed repositories could not be checked; retrying in 20 seconds',
  });

/** The contract allows sixty seconds, so two rounds may fail. */
const sweepEveryMs = 20_000;

export const keepRankings = (deps: Logged<Parameters<typeof sweepRankings>[0]>): IntervalWork =>
  runAtIntervals({
    round: () => sweepRankings(deps),
    everyMs: sweepEveryMs,
    log: deps.log,
    failure: 'the ranking could not be updated; retrying in 20 seconds',
  });

/** Rewrites articles of older offline writers, a few at a time, until none are left. */
export const renewArticles = (deps: Logged<Parameters<typeof renewOfflineArticles>[0]>): BackgroundWork =>
  repeatInBackground({
    round: async () => (await renewOfflineArticles(deps)) > 0,
    busyMs: 1_000,
    // A newer writer comes only with a restart, so later rounds have only failed or stopped articles.
    idleMs: 10 * 60_000,
    log: deps.log,
    failure: 'outdated articles could not be updated; retrying later',
  });

const indexedAtOnce = 10;

/** The interval for finding articles that were stored while their repository changed. */
const misplacedEveryMs = 10 * 60_000;

/** Indexes articles that are not indexed yet or whose repository has changed, newest first. */
export function indexArticlesPeriodically({ database, log }: Logged<{ database: Database }>): BackgroundWork {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return repeatInBackground({
    async round() {
      if (performance.now() - lookedAt > misplacedEveryMs) {
        lookedAt = performance.now();
        await deleteMisplacedIndexRows(database);
      }
      return (await indexDueArticles(database, indexedAtOnce)) > 0;
    },
    busyMs: 20,
    idleMs: 2_000,
    log,
    failure: 'articles could not be indexed; retrying later',
  });
}

/** Four at a time, so that a slow host or mail server delays few others. */
async function inParallel(work: () => Promise<void>): Promise<void> {
  const settled = await Promise.allSettled(Array.from({ length: 4 }, work));
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
}

/** Polls followed repositories for merges, soon after a user follows one. */
export function watchRepositories(deps: Logged<PollDeps>): IntervalWork {
  let isFirst = true;
  return runAtIntervals({
    async round(stopping) {
      if (isFirst) await pollAfterOutage(deps);
      isFirst = false;
      await inParallel(async () => {
        while (!stopping.aborted && (await pollNextRepository(deps, stopping)));
      });
    },
    everyMs: 5_000,
    log: deps.log,
    failure: 'polling for merges failed; retrying in a few minutes',
  });
}

interface DigestDeps extends Omit<SendingDeps, 'mail' | 'webhook'> {
  /** Without it no digests are sent, because their links would lead nowhere. */
  publicUrl: string | undefined;
  mail: MailClient | null;
  webhook:
    | (Pick<NonNullable<SendingDeps['webhook']>, 'client' | 'period' | 'posts' | 'language'> & {
        format: WebhookFormat;
      })
    | null;
}

function withComposers({ publicUrl, mail, webhook, ...deps }: DigestDeps): SendingDeps {
  if (publicUrl === undefined) return { ...deps, mail: null, webhook: null };
  const root = { publicUrl, firstHost: deps.codeHosts[0]?.id ?? '' };
  return {
    ...deps,
    mail: mail && { client: mail, publicUrl, compose: (digest, to) => digestMail(digest, to, root) },
    webhook: webhook && {
      ...webhook,
      compose: (digest) => digestForWebhook(digest, webhook.format, root),
      composePost: (article) => postForWebhook(article, webhook.format, root),
    },
  };
}

export function sendDigestsPeriodically(given: DigestDeps): IntervalWork {
  const deps = withComposers(given);
  const logUnplanned = createFailureLogger(
    deps.log,
    'planning paragraphs of digests failed; retrying in a minute',
  );
  return runAtIntervals({
    async round(stopping) {
      await planParagraphs(deps).catch(logUnplanned);
      await planDigests(deps);
      let hasPosted = true;
      while (hasPosted && !stopping.aborted) hasPosted = await postNextMerge(deps);
      let goesOn = true;
      await inParallel(async () => {
        while (goesOn && !stopping.aborted) goesOn = (await sendNextDigest(deps)) === true && goesOn;
      });
    },
    everyMs: 60_000,
    log: deps.log,
    failure: 'sending digests failed; retrying in a minute',
  });
}

type SampleDeps = Omit<Parameters<typeof writeAboutSamples>[0], 'codeHost'> & {
  /** The host of the samples; undefined if clones are shown instead. */
  codeHost: CodeHost | undefined;
};

export interface SampleWork extends BackgroundWork {
  /** Settles when no more is written. */
  begin: () => Promise<void>;
}

/** Writes about the samples in the background, once; the rest follows at the next start. */
export function fillWithSamples({ codeHost, log, ...deps }: Logged<SampleDeps>): SampleWork {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  return {
    async begin() {
      if (codeHost)
        running ??= writeAboutSamples({ ...deps, codeHost }, stopping.signal).catch((error: unknown) => {
          const text = 'some sample articles could not be written; retrying at the next start';
          if (!stopping.signal.aborted) log.warn({ err: error }, text);
        });
      await running;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Often enough that no round has much to do. */
const intervalMs = 5 * 60 * 1000;

/** A failed round is repeated sooner, because the health check fails until a round succeeds. */
const retryMs = 30_000;

/** Slightly less than the interval, so that the process of the last round is not too early for the next. */
const dueAfterMs = 0.9 * intervalMs;

/** The most batches of one kind of data that a round of housekeeping deletes, enough for 256 MiB of diffs. */
const mostBatches = 64;

export interface Housekeeping {
  isHealthy: () => boolean;
  /** Runs a round now, one at a time. In addition, one of all processes runs one every few minutes. */
  run: () => Promise<void>;
  stop: () => Promise<void>;
}

export function startHousekeeping({
  database,
  clock,
  log,
}: Pick<Deps, 'database' | 'clock' | 'log'>): Housekeeping {
  const before = (what: keyof typeof retentionMs) => retentionCutoff(what, clock());
  const logFailure = createFailureLogger(log, 'housekeeping failed; retrying in a moment');
  let healthy = true;
  const onFailure = (error: unknown): void => {
    // The health check queries the database itself, and notices at once when it is back or has space again.
    if (!isStorageFull(error) && !isDatabaseAway(error)) healthy = false;
    logFailure(error);
  };
  let running: Promise<void> | null = null;
  let isStopping = false;

  /** Other queries run between batches. The rest is left for the next round. */
  const inBatches = async (deleteSome: () => Promise<number>): Promise<void> => {
    for (let batch = 0; batch < mostBatches && !isStopping; batch += 1) {
      if ((await deleteSome()) === 0) return;
    }
  };

  const round = async (): Promise<void> => {
    try {
      await deleteEndedCredentials(database, clock());
      await deleteFinishedJobs(database, before('finishedJobs'));
      await inBatches(() => deleteUnusedPullRequests(database, before('unusedPullRequests')));
      await inBatches(() => deleteReplacedDiffs(database, before('replacedDiffs')));
      await inBatches(() => deleteOldArticleCards(database, before('cards')));
      await deleteOldUnreadableDiffs(database, before('unreadableDiffs'));
      await deleteOldDeliveries(database, before('webhookDeliveries'));
      await deleteWithdrawnGrants(database, before('withdrawnGrants'));
      await deleteOldQuotaCounts(database, clock());
      await deleteOldModelUsage(database, before('modelUsage'));
      await deleteOldModelDrafts(database, before('finishedJobs'));
      await deleteOldDigests(database, before('digests'));
      await deleteOldParagraphs(database, before('digests'));
      await deleteOldMerges(database, before('digests'));
      await inBatches(() => deleteRemovedRepository(database, clock()));
      healthy = true;
    } catch (error) {
      onFailure(error);
    }
  };

  const run = (): Promise<void> => {
    running ??= round().finally(() => {
      running = null;
    });
    return running;
  };

  const runIfDue = async (): Promise<void> => {
    try {
      if (!healthy || (await claimHousekeepingRound(database, dueAfterMs))) await run();
    } catch (error) {
      onFailure(error);
    }
    if (!isStopping) timer = setTimeout(runIfDue, healthy ? intervalMs : retryMs).unref();
  };
  let timer = setTimeout(runIfDue, intervalMs).unref();
  return {
    isHealthy: () => healthy,
    run,
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}

export interface BackgroundWork {
  begin: () => void;
  stop: () => Promise<void>;
}

export interface IntervalWork extends BackgroundWork {
  /** Does everything that is due, one round at a time: callers share a running one. */
  run: () => Promise<void>;
}

interface Rounds {
  round: (stopping: AbortSignal) => Promise<void>;
  everyMs: number;
  log: BaseLogger;
  failure: string;
}

/** Runs a round at once and then at each interval, unless one is still running, until it is stopped. */
function runAtIntervals({ round, everyMs, log, failure }: Rounds): IntervalWork {
  const logFailure = createFailureLogger(log, failure);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  const run = (): Promise<void> => {
    running ??= round(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) logFailure(error);
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  return {
    begin() {
      run();
      timer = setInterval(run, everyMs).unref();
    },
    run,
    async stop() {
      stopping.abort();
      if (timer) clearInterval(timer);
      await running;
    },
  };
}

interface RepeatedRounds extends Pick<Rounds, 'log' | 'failure'> {
  /** Does a part of the work, and returns whether there is more. */
  round: () => Promise<boolean>;
  busyMs: number;
  idleMs: number;
}

/** Runs rounds one after another, soon while there is work and rarely otherwise, until it is stopped. */
function repeatInBackground({ round, busyMs, idleMs, log, failure }: RepeatedRounds): BackgroundWork {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isStopped = false;
  const runOnce = async (): Promise<void> => {
    const isBusy = await round().catch((error: unknown) => {
      log.warn({ err: error }, failure);
      return false;
    });
    if (!isStopped) timer = setTimeout(run, isBusy ? busyMs : idleMs).unref();
  };
  const run = (): void => {
    running = runOnce();
  };
  return {
    begin: run,
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

/** The interval at which the log repeats that nothing can be stored. */
const unstorableRepeatMs = 10 * 60_000;

export function createFailureLogger(log: BaseLogger, text: string): (error: unknown) => void {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (!isUnstorable(error)) {
      log.error({ err: error }, text);
    } else if (performance.now() >= silentUntil) {
      silentUntil = performance.now() + unstorableRepeatMs;
      log.error(`${text}: ${isStorageFull(error) ? 'the disk is full' : 'the database is read-only'}`);
    }
  };
}
