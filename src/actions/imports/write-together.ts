import type { HostPullRequest, HostRepository } from '../../code-hosts/code-host.ts';
import { findUser } from '../../db/accounts.ts';
import { saveArticles } from '../../db/articles.ts';
import type { Queries } from '../../db/database.ts';
import { findStoredNumbers, saveDiffs } from '../../db/diffs.ts';
import { saveOfflineArticles } from '../../db/drafts.ts';
import { endPlannedArticles } from '../../db/imports.ts';
import type { PlannedArticle } from '../../db/job-queue.ts';
import { type HostTexts, saveNewPullRequests } from '../../db/pull-requests.ts';
import { findLearnedRemoval, findRemoval } from '../../db/removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import { isStorable } from '../../db/sql.ts';
import type { WritingMetrics } from '../../metrics/metrics.ts';
import { isOfflineLanguage, type OfflineLanguage } from '../../writing/articles.ts';
import { hashOfTexts } from '../articles/compose-article.ts';
import { payloadOf } from '../articles/thread-tasks.ts';
import { contentOf } from '../articles/write-article.ts';
import type { ActingUser, Deps } from '../deps.ts';
import { readOf, textsOf } from '../pull-requests/collect-diff.ts';
import { ingestQuotaOf, takesQuota } from '../pull-requests/ingest-pull-request.ts';

export type TogetherDeps = Pick<
  Deps,
  'database' | 'codeHosts' | 'callerOn' | 'clock' | 'offlineWriter' | 'currentModels' | 'runWriter'
> & {
  maxDiffBytes: number;
  ingestBytesPerDay: number;
  metrics: WritingMetrics | null;
};

/** The diffs that are held together; larger ones are read in parts, to limit memory. */
const mostBytes = 1024 * 1024;

/** The time for a whole group of articles, enough on a slow disk. */
const patienceMs = 15 * 60 * 1000;

/**
 * Reads pull requests of one import that are not stored, writes about them without a model, and stores them with their
 * articles in one transaction. Returns the ids of the finished planned articles. The others are requested one by one,
 * which also reports why they fail.
 */
export async function writeTogether(
  deps: TogetherDeps,
  planned: PlannedArticle[],
  stopping: AbortSignal,
): Promise<Set<string>> {
  const group = await readGroup(deps, planned, stopping);
  if (!group) return new Set();
  const written = await writeGroup(deps, group);
  if (written.length === 0) return new Set();
  const ended = await deps.database.transaction((tx) => storeGroup(deps, tx, group, written));
  for (const { planned: one, article } of written) {
    if (!ended.has(one.id)) continue;
    deps.metrics?.countOutcome('articles_total', 'offline', 'written');
    deps.metrics?.countSentences('offline', article.verification);
  }
  return ended;
}

interface Group {
  viewer: ActingUser;
  seen: HostRepository & { host: string };
  language: OfflineLanguage;
  askedAt: Date;
  signal: AbortSignal;
  maxBytes: number;
  read: ReadPlanned[];
}

interface ReadPlanned {
  planned: PlannedArticle;
  texts: HostTexts;
  diff: Buffer;
  fileTexts: NonNullable<HostPullRequest['fileTexts']>;
}

async function readGroup(
  deps: TogetherDeps,
  planned: PlannedArticle[],
  stopping: AbortSignal,
): Promise<Group | null> {
  const { database, clock } = deps;
  const [first] = planned;
  const codeHost = deps.codeHosts.find(({ id }) => id === first?.host);
  if (
    !first?.userId ||
    !codeHost?.readTogether ||
    deps.currentModels() ||
    !isOfflineLanguage(first.languageCode)
  )
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
  const known = await findStoredNumbers(database, {
    repositoryId,
    numbers: planned.map(({ prNumber }) => prNumber),
  });
  const fresh = new Map(
    planned
      .filter(({ prNumber, waitsFor }) => !waitsFor && !known.has(prNumber) && !removal.numbers.has(prNumber))
      .map((one) => [one.prNumber, one]),
  );
  const maxBytes = Math.min(deps.maxDiffBytes, mostBytes);
  const wanted = { numbers: [...fresh.keys()], maxDiffBytes: maxBytes };
  const found = await codeHost.readTogether(repository, wanted, caller);
  const read = found.flatMap(({ onHost, diff }): ReadPlanned[] => {
    const one = fresh.get(onHost.number);
    const texts = textsOf(onHost);
    const { fileTexts } = onHost;
    return one && fileTexts && isStorable(texts) ? [{ planned: one, texts, diff, fileTexts }] : [];
  });
  return { viewer, seen, language, askedAt, signal, maxBytes, read };
}

