import type { Statement } from '../../contract/article-parts.ts';
import type { PublishedContent } from '../../db/articles.ts';
import {
  hasParagraph,
  listDueParagraphs,
  listMergedArticles,
  type MergedArticle,
  mayModelRead,
  type ParagraphBody,
  type ParagraphKey,
  saveParagraph,
} from '../../db/digest-paragraphs.ts';
import { asJobError } from '../../db/failures.ts';
import {
  type ClaimedDigest,
  failJob,
  finishJob,
  insertJob,
  isForFollowers,
  putJobBack,
} from '../../db/job-queue.ts';
import { deleteJob } from '../../db/jobs.ts';
import { findPullRequestToWriteAbout, type PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { findReachedCeiling, returnToQuota, settleQuota, takeFromWatchBudget } from '../../db/quotas.ts';
import { digestPeriods, lastPeriod, settlesForMs } from '../../domain/digests.ts';
import { type JobProgress, jobKinds } from '../../domain/jobs.ts';
import { ModelFailure } from '../../writing/ai/model-question.ts';
import type { DigestChange } from '../../writing/ai/write-digest.ts';
import type { WriterDeps } from '../articles/compose-article.ts';
import { type ProgressHooks, payloadOf } from '../articles/thread-tasks.ts';
import type { Deps, ModelWriting } from '../deps.ts';
import { readStoredParts } from '../pull-requests/stored-diff.ts';
import { linkToEvidence } from '../questions/write-answer.ts';
import type { FoundParagraph } from './paragraph-in-thread.ts';

/** Plans the paragraphs of the periods that ended last, once for each repository and language, while the budget lasts. */
export async function planParagraphs({
  database,
  clock,
  currentModels,
  confirmedWithinMs,
}: Pick<Deps, 'database' | 'clock' | 'currentModels' | 'confirmedWithinMs'>): Promise<void> {
  const models = currentModels();
  const now = clock();
  if (!models || (await findReachedCeiling(database, models, now))) return;
  for (const period of digestPeriods) {
    const span = lastPeriod(period, new Date(now.getTime() - settlesForMs));
    const due = await listDueParagraphs(database, {
      period,
      span,
      mayReadPrivate: models.mayReadPrivate,
      now,
      confirmedWithinMs,
    });
    for (const one of due) await planOne({ database }, models, { ...one, period, periodEnd: span.to }, now);
  }
}

const planOne = (
  { database }: Pick<Deps, 'database'>,
  { watchedArticlesPerDay: articlesPerDay }: ModelWriting,
  key: ParagraphKey,
  now: Date,
): Promise<void> =>
  database.transaction(async (tx) => {
    const { repositoryId, period, periodEnd, languageCode } = key;
    const detail = { period, periodEnd: periodEnd.toISOString() };
    const subject = [repositoryId, period, detail.periodEnd, languageCode];
    const job = { work: 'digest', subject, repositoryId, languageCode, detail } as const;
    const jobId = await insertJob(tx, job, isForFollowers, now);
    if (!jobId) return;
    // Only while this process holds the subject is it certain that no worker has just written it.
    const isWanted =
      !(await hasParagraph(tx, key)) &&
      (await takeFromWatchBudget(tx, { jobId, repositoryId, articlesPerDay, now }));
    if (!isWanted) await deleteJob(tx, jobId);
  });

interface Hooks extends ProgressHooks {
  onLost: () => void;
  endProgress: () => Promise<JobProgress>;
}

/** The most changes that a paragraph is written from; it tells of one to three. */
const mostChanges = 6;

/** Lets a model write the first paragraph of a digest from the checked sentences of its articles, and stores it. */
export async function runParagraph(
  deps: WriterDeps & Pick<Deps, 'confirmedWithinMs'>,
  job: ClaimedDigest,
  hooks: Hooks,
): Promise<void> {
  const { database, clock, currentModels, codeHosts, confirmedWithinMs } = deps;
  const { repositoryId, languageCode, detail } = job;
  const models = currentModels();
  const key = keyOf(job);
  const span = lastPeriod(detail.period, key.periodEnd);
  const articles = await listMergedArticles(database, {
    repositoryId,
    languageCode,
    span,
    most: mostChanges,
  });
  const chosen: Chosen[] = [];
  for (const article of articles) {
    const pullRequest = await findPullRequestToWriteAbout(database, article.pullRequestId);
    const change = changeOf(article);
    if (pullRequest && change.statements.length > 0) chosen.push({ article, change, pullRequest });
  }
  const reader =
    models !== null &&
    (await mayModelRead(database, key, {
      mayReadPrivate: models.mayReadPrivate,
      now: clock(),
      confirmedWithinMs,
    }))
      ? models
      : null;
  const found: Written =
    reader && chosen.length > 0 ? await write(deps, reader, job, chosen, hooks) : nothing;
  hooks.signal.throwIfAborted();
  const progress = await hooks.endProgress();
  const link = linkToEvidence(
    codeHosts,
    chosen.map(({ pullRequest }) => pullRequest),
  );
  const body = { ...found, statements: found.statements.map(link) };
  const sources = chosen.map(({ article }) => {
    const { pullRequestId, prNumber, baseSha, headSha } = article;
    return { pullRequestId, prNumber, baseSha, headSha };
  });
  await database.transaction(async (tx) => {
    const now = clock();
    if (!(await finishJob(tx, job, progress, now))) return;
    if (!found.writer) await returnToQuota(tx, job.id);
    // Planned again once a follower may see the repository.
    if (reader) await saveParagraph(tx, key, { sources, body, now });
  });
}

const nothing: ParagraphBody = { title: null, statements: [] };

const keyOf = ({ repositoryId, languageCode, detail }: ClaimedDigest): ParagraphKey => ({
  ...{ repositoryId, languageCode },
  period: detail.period,
  periodEnd: new Date(detail.periodEnd),
});

interface Chosen {
  article: MergedArticle;
  change: DigestChange;
  pullRequest: PullRequestToWriteAbout;
}

/** The most sentences of one article: those at its beginning say what matters. */
const mostSentences = 8;

function changeOf({ prNumber, title, isBreaking, body }: MergedArticle): DigestChange {
  const onLines = statementsAboutLines(body).map(({ text, evidence }) => ({
    text,
    evidence: evidence.flatMap(({ fileName, side, startLine, endLine, unchanged }) =>
      unchanged ? [] : [{ fileName, side, startLine, endLine }],
    ),
  }));
  const statements = onLines.filter(({ evidence }) => evidence.length > 0).slice(0, mostSentences);
  return { number: prNumber, title, changeTypes: body.changeTypes, isBreaking, statements };
}

function statementsAboutLines(body: PublishedContent): Statement[] {
  const all = [
    ...(body.standfirst ? [body.standfirst] : []),
    ...body.notablePoints.flatMap(({ label, statements }) => (label === null ? [] : statements)),
    ...body.background,
    ...body.mainChanges.flatMap(({ statements }) => statements),
  ];
  return [...new Map(all.filter(({ basis }) => basis === 'diff').map((one) => [one.id, one])).values()];
}

type Written = FoundParagraph & Pick<ParagraphBody, 'writer' | 'usage'>;

async function write(
  { database, clock, runWriter, metrics }: WriterDeps,
  models: ModelWriting,
  job: ClaimedDigest,
  chosen: Chosen[],
  { onProgress, onLost, signal }: Hooks,
): Promise<Written> {
  // Loaded only with a model configured, because loading them blocks the event loop.
  const [{ questionsOf, questionsTo, writerLabel }, { roomBeside }] = await Promise.all([
    import('../articles/compose-with-model.ts'),
    import('../../writing/ai/model.ts'),
  ]);
  const { writer, judge, prompts } = models;
  const questions = questionsTo(models, { database, clock }, job, onLost);
  const { ask, askJudge } = await questionsOf(models, questions, { onProgress, signal }, () => {});
  const parts = chosen.map(({ pullRequest }) => readStoredParts(database, pullRequest));
  const found = await runWriter(
    'writeParagraph',
    {
      changes: chosen.map(({ change }) => change),
      pullRequests: chosen.map(({ pullRequest }) => ({
        number: pullRequest.number,
        payload: payloadOf(pullRequest),
      })),
      language: job.languageCode,
      project: `${job.owner}/${job.name}`,
      prompts,
      mostBytes: await roomBeside(prompts['write-digest'], writer),
      mostBytesToJudge: judge && (await roomBeside(prompts['judge-sentences'], judge)),
      seed: job.id,
    },
    {
      nextPart: async (place) => (await parts[place]?.next())?.value ?? null,
      onProgress: async (progress) => onProgress(progress),
      ask,
      askJudge,
      onControl: async (isFound) => metrics?.countControl(isFound),
    },
    signal,
  );
  if (found === 'unread') throw new ModelFailure('unread');
  return { ...found, writer: writerLabel(models), usage: questions.spent() };
}

const retryMs = 5 * 60 * 1000;

/** Tries again in a few minutes. In the end, an empty paragraph is stored, so that no model is asked again. */
export async function failParagraph(deps: WriterDeps, job: ClaimedDigest, error: unknown): Promise<void> {
  const { database, clock, log } = deps;
  const { mostFailures, logged, failed } = jobKinds.digest;
  const now = clock();
  log.warn({ err: error, jobId: job.id, attempt: job.attempt }, logged);
  if (error instanceof ModelFailure && error.hasReplied) await settleQuota(database, job.id);
  if (job.failures + 1 < mostFailures) {
    const until = new Date(now.getTime() + retryMs);
    await putJobBack(database, job, { isFailure: true, until, now });
    return;
  }
  await database.transaction(async (tx) => {
    if (await failJob(tx, job, asJobError(error, failed, now), now))
      await saveParagraph(tx, keyOf(job), { sources: [], body: nothing, now });
  });
}
