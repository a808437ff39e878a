import type { CodeHost } from '../../code-hosts/code-host.ts';
import { findWrittenFor, type PublishedContent, saveArticle, type WrittenFor } from '../../db/articles.ts';
import type { Queries } from '../../db/database.ts';
import { isCurrentDiff, noteUnreadable } from '../../db/diffs.ts';
import { saveAiDraft } from '../../db/drafts.ts';
import { asDatabaseFailure } from '../../db/failures.ts';
import {
  findPullRequestToWriteAbout,
  type PullRequestToWriteAbout,
  type StoredPullRequest,
} from '../../db/pull-requests.ts';
import { returnToQuota } from '../../db/quotas.ts';
import {
  failJob,
  finishJob,
  type JobError,
  noteArticle,
  putJobBack,
  type StartedJob,
  saveProgress,
} from '../../db/writing-jobs.ts';
import { placeOfHunk } from '../../domain/article.ts';
import { Failure } from '../../domain/errors.ts';
import { type DiffRange, isSameDiff, type JobProgress } from '../../domain/pull-requests.ts';
import { afterSentence } from '../../domain/text.ts';
import type { Evidence } from '../../reading/facts.ts';
import { withoutRepeats } from '../../writing/draft.ts';
import { plainText } from '../../writing/plain-text.ts';
import type { Hunk, WrittenArticle, WrittenStatement } from '../../writing/written-article.ts';
import type { Deps } from '../deps.ts';
import { prepareAnswer } from '../questions/write-answer.ts';
import {
  type Composed,
  composeArticle,
  NotWritten,
  type Publish,
  type WriterDeps,
} from './compose-article.ts';
import { refuseUnreadable } from './request-article.ts';
import type { ProgressHooks } from './thread-tasks.ts';

/** More would only repeat what has gone wrong this often. */
const mostFailures = 3;

interface Interruptions {
  dropped: AbortSignal;
  /** Aborted when the process is about to end, so that another worker takes the job. */
  stopping: AbortSignal;
}

/** Writes the article of a job and publishes it. The job changes with it, and only while this worker holds it. */
export async function writeArticle(
  deps: WriterDeps,
  job: StartedJob,
  { dropped, stopping }: Interruptions,
): Promise<void> {
  if (job.failures >= mostFailures) return giveUp(deps, job, null);
  const lost = new AbortController();
  const onLost = () => lost.abort();
  const signal = AbortSignal.any([dropped, stopping, lost.signal]);
  const progress = createProgressKeeper(deps, job, onLost);
  try {
    const pullRequest = await findPullRequestToWriteAbout(deps.database, job.pullRequestId);
    if (!pullRequest) return onLost();
    if (!isAbout(job, pullRequest)) return giveUp({ ...deps, metrics: null }, job, diffMoved(job));
    await refuseUnreadable(deps, job);
    signal.throwIfAborted();
    const hooks = { onProgress: progress.report, signal, onLost };
    const publication =
      job.question === null
        ? await prepareArticle(deps, job, pullRequest, hooks)
        : await prepareAnswer(deps, { ...job, question: job.question }, pullRequest, hooks);
    signal.throwIfAborted();
    await publication(await progress.end());
  } catch (error) {
    await progress.end();
    if (lost.signal.aborted || dropped.aborted) return;
    if (stopping.aborted) await putBack(deps, job, { countsAsFailure: false });
    else await recover(deps, job, error);
  }
}

async function prepareArticle(
  deps: WriterDeps,
  job: StartedJob,
  pullRequest: PullRequestToWriteAbout,
  hooks: ProgressHooks,
): Promise<Publish> {
  const before = await findWrittenFor(deps.database, job);
  const composed = await composeArticle(deps, job, pullRequest, hooks);
  return (progress) => publishArticle(deps, job, { pullRequest, before, composed, progress });
}

const isAbout = (one: DiffRange, other: DiffRange): boolean =>
  one.baseSha === other.baseSha && one.headSha === other.headSha;

/** Nothing to log or count: a push while a job waits is usual. */
const diffMoved = ({ question }: StartedJob): Failure =>
  new Failure(
    'UNAVAILABLE',
    question
      ? 'The pull request changed before the question was answered. Ask it again.'
      : 'The pull request changed before the article was written. Request it again.',
    { headers: { 'retry-after': '1' } },
  );

