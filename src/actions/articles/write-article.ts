import type { CodeHost } from '../../code-hosts/code-host.ts';
import { findArticleForJob, type PublishedContent, saveArticle, type WrittenFor } from '../../db/articles.ts';
import type { Queries } from '../../db/database.ts';
import { isCurrentDiff, noteUnreadableDiff } from '../../db/diffs.ts';
import { saveAiDraft } from '../../db/drafts.ts';
import { asJobError } from '../../db/failures.ts';
import {
  type ClaimedArticle,
  type ClaimedWriting,
  failJob,
  finishJob,
  putJobBack,
} from '../../db/job-queue.ts';
import { noteJobResult } from '../../db/jobs.ts';
import {
  findPullRequestToWriteAbout,
  type PullRequestToWriteAbout,
  type StoredPullRequest,
} from '../../db/pull-requests.ts';
import { returnToQuota } from '../../db/quotas.ts';
import { placeOfHunk } from '../../domain/articles.ts';
import { Failure } from '../../domain/errors.ts';
import { type JobProgress, jobKinds } from '../../domain/jobs.ts';
import { type DiffRange, isSameDiff } from '../../domain/pull-requests.ts';
import type { ArticleReview } from '../../domain/reviews.ts';
import { joinStatements } from '../../domain/text.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { Hunk, WrittenArticle, WrittenStatement } from '../../writing/articles.ts';
import { withoutRepeats } from '../../writing/draft.ts';
import { plainText } from '../../writing/plain-text.ts';
import { prepareAnswer } from '../questions/write-answer.ts';
import { leaveOutLost } from '../reviews/leave-out-lost.ts';
import {
  type Composed,
  composeArticle,
  NotWritten,
  type Publish,
  type WriterDeps,
} from './compose-article.ts';
import { refuseUnreadable } from './request-article.ts';
import type { ProgressHooks } from './thread-tasks.ts';

interface WritingHooks extends ProgressHooks {
  onLost: () => void;
  endProgress: () => Promise<JobProgress>;
}

/**
 * Does the work of a job and publishes the result, which ends the job. Publishes only while this worker holds the job.
 */
export async function writeForJob(
  deps: WriterDeps,
  job: ClaimedWriting,
  { endProgress, ...hooks }: WritingHooks,
): Promise<void> {
  const pullRequest = await findPullRequestToWriteAbout(deps.database, job.pullRequestId);
  if (!pullRequest) return hooks.onLost();
  if (!isSameRange(job, pullRequest)) return giveUpWriting({ ...deps, metrics: null }, job, diffMoved(job));
  await refuseUnreadable(deps, job);
  hooks.signal.throwIfAborted();
  const publish =
    job.work === 'article'
      ? await prepareArticle(deps, job, pullRequest, hooks)
      : await prepareAnswer(deps, job, pullRequest, hooks);
  hooks.signal.throwIfAborted();
  await publish(await endProgress());
}

async function prepareArticle(
  deps: WriterDeps,
  job: ClaimedArticle,
  pullRequest: PullRequestToWriteAbout,
  hooks: ProgressHooks,
): Promise<Publish> {
  const before = await findArticleForJob(deps.database, job);
  const composed = await composeArticle(deps, job, pullRequest, hooks);
  return (progress) => publishArticle(deps, job, { pullRequest, before, composed, progress });
}

const isSameRange = (one: DiffRange, other: DiffRange): boolean =>
  one.baseSha === other.baseSha && one.headSha === other.headSha;

/** Not logged as an error: pushes while a job waits are common. */
const diffMoved = ({ work }: ClaimedWriting): Failure =>
  new Failure(
    'UNAVAILABLE',
    work === 'answer'
      ? 'The pull request changed before the question was answered. Ask it again.'
      : 'The pull request changed before the article was written. Request it again.',
    { headers: { 'retry-after': '1' } },
  );

interface Publication {
  pullRequest: PullRequestToWriteAbout;
  before: WrittenFor | null;
  composed: Composed;
  progress: JobProgress;
}

