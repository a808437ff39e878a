import type { HostPullRequest, HostRepository } from '../../code-hosts/code-host.ts';
import { saveArticles } from '../../db/articles.ts';
import type { Queries } from '../../db/database.ts';
import { findKnownNumbers, saveDiffs } from '../../db/diffs.ts';
import { saveOfflineArticles } from '../../db/drafts.ts';
import { endPlannedArticles, type PlannedArticle } from '../../db/imports.ts';
import { saveNewPullRequests } from '../../db/pull-requests.ts';
import { findLearnedRemoval, findRemoval } from '../../db/removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import { isStorable } from '../../db/sql.ts';
import { findUser } from '../../db/users.ts';
import type { WritingMetrics } from '../../metrics/metrics.ts';
import { isOfflineLanguage, type OfflineLanguage } from '../../writing/written-article.ts';
import type { ActingUser, Deps } from '../deps.ts';
import { readOf, textsOf } from '../pull-requests/collect-diff.ts';
import { ingestQuotaOf, takeQuota } from '../pull-requests/ingest-pull-request.ts';
import { hashOfTexts, type OfflineWritten } from './compose-article.ts';
import { payloadOf } from './thread-tasks.ts';
import { contentOf } from './write-article.ts';

export type TogetherDeps = Pick<
  Deps,
  'database' | 'codeHosts' | 'callerOn' | 'clock' | 'offlineWriter' | 'models'
> & {
  /** For reading and writing in one step. */
  runWriter: Deps['runInThread'];
  maxDiffBytes: number;
  ingestBytesPerDay: number;
  writingMetrics: WritingMetrics | null;
};

/** Larger diffs are read part by part, and not held in memory. */
const mostBytes = 1024 * 1024;

/** For a whole group: longer than slow disks take. */
const patienceMs = 15 * 60 * 1000;

/**
 * Reads pull requests of one import that are not stored, writes about them without a model, and stores each with its
 * article, all in one transaction. Returns the ids of the planned articles that are done. The rest is to be requested one by
 * one: what is stored already, what another request overtakes, and what fails, so that only one place says why.
 */
export async function writeTogether(
  deps: TogetherDeps,
  planned: PlannedArticle[],
  stopping: AbortSignal,
): Promise<Set<number>> {
  const group = await openGroup(deps, planned, stopping);
  if (!group) return new Set();
  const results: (Written | null)[] = [];
  const left = group.found.entries();
  const work = async (): Promise<void> => {
    for (const [place, one] of left) {
      if (stopping.aborted) return;
      results[place] = await readAndWrite(deps, group, one).catch(() => null);
    }
  };
  // One is read while the other is written.
  await Promise.all([work(), work()]);
  const written = results.filter((one) => one !== null && one !== undefined);
  if (written.length === 0) return new Set();
  const ended = await deps.database.transaction((tx) => store(deps, tx, group, written));
  for (const { planned: one, articles } of written) {
    if (!ended.has(one.id)) continue;
    deps.writingMetrics?.countArticle('offline', 'written');
    deps.writingMetrics?.countSentences('offline', articles[group.language].verification);
  }
  return ended;
}

interface Group {
  viewer: ActingUser;
  seen: HostRepository & { host: string };
  language: OfflineLanguage;
  offlineWriter: number;
  askedAt: Date;
  signal: AbortSignal;
  found: FoundPlanned[];
}

interface FoundPlanned {
  planned: PlannedArticle;
  read: () => Promise<HostPullRequest>;
}

/** Null where they cannot be written together. */
async function openGroup(
  deps: TogetherDeps,
  planned: PlannedArticle[],
  stopping: AbortSignal,
): Promise<Group | null> {
  const { database, clock } = deps;
  const [first] = planned;
  const codeHost = deps.codeHosts.find(({ id }) => id === first?.host);
  if (!first?.userId || !codeHost?.prefetch || deps.models || !isOfflineLanguage(first.languageCode))
    return null;
  const { owner, name, hostRepoId, repositoryId, languageCode: language } = first;
  const user = await findUser(database, first.userId);
  if (!user) return null;
  const askedAt = clock();
  const viewer: ActingUser = { ...user, credential: { kind: 'saved' } };
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(patienceMs)]);
  const caller = await deps.callerOn(codeHost, viewer, signal);
  const repository = await codeHost.findRepository(owner, name, caller);
  if (repository?.hostRepoId !== hostRepoId) return null;
  const seen = { host: codeHost.id, ...repository };
  const removal = await findLearnedRemoval(database, seen, askedAt);
  if (removal.isWhole) return null;
  const numbers = planned.map(({ prNumber }) => prNumber);
  const known = await findKnownNumbers(database, { repositoryId, numbers });
  const fresh = planned.filter(
    ({ prNumber, jobId }) => !jobId && !known.has(prNumber) && !removal.numbers.has(prNumber),
  );
  await codeHost.prefetch(
    repository,
    fresh.map(({ prNumber }) => prNumber),
  );
  // At once, so that the host looks for the repository once.
  const found = await Promise.all(
    fresh.map(async (one): Promise<FoundPlanned[]> => {
      const shown = await codeHost.findPullRequest(owner, name, one.prNumber, caller);
      const isSame = shown?.repository.hostRepoId === hostRepoId;
      return isSame && shown.pullRequest ? [{ planned: one, read: shown.pullRequest.read }] : [];
    }),
  );
  const offlineWriter = await deps.offlineWriter();
  return { viewer, seen, language, offlineWriter, askedAt, signal, found: found.flat() };
}

