import { createHash } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { mostSkippedListed } from '../contract/article.ts';
import { findOutline, saveOutline } from '../db/article-outlines.ts';
import type { Database } from '../db/database.ts';
import type { StoredPullRequest } from '../db/pull-requests.ts';
import type { JobProgress } from '../domain/writing-job.ts';
import type { GrammarLibrary } from '../grammars.ts';
import type { Facts, FileFacts } from '../reading/facts.ts';
import type { FileDiff } from '../reading/file-diff.ts';
import { parseDiff } from '../reading/parse-diff.ts';
import { readFactsInSteps } from '../reading/read-facts.ts';
import type { OfflineLanguage } from '../writing/languages.ts';
import { type OfflineArticles, writeOffline } from '../writing/offline/offline-article.ts';
import type { Coverage, WrittenArticle } from '../writing/written-article.ts';
import { readStoredDiff } from './read-stored-diff.ts';

export interface Watch {
  onProgress: (progress: JobProgress) => void;
  /** Aborted when the work is no longer wanted. */
  signal: AbortSignal;
}

interface Parts {
  database: Database;
  grammars: GrammarLibrary;
  /** The number of the offline writer. */
  offlineWriter: number;
}

/** Requests that arrive while a large pull request is read wait no longer than this for their turn. */
const turnMs = 15;

/**
 * Reads a stored pull request into facts and writes the article from them. It is written and checked once for each diff, in
 * all languages, so that two of them cannot disagree.
 */
export async function composeArticle(
  parts: Parts,
  pullRequest: StoredPullRequest,
  languageCode: OfflineLanguage,
  watch: Watch,
): Promise<WrittenArticle> {
  const { database, offlineWriter: version } = parts;
  const key = { pullRequestId: pullRequest.id, revision: pullRequest.diffRevision, version };
  const words = digestOf(pullRequest);
  const known = await findOutline<Written>(database, key);
  if (known?.words === words) return known.articles[languageCode];
  const articles = await write(parts, pullRequest, watch);
  watch.signal.throwIfAborted();
  await saveOutline(database, { ...key, outline: { words, articles } satisfies Written });
  return articles[languageCode];
}

/** What was written, and the words about the pull request that it was written from. */
interface Written {
  words: string;
  articles: OfflineArticles;
}

/** A description may change while the diff stays. */
function digestOf({ title, body, labels, commits, comments, linkedIssues }: StoredPullRequest): string {
  const words = JSON.stringify([title, body, labels, commits, comments, linkedIssues]);
  return createHash('sha256').update(words).digest('base64url');
}

async function write(parts: Parts, pullRequest: StoredPullRequest, watch: Watch): Promise<OfflineArticles> {
  const source = await readPullRequest(parts, pullRequest, watch);
  watch.onProgress({ step: 'writing', done: 0, total: 1 });
  await otherWork();
  watch.onProgress({ step: 'checking claims', done: 0, total: 1 });
  return writeOffline(source, source.diff, coverageOf(pullRequest, source.facts.files));
}

/** Everything that is known of a stored pull request and what its diff shows. */
export async function readPullRequest(
  { database, grammars }: Pick<Parts, 'database' | 'grammars'>,
  pullRequest: StoredPullRequest,
  { onProgress, signal }: Watch,
) {
  const total = pullRequest.files.length;
  onProgress({ step: 'reading', done: 0, total });
  const diff: FileDiff[] = [];
  for await (const part of readStoredDiff(database, pullRequest)) {
    diff.push(...parseDiff(part));
    signal.throwIfAborted();
  }
  const facts = await readFactsInTurns(grammars, pullRequest, diff, (done) => {
    onProgress({ step: 'reading', done, total });
    signal.throwIfAborted();
  });
  const { title, body, host, authorLogin, linkedIssues, commits, comments } = pullRequest;
  return {
    title,
    body,
    author: authorLogin,
    isClone: host === 'git',
    linkedIssues,
    commits,
    comments,
    facts,
    diff,
  };
}

async function readFactsInTurns(
  grammars: GrammarLibrary,
  { title, body, labels, commits, files }: StoredPullRequest,
  diff: FileDiff[],
  onFile: (done: number) => void,
): Promise<Facts> {
  const loaded = await grammars.loadFor(
    files.map(({ fileName, language }) => ({ path: fileName, language: language ?? null })),
  );
  const text = { title, body, labels, commitMessages: commits.map(({ message }) => message) };
  const steps = readFactsInSteps(text, diff, loaded);
  let turnEnds = performance.now() + turnMs;
  for (let done = 1; ; done++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < turnEnds) continue;
    onFile(done);
    await otherWork();
    turnEnds = performance.now() + turnMs;
  }
}

export function coverageOf(
  { files, unread, additions, deletions }: StoredPullRequest,
  read: FileFacts[],
): Coverage {
  const skipped = read.flatMap(({ path, skipped: reason }) =>
    reason === null ? [] : [{ fileName: path, reason }],
  );
  const whole = read.filter((file) => file.skipped === null);
  const all = [...skipped, ...unread];
  return {
    filesRead: whole.length,
    filesTotal: files.length,
    linesRead: whole.reduce((sum, file) => sum + file.additions + file.deletions, 0),
    linesTotal: additions + deletions,
    skipped: all.slice(0, mostSkippedListed),
    skippedTotal: all.length,
  };
}