async function publishArticle(
  { database, codeHosts, metrics, clock }: WriterDeps,
  job: ClaimedArticle,
  { pullRequest, before, composed, progress }: Publication,
): Promise<void> {
  const now = clock();
  const { words, offlineWriter, nextTry, kept } = composed;
  const { id: pullRequestId, diffRevision: revision } = pullRequest;
  const content = contentOf(words, { codeHosts, pullRequest, languageCode: job.languageCode, now });
  const isByModel = words.writer.kind === 'ai';
  const isPublished = await database.transaction(async (tx) => {
    if (!(await finishJob(tx, job, progress, now))) return false;
    const isCurrent = await isCurrentDiff(tx, { pullRequestId, revision });
    if (!isByModel) await returnToQuota(tx, job.id);
    const existing = await findArticleForJob(tx, job);
    // An article by a model stays until the diff changes, and is then replaced. An article about an outdated diff is
    // published too, unless one about a newer diff exists.
    const isOvertaken = existing && !isCurrent && !(before && isSameRange(existing, before));
    const isKept = existing?.writer.kind === 'ai' && !isByModel && isSameDiff(existing, pullRequest);
    const articleId =
      existing && (isOvertaken || isKept)
        ? existing.articleId
        : await saveArticle(tx, {
            pullRequestId,
            content,
            offlineWriter,
            nextTry,
            review: reviewIn(words),
            now,
          });
    await leaveOutLost(tx, pullRequestId);
    if (kept && isCurrent) {
      const { languageCode, ...draft } = kept;
      await saveAiDraft(tx, { pullRequestId, revision, languageCode, draft });
    }
    await noteJobResult(tx, job.id, { articleId });
    return true;
  });
  if (!isPublished) return;
  const writer = isByModel ? 'model' : 'offline';
  metrics?.countOutcome(jobKinds.article.counter, writer, 'written');
  metrics?.countSentences(writer, words.verification);
}

/** Puts a failed job back into the queue for any worker, unless it has failed too often. */
export async function failWriting(deps: WriterDeps, job: ClaimedWriting, error: unknown): Promise<void> {
  const { database, clock, log } = deps;
  const { mostFailures, logged } = jobKinds[job.work];
  if (error instanceof NotWritten) return giveUpWriting(deps, job, error.failure);
  if (error instanceof Failure && error.code === 'UNREADABLE') {
    log.warn({ jobId: job.id, reason: error.message }, 'a pull request cannot be read within the limits');
    const terms = deps.readerVersion;
    return giveUpWriting(deps, job, error, (tx) =>
      noteUnreadableDiff(tx, { ...job, terms }, { message: error.message, now: clock() }),
    );
  }
  log.error({ err: error, jobId: job.id, attempt: job.attempt }, logged);
  if (job.failures + 1 >= mostFailures) return giveUpWriting(deps, job, error);
  await putJobBack(database, job, { isFailure: true, now: clock() });
  countOutcome(deps, job, 'retried');
}

const countOutcome = (
  { metrics }: Pick<WriterDeps, 'metrics'>,
  { work, writer }: ClaimedWriting,
  outcome: 'retried' | 'failed',
): void => metrics?.countOutcome(jobKinds[work].counter, writer === 'ai' ? 'model' : 'offline', outcome);

async function giveUpWriting(
  { database, metrics, clock }: WriterDeps,
  job: ClaimedWriting,
  error: unknown,
  note: (tx: Queries) => Promise<void> = async () => {},
): Promise<void> {
  const isFailed = await database.transaction(async (tx) => {
    const now = clock();
    const isHeld = await failJob(tx, job, asJobError(error, jobKinds[job.work].failed, now), now);
    if (isHeld) await note(tx);
    return isHeld;
  });
  if (isFailed) countOutcome({ metrics }, job, 'failed');
}

interface PublishedAbout {
  codeHosts: Pick<CodeHost, 'id' | 'linesUrl'>[];
  pullRequest: Pick<StoredPullRequest, 'host' | 'hostUrl' | 'baseSha' | 'headSha'>;
  languageCode: string;
  now: Date;
}