type Written = Awaited<ReturnType<typeof writeGroup>>[number];

async function writeGroup(
  { runWriter }: TogetherDeps,
  { seen, language, signal, maxBytes, read: all }: Group,
) {
  const { host, owner, name: repo } = seen;
  const unknown = { changedFiles: 0, filesInDiff: 0, additions: 0, deletions: 0, unread: [], outlines: [] };
  const results = await runWriter(
    'readAndWrite',
    {
      language,
      all: all.map(({ texts, diff }) => ({
        payload: payloadOf({ ...texts, ...unknown, host, owner, repo }),
        diff,
        words: hashOfTexts(texts),
      })),
    },
    { fileTexts: (place, wanted) => Array.fromAsync(all[place]?.fileTexts(wanted) ?? []) },
    signal,
  );
  return all.flatMap(({ planned, texts }, place) => {
    const result = results[place];
    if (!result) return [];
    const { files, outlines, ...written } = result;
    const read = { ...readOf(files, written.parts, maxBytes), outlines };
    return isStorable(read) ? { planned, texts, read, ...written } : [];
  });
}

/**
 * Ingests of one repository lock its row, so what is not stored while this one holds the lock is stored by no other.
 */
async function storeGroup(
  deps: TogetherDeps,
  tx: Queries,
  group: Group,
  all: Written[],
): Promise<Set<string>> {
  const { codeHosts, clock, offlineWriter } = deps;
  const { viewer, seen, language: languageCode, askedAt: fetchedAt } = group;
  const userId = viewer.user.id;
  const { id: repositoryId, isPrivate } = await saveSeenRepository(tx, { seen, userId, askedAt: fetchedAt });
  const removal = await findRemoval(tx, seen);
  const numbers = all.map(({ texts }) => texts.number);
  const known = await findStoredNumbers(tx, { repositoryId, numbers });
  const fresh = all.filter(
    ({ texts: { number } }) => !known.has(number) && !removal.isWhole && !removal.numbers.has(number),
  );
  if (fresh.length === 0 || isPrivate !== seen.isPrivate) return new Set();
  const now = clock();
  const end = { end: { state: 'done' }, concernsAll: false, now } as const;
  const affordable = await takeQuotas(tx, ingestQuotaOf(deps, viewer), fresh, fetchedAt);
  const ended = await endPlannedArticles(
    tx,
    affordable.map(({ planned }) => planned),
    end,
  );
  const held = affordable.filter(({ planned }) => ended.has(planned.id));
  if (held.length === 0) return ended;
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
    stored.map(({ pullRequestId, revision, offline: written }) => ({
      pullRequestId,
      revision,
      version: offlineWriter,
      written,
    })),
  );
  await saveArticles(
    tx,
    stored.map(({ pullRequestId, texts, article }) => ({
      pullRequestId,
      content: contentOf(article, {
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

async function takeQuotas(
  tx: Queries,
  quota: ReturnType<typeof ingestQuotaOf>,
  all: Written[],
  now: Date,
): Promise<Written[]> {
  const affordable: Written[] = [];
  for (const one of all) {
    const content = { ...one.texts, ...one.read };
    if (!(await takesQuota(tx, quota, { content, parts: one.parts, now }))) break;
    affordable.push(one);
  }
  return affordable;
}