interface Publication {
  pullRequest: PullRequestToWriteAbout;
  /** What there was before this one was written. */
  before: WrittenFor | null;
  composed: Composed;
  progress: JobProgress;
}

async function publishArticle(
  { database, codeHosts, metrics, clock }: WriterDeps,
  job: StartedJob,
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
    const existing = await findWrittenFor(tx, job);
    // An article by a model stays while the diff does; for a newer diff it is replaced. One about an older diff, which a push has
    // overtaken, is of use, but does not replace one about a newer diff.
    const isOvertaken = existing && !isCurrent && !(before && isAbout(existing, before));
    const isKept = existing?.writer.kind === 'ai' && !isByModel && isSameDiff(existing, pullRequest);
    const articleId =
      existing && (isOvertaken || isKept)
        ? existing.articleId
        : await saveArticle(tx, { pullRequestId, content, offlineWriter, nextTry, now });
    if (kept && isCurrent) {
      const { languageCode, ...draft } = kept;
      await saveAiDraft(tx, { pullRequestId, revision, languageCode, draft });
    }
    await noteArticle(tx, job, articleId);
    return true;
  });
  if (!isPublished) return;
  const writer = isByModel ? 'model' : 'offline';
  metrics?.countArticle(writer, 'written');
  metrics?.countSentences(writer, words.verification);
}

/** Puts the job back to be tried again, here or elsewhere, unless it has failed too often. */
async function recover(deps: WriterDeps, job: StartedJob, error: unknown): Promise<void> {
  const { clock, log } = deps;
  if (error instanceof NotWritten) return giveUp(deps, job, error.failure);
  if (error instanceof Failure && error.code === 'UNREADABLE') {
    log.warn({ jobId: job.id, reason: error.message }, 'a pull request cannot be read within the limits');
    const terms = deps.readerVersion;
    return giveUp(deps, job, error, (tx) =>
      noteUnreadable(tx, { ...job, terms }, { message: error.message, now: clock() }),
    );
  }
  const what = job.question ? 'answering a question failed' : 'writing an article failed';
  log.error({ err: error, jobId: job.id, attempt: job.attempt }, what);
  if (job.failures + 1 >= mostFailures) return giveUp(deps, job, error);
  await putBack(deps, job, { countsAsFailure: true });
  count(deps, job, 'retried');
}

function count(
  { metrics }: Pick<WriterDeps, 'metrics'>,
  job: StartedJob,
  outcome: 'retried' | 'failed',
): void {
  const writer = job.writer === 'ai' ? 'model' : 'offline';
  if (job.question) metrics?.countAnswer(writer, outcome);
  else metrics?.countArticle(writer, outcome);
}

const putBack = ({ database, clock }: WriterDeps, job: StartedJob, how: { countsAsFailure: boolean }) =>
  putJobBack(database, job, { ...how, now: clock() });

async function giveUp(
  { database, metrics, clock }: WriterDeps,
  job: StartedJob,
  error: unknown,
  note: (tx: Queries) => Promise<void> = async () => {},
): Promise<void> {
  const isFailed = await database.transaction(async (tx) => {
    const now = clock();
    const isHeld = await failJob(tx, job, asJobError(error, now, job.question !== null), now);
    if (isHeld) await note(tx);
    return isHeld;
  });
  if (isFailed) count({ metrics }, job, 'failed');
}

export function asJobError(error: unknown, now: Date, isQuestion = false): JobError {
  const failure = error instanceof Failure ? error : asDatabaseFailure(error);
  if (!failure)
    return {
      code: 'INTERNAL',
      message: isQuestion
        ? 'The question could not be answered after several attempts. Ask it again. If that fails too, report the job id.'
        : 'The article could not be written after several attempts. Request it again. If that fails too, report the job id.',
    };
  const { code, message, details, headers } = failure;
  const seconds = Number(headers['retry-after'] ?? 0);
  const retryAt = new Date(now.getTime() + seconds * 1000).toISOString();
  return { code, message, ...(details && { details }), ...(seconds > 0 && { retryAt }) };
}

/** Often enough to look alive, rarely enough that storing progress costs next to nothing. */
const intervalMs = 250;

