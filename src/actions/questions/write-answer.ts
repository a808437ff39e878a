import type { Queries } from '../../db/database.ts';
import { type ClaimedAnswer, finishJob } from '../../db/job-queue.ts';
import { findJobRequester, noteJobResult } from '../../db/jobs.ts';
import { findPullRequestToWriteAbout, type PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { type AnswerBody, saveAnswer } from '../../db/questions.ts';
import { returnToQuota, settleQuota } from '../../db/quotas.ts';
import { lockPullRequests } from '../../db/reviews.ts';
import { Failure } from '../../domain/errors.ts';
import { jobKinds } from '../../domain/jobs.ts';
import { ModelFailure } from '../../writing/ai/model-question.ts';
import { isOfflineLanguage, type WriterLabel } from '../../writing/articles.ts';
import {
  explainModelFailure,
  NotWritten,
  type Publish,
  type WriterDeps,
  writtenOfflineOnly,
} from '../articles/compose-article.ts';
import { openTreeSource } from '../articles/open-tree.ts';
import { type ProgressHooks, payloadOf } from '../articles/thread-tasks.ts';
import { withoutTree } from '../articles/tree-source.ts';
import { readStoredParts } from '../pull-requests/stored-diff.ts';
import { leaveOutLost } from '../reviews/leave-out-lost.ts';
import type { FoundStatement, LabelledAnswer, QuestionSource, QuestionTask } from './answer-question.ts';

interface WrittenAnswer extends LabelledAnswer {
  questionKey: string;
}

export async function prepareAnswer(
  deps: WriterDeps,
  job: ClaimedAnswer,
  main: PullRequestToWriteAbout,
  hooks: ProgressHooks,
): Promise<Publish> {
  const pullRequests = [main, ...(await findOthers(deps, job))];
  const answer = await answerJobQuestion(deps, job, pullRequests, hooks);
  return (progress) => publishAnswer(deps, job, { pullRequests, answer }, progress);
}

async function findOthers(
  { database }: WriterDeps,
  { detail: question }: ClaimedAnswer,
): Promise<PullRequestToWriteAbout[]> {
  const others: PullRequestToWriteAbout[] = [];
  for (const id of question.pullRequestIds.slice(1)) {
    const found = await findPullRequestToWriteAbout(database, id);
    if (found) others.push(found);
  }
  return others;
}

async function answerJobQuestion(
  deps: WriterDeps,
  job: ClaimedAnswer,
  pullRequests: PullRequestToWriteAbout[],
  hooks: ProgressHooks,
): Promise<WrittenAnswer> {
  const { runWriter, database, clock, metrics, log } = deps;
  const { languageCode: language, detail: question, writer } = job;
  const [main] = pullRequests;
  const models =
    writer === 'recorded' && main
      ? await deps.recordings.modelsFor({ ...main, languageCode: language }, question.text)
      : deps.currentModels();
  const search = async (label: Omit<WriterLabel, 'kind'> = {}): Promise<WrittenAnswer> => {
    if (!isOfflineLanguage(language)) throw new NotWritten(writtenOfflineOnly(true));
    const { task, source } = questionOf(deps, job, pullRequests, hooks);
    const found = await runWriter('searchForAnswer', { ...task, language }, source, hooks.signal);
    return { ...found, writer: { kind: 'offline', ...label }, questionKey: question.standInKey };
  };
  if (!models) return search();
  const isHidden = pullRequests.some(({ isPrivate }) => isPrivate) && !deps.currentModels()?.mayReadPrivate;
  if (isHidden) return search({ because: 'private' });
  if (writer === 'offline') return search(job.because ? { because: job.because } : {});
  try {
    // Loaded only with a model configured, because loading them blocks the event loop.
    const [{ answerWithModels }, { questionsTo }] = await Promise.all([
      import('./answer-with-models.ts'),
      import('../articles/compose-with-model.ts'),
    ]);
    const { onLost = () => {} } = hooks;
    const { task, source } = questionOf(deps, job, pullRequests, hooks);
    const tree = main && openTreeSource(deps, job, main, hooks.signal);
    const answer = await answerWithModels(
      {
        runWriter,
        models,
        questions: questionsTo(models, { database, clock }, job, onLost),
        source: { ...source, ...(tree?.source ?? withoutTree) },
        onControl: (isFound) => metrics?.countControl(isFound),
      },
      { ...task, language, seed: models.recorded?.seed ?? job.id },
      hooks,
    ).finally(() => tree?.close());
    return { ...answer, questionKey: question.key };
  } catch (error) {
    if (error instanceof Failure && error.code === 'QUOTA_EXHAUSTED') return search({ because: 'budget' });
    if (!(error instanceof ModelFailure)) throw error;
    const { reason, status } = error;
    if (error.hasReplied) await settleQuota(database, job.id);
    log.warn({ jobId: job.id, reason, status }, 'a model has not answered a question');
    if (!isOfflineLanguage(language)) throw new NotWritten(explainModelFailure(error, true));
    return search({ standsIn: true, because: reason === 'tooLong' ? 'tooLarge' : 'failed' });
  }
}

function questionOf(
  { database }: WriterDeps,
  { detail: question }: ClaimedAnswer,
  pullRequests: PullRequestToWriteAbout[],
  { onProgress }: ProgressHooks,
): { task: QuestionTask; source: QuestionSource } {
  const parts = pullRequests.map((one) => readStoredParts(database, one));
  return {
    task: {
      question: question.text,
      isAboutRepository: question.isAboutRepository,
      pullRequests: pullRequests.map((one) => ({ number: one.number, payload: payloadOf(one) })),
    },
    source: {
      nextPart: async (place) => (await parts[place]?.next())?.value ?? null,
      onProgress: async (progress) => onProgress(progress),
    },
  };
}

interface Publication {
  pullRequests: PullRequestToWriteAbout[];
  answer: WrittenAnswer;
}

async function publishAnswer(
  { database, codeHosts, metrics, clock }: WriterDeps,
  job: ClaimedAnswer,
  { pullRequests, answer }: Publication,
  progress: Parameters<Publish>[0],
): Promise<void> {
  const { id: jobId, languageCode, detail: question } = job;
  const { questionKey, ...found } = answer;
  const link = linkToEvidence(codeHosts, pullRequests);
  const statements = found.statements.map(link);
  const comments = [...new Set(found.statements.flatMap((one) => one.comments ?? []))];
  const cited = statements.flatMap((one) => [one.prNumber, ...one.evidence.map(({ prNumber }) => prNumber)]);
  const numbers = question.isAboutRepository ? cited : pullRequests.map(({ number }) => number);
  const prNumbers = [...new Set(numbers.filter((number) => number !== undefined))];
  const sources = pullRequests.map(({ id, number, baseSha, headSha }) => ({
    pullRequestId: id,
    prNumber: number,
    baseSha,
    headSha,
  }));
  const body: AnswerBody = { ...found, statements, prNumbers };
  const { text, isAboutRepository } = question;
  const isPublished = await database.transaction(async (tx) => {
    if (!(await finishJob(tx, job, progress, clock()))) return false;
    if (found.writer.kind === 'offline') await returnToQuota(tx, jobId);
    const userId = await findJobRequester(tx, jobId);
    if (!userId && job.writer !== 'recorded') return false;
    const own = { repositoryId: null, userId, question: text, questionKey, languageCode, isAboutRepository };
    const answerId = await saveAnswer(tx, { ...own, sources, body, comments }, clock());
    await noteJobResult(tx, jobId, { answerId });
    if (comments.length > 0) await leaveOutLostIn(tx, pullRequests);
    return true;
  });
  if (!isPublished) return;
  const writer = found.writer.kind === 'ai' ? 'model' : 'offline';
  metrics?.countOutcome(jobKinds.answer.counter, writer, 'written');
  metrics?.countSentences(writer, found.verification);
}

/** Comments may have been edited while the answer was written. */
async function leaveOutLostIn(tx: Queries, pullRequests: { id: string }[]): Promise<void> {
  const ids = pullRequests.map(({ id }) => id).sort();
  await lockPullRequests(tx, ids);
  for (const id of ids) await leaveOutLost(tx, id);
}

export function linkToEvidence(codeHosts: WriterDeps['codeHosts'], pullRequests: PullRequestToWriteAbout[]) {
  const [main] = pullRequests;
  const codeHost = codeHosts.find(({ id }) => id === main?.host);
  return ({ evidence, comments: _, ...statement }: FoundStatement) => ({
    ...statement,
    evidence: evidence.map((one) => {
      const { fileName, startLine, endLine, side, unchanged, prNumber } = one;
      const of = pullRequests.find(({ number }) => number === prNumber) ?? main;
      const lines = { fileName, startLine, endLine, side, ...(unchanged && { unchanged }) };
      return { ...one, hostUrl: of ? (codeHost?.linesUrl(of.hostUrl, of.headSha, lines) ?? null) : null };
    }),
  });
}