export function contentOf(
  {
    title,
    standfirst,
    scope,
    background,
    mainChanges,
    notablePoints,
    beforeAfter,
    tests,
    also,
    chosen: _,
    ...same
  }: WrittenArticle,
  { codeHosts, pullRequest, languageCode, now }: PublishedAbout,
): PublishedContent {
  const { host, hostUrl, baseSha, headSha } = pullRequest;
  const codeHost = codeHosts.find(({ id }) => id === host);
  const link = ({ fileName, startLine, endLine, side, unchanged, lines: own }: Evidence) => {
    const lines = { fileName, startLine, endLine, side, ...(unchanged && { unchanged }) };
    const address = codeHost?.linesUrl(hostUrl, headSha, lines) ?? null;
    return { ...lines, hostUrl: address, ...(own && { lines: own }) };
  };
  const linkOne = ({ id, text, basis, certain, source, evidence }: WrittenStatement) => ({
    id,
    text,
    basis,
    ...(certain && { certain }),
    ...(source && { source }),
    evidence: evidence.map(link),
  });
  const evidenceOf = (statements: WrittenStatement[]) =>
    withoutRepeats(statements.flatMap(({ evidence }) => evidence)).map(link);
  const content = {
    languageCode,
    aiGeneratedTitle: title,
    standfirst: standfirst && linkOne(standfirst),
    scope: scope && { ...scope, statement: linkOne(scope.statement) },
    backgroundAndPurpose: joinStatements(background) || plainText(same.authorWords?.markdown ?? ''),
    background: background.map(linkOne),
    mainChanges: mainChanges.map(({ heading, fileName, changeTypes, statements, hunk }) => ({
      heading,
      fileName,
      changeTypes,
      statements: statements.map(linkOne),
      description: joinStatements(statements) || placeOfHunk(hunk ?? { fileName, heading: null }),
      evidence: statements.length > 0 ? evidenceOf(statements) : linesOfHunk(hunk).map(link),
      hunk,
    })),
    notablePoints: notablePoints.map(({ categories, label, severity, section = null, statements }) => ({
      categories,
      label,
      severity,
      section,
      statements: statements.map(linkOne),
      point: joinStatements(statements),
      evidence: evidenceOf(statements),
    })),
    beforeAfter: beforeAfter && { ...beforeAfter, statements: beforeAfter.statements.map(linkOne) },
    tests: tests && { ...tests, statements: tests.statements.map(linkOne) },
    also: also.map(({ statement, ...row }) => ({ ...row, statement: linkOne(statement) })),
    summaryGeneratedAt: now.toISOString(),
    baseSha,
    headSha,
    ...same,
  };
  return { ...content, readingMinutes: minutesToRead(content) };
}

function reviewIn({ background, mainChanges, chosen = [] }: WrittenArticle): ArticleReview | null {
  const statements = [...background, ...mainChanges.flatMap((change) => change.statements)];
  const cited = Object.fromEntries(
    statements.flatMap(({ id, comments }) => (comments ? [[id, comments] as const] : [])),
  );
  return Object.keys(cited).length + chosen.length > 0 ? { cited, chosen } : null;
}

/** Evidence for a hunk that no sentence cites: its new lines, or the old ones if it only removes lines. */
function linesOfHunk(hunk: Hunk | null): Evidence[] {
  if (!hunk) return [];
  const { fileName, lines } = hunk;
  const changed = lines.filter(({ kind }) => kind !== 'context');
  const side = changed.some(({ newLine }) => newLine !== null) ? 'new' : 'old';
  const numbers = changed.flatMap(({ oldLine, newLine }) => (side === 'new' ? newLine : oldLine) ?? []);
  const [startLine, endLine] = [numbers[0], numbers.at(-1)];
  return startLine === undefined || endLine === undefined ? [] : [{ fileName, side, startLine, endLine }];
}

/** Reading speed per minute: words in languages with spaces, characters in Japanese, lines of code. */
const wordsPerMinute = 220;
const japaneseCharactersPerMinute = 500;
const codeLinesPerMinute = 25;

const japaneseCharacter = /[\u3040-\u30ff\u3400-\u9fff]/gu;
const word = /[^\s\u3040-\u30ff\u3400-\u9fff]+/gu;

function minutesToRead(content: Omit<PublishedContent, 'readingMinutes'>): number {
  const { aiGeneratedTitle, standfirst, backgroundAndPurpose, mainChanges, notablePoints, also } = content;
  const texts = [
    aiGeneratedTitle,
    standfirst?.text ?? '',
    backgroundAndPurpose,
    ...mainChanges.map(({ description }) => description),
    ...notablePoints.filter(({ section }) => section === null).map(({ point }) => point),
    ...also.map(({ statement }) => statement.text),
  ].join(' ');
  const minutes =
    mainChanges.flatMap(({ hunk }) => hunk?.lines ?? []).length / codeLinesPerMinute +
    (texts.match(japaneseCharacter)?.length ?? 0) / japaneseCharactersPerMinute +
    (texts.match(word)?.length ?? 0) / wordsPerMinute;
  return Math.max(1, Math.ceil(minutes));
}