/** Stores progress at once when a step begins, otherwise now and then. Calls `onLost` when another worker has the job. */
function createProgressKeeper(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  job: StartedJob,
  onLost: () => void,
) {
  let last: JobProgress = { step: 'queued', done: 0, total: 0 };
  let waiting: JobProgress | null = null;
  let storedStep = '';
  // No person waits for a planned article: its steps are stored only if it takes long.
  let storedAt = job.isPlanned ? performance.now() : Number.NEGATIVE_INFINITY;
  let storing: Promise<void> | null = null;

  const store = async (progress: JobProgress): Promise<void> => {
    waiting = null;
    storedStep = progress.step;
    storedAt = performance.now();
    // A failure is no reason to stop: that the job is lost shows when it is published at the latest.
    if (!(await saveProgress(database, job, progress, clock()).catch(() => true))) onLost();
  };
  const storeIfDue = (): void => {
    if (!waiting || storing) return;
    const isSameStep = job.isPlanned || waiting.step === storedStep;
    if (isSameStep && performance.now() - storedAt < intervalMs) return;
    storing = store(waiting).finally(() => {
      storing = null;
      storeIfDue();
    });
  };
  return {
    report(progress: JobProgress): void {
      last = progress;
      waiting = progress;
      storeIfDue();
    },
    /** Nothing is stored any more once this has settled, with what was reported last. */
    async end(): Promise<JobProgress> {
      waiting = null;
      await storing;
      return last;
    },
  };
}

interface PublishedAbout {
  codeHosts: Pick<CodeHost, 'id' | 'linesUrl'>[];
  pullRequest: Pick<StoredPullRequest, 'host' | 'hostUrl' | 'baseSha' | 'headSha'>;
  languageCode: string;
  now: Date;
}

export function contentOf(
  { title, standfirst, scope, background, mainChanges, notablePoints, tests, also, ...same }: WrittenArticle,
  { codeHosts, pullRequest, languageCode, now }: PublishedAbout,
): PublishedContent {
  const { host, hostUrl, baseSha, headSha } = pullRequest;
  const codeHost = codeHosts.find(({ id }) => id === host);
  const link = ({ fileName, startLine, endLine, side, unchanged }: Evidence) => {
    const lines = { fileName, startLine, endLine, side };
    const address = codeHost?.linesUrl(hostUrl, headSha, lines) ?? null;
    return { ...lines, hostUrl: address, ...(unchanged && { unchanged }) };
  };
  const linkOne = ({ id, text, basis, source, evidence }: WrittenStatement) => ({
    id,
    text,
    basis,
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
    notablePoints: notablePoints.map(({ categories, label, severity, statements }) => ({
      categories,
      label,
      severity,
      statements: statements.map(linkOne),
      point: joinStatements(statements),
      evidence: evidenceOf(statements),
    })),
    tests: tests && { ...tests, statements: tests.statements.map(linkOne) },
    also: also.map(({ statement, ...row }) => ({ ...row, statement: linkOne(statement) })),
    summaryGeneratedAt: now.toISOString(),
    baseSha,
    headSha,
    ...same,
  };
  return { ...content, readingMinutes: minutesToRead(content) };
}

/** The lines of a hunk that no sentence cites: as they are now, or as they were where all of them go. */
function linesOfHunk(hunk: Hunk | null): Evidence[] {
  if (!hunk) return [];
  const { fileName, lines } = hunk;
  const changed = lines.filter(({ kind }) => kind !== 'context');
  const side = changed.some(({ newLine }) => newLine !== null) ? 'new' : 'old';
  const numbers = changed.flatMap(({ oldLine, newLine }) => (side === 'new' ? newLine : oldLine) ?? []);
  const [startLine, endLine] = [numbers[0], numbers.at(-1)];
  return startLine === undefined || endLine === undefined ? [] : [{ fileName, side, startLine, endLine }];
}

const joinStatements = (statements: WrittenStatement[]): string =>
  statements.reduce((text, one) => (text === '' ? one.text : `${text}${afterSentence(text)}${one.text}`), '');

/** What people read in a minute: words in languages with spaces, characters in Japanese, lines of code. */
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
    ...notablePoints.map(({ point }) => point),
    ...also.map(({ statement }) => statement.text),
  ].join(' ');
  const minutes =
    mainChanges.flatMap(({ hunk }) => hunk?.lines ?? []).length / codeLinesPerMinute +
    (texts.match(japaneseCharacter)?.length ?? 0) / japaneseCharactersPerMinute +
    (texts.match(word)?.length ?? 0) / wordsPerMinute;
  return Math.max(1, Math.ceil(minutes));
}