type Written = NonNullable<Awaited<ReturnType<typeof readAndWrite>>>;

/** Null where it is to be requested by itself. */
async function readAndWrite(
  deps: TogetherDeps,
  { seen, signal }: Group,
  { planned, read: readOnHost }: FoundPlanned,
) {
  const onHost = await readOnHost();
  if (!onHost.fileTexts || (onHost.state !== 'merged' && !planned.mayBeOpen)) return null;
  const maxBytes = Math.min(deps.maxDiffBytes, mostBytes);
  const diff = await takeDiff(onHost, maxBytes);
  const texts = textsOf(onHost);
  if (!diff || !isStorable(texts)) return null;
  const { host, owner, name: repo } = seen;
  const unknown = { changedFiles: 0, filesInDiff: 0, additions: 0, deletions: 0, unread: [], outlines: [] };
  const payload = payloadOf({ ...texts, ...unknown, host, owner, repo });
  const fileTexts = (wanted: Parameters<NonNullable<HostPullRequest['fileTexts']>>[0]) =>
    Array.fromAsync(onHost.fileTexts?.(wanted) ?? []);
  const { files, parts, outlines, articles } = await deps.runWriter(
    'readAndWrite',
    { payload, diff },
    { fileTexts },
    signal,
  );
  const read = { ...readOf(files, parts, maxBytes), outlines };
  return isStorable(read) ? { planned, texts, read, parts, articles } : null;
}

/** Null for one that is larger. */
async function takeDiff(onHost: HostPullRequest, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const work = { releaseSlotWhile: <Done>(task: () => Promise<Done>) => task(), atEnd: () => {} };
  for await (const chunk of onHost.diff(work)) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Ingests of one repository wait for its row: what is not stored once that is locked is stored by no other. */
async function store(deps: TogetherDeps, tx: Queries, group: Group, all: Written[]): Promise<Set<number>> {
  const { codeHosts, clock } = deps;
  const { viewer, seen, language: languageCode, offlineWriter, askedAt: fetchedAt } = group;
  const userId = viewer.user.id;
  const { id: repositoryId, isPrivate } = await saveSeenRepository(tx, { seen, userId, askedAt: fetchedAt });
  const removal = await findRemoval(tx, seen);
  const numbers = all.map(({ texts }) => texts.number);
  const known = await findKnownNumbers(tx, { repositoryId, numbers });
  const fresh = all.filter(
    ({ texts: { number } }) => !known.has(number) && !removal.isWhole && !removal.numbers.has(number),
  );
  if (fresh.length === 0 || isPrivate !== seen.isPrivate) return new Set();
  const now = clock();
  const end = { end: { state: 'done' }, concernsAll: false, now } as const;
  const ended = await endPlannedArticles(
    tx,
    fresh.map(({ planned }) => planned),
    end,
  );
  const held = fresh.filter(({ planned }) => ended.has(planned.id));
  if (held.length === 0) return ended;
  const quota = ingestQuotaOf(deps, viewer);
  for (const { texts, read, parts } of held)
    await takeQuota(tx, quota, { content: { ...texts, ...read }, parts, now: fetchedAt });
  const saved = await saveNewPullRequests(
    tx,
    held.map(({ texts, read }) => ({
      repositoryId,
      content: { ...texts, ...read },
      cutAtBytes: null,
      hostVersion: null,
      fetchedAt,
    })),
  );
  const stored = held.flatMap((one) => {
    const { pullRequestId, revision } = saved.get(one.texts.number) ?? {};
    return pullRequestId && revision ? { ...one, pullRequestId, revision } : [];
  });
  await saveDiffs(tx, stored, fetchedAt);
  await saveOfflineArticles(
    tx,
    stored.map(({ pullRequestId, revision, texts, articles }) => ({
      pullRequestId,
      revision,
      version: offlineWriter,
      written: { words: hashOfTexts(texts), articles } satisfies OfflineWritten,
    })),
  );
  await saveArticles(
    tx,
    stored.map(({ pullRequestId, texts, articles }) => ({
      pullRequestId,
      content: contentOf(articles[languageCode], {
        codeHosts,
        pullRequest: { ...texts, host: seen.host },
        languageCode,
        now,
      }),
      offlineWriter,
      nextTry: null,
    })),
    now,
  );
  return ended;
}
