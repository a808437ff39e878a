import { asJobError } from '../../db/failures.ts';
import type { ClaimedPreview, ClaimedTest } from '../../db/job-queue.ts';
import { putJobBack } from '../../db/job-queue.ts';
import { failTrial, finishTrial } from '../../db/model-trials.ts';
import { findPullRequestToWriteAbout } from '../../db/pull-requests.ts';
import { Failure } from '../../domain/errors.ts';
import { type JobProgress, jobKinds } from '../../domain/jobs.ts';
import type { ModelProblem, ModelTest, StoredModelSettings } from '../../domain/model-providers.ts';
import type { Model } from '../../writing/ai/model.ts';
import { type FailureReason, ModelFailure, type ModelQuestion } from '../../writing/ai/model-question.ts';
import type { Prompts } from '../../writing/ai/prompts.ts';
import type { ModelQuestions } from '../articles/model-questions.ts';
import { openTreeSource } from '../articles/open-tree.ts';
import { diffSourceOf, type ProgressHooks, payloadOf } from '../articles/thread-tasks.ts';
import { contentOf } from '../articles/write-article.ts';
import type { Deps, OpenedModels } from '../deps.ts';
import { requireReadable } from './request-trial.ts';
import type { Sample } from './samples.ts';
import { askingOf, judgeKnown, tryOnSample } from './try-models.ts';

export interface TrialDeps
  extends Pick<Deps, 'database' | 'codeHosts' | 'callerOn' | 'runWriter' | 'clock' | 'log'> {
  /** Null if there are no models, or a key cannot be decrypted. */
  openForTrial: (stored: StoredModelSettings | null, isPatient: boolean) => OpenedModels | null;
  readSample: () => Promise<Sample>;
}

interface TrialHooks extends ProgressHooks {
  onLost: () => void;
  endProgress: () => Promise<JobProgress>;
}

async function withModels<Result>(
  { openForTrial }: TrialDeps,
  { detail, work }: ClaimedTest | ClaimedPreview,
  use: (models: OpenedModels) => Promise<Result>,
): Promise<Result> {
  const models = openForTrial(detail, work === 'preview');
  if (!models)
    throw new Failure('INVALID_REQUEST', 'No model is in use, or its key cannot be decrypted. Set it again.');
  try {
    return await use(models);
  } finally {
    await models.close();
  }
}

export async function runTest(
  deps: TrialDeps,
  job: ClaimedTest,
  { signal, onProgress, onLost, endProgress }: TrialHooks,
): Promise<void> {
  const { database, clock, readSample } = deps;
  const { createPaidQuestions } = await import('../articles/model-questions.ts');
  onProgress({ step: 'reading', done: 0, total: 0 });
  const sample = await readSample();
  const result = await withModels(deps, job, (models) => {
    const { put } = createPaidQuestions({ database, clock, models }, job, onLost);
    return testModels({ ...models, sample, put }, signal, (done, total) =>
      onProgress({ step: 'waiting for the model', done, total }),
    );
  });
  signal.throwIfAborted();
  const progress = await endProgress();
  await database.transaction((tx) => finishTrial(tx, job, { result, progress, now: clock() }));
}

const testMs = 30_000;

interface Tested {
  sample: Sample;
  writer: Model;
  judge: Model | null;
  prompts: Prompts;
  put: ModelQuestions['put'];
}

/** Asks both models once, at the same time: the writer for an article, the second model for ten verdicts. */
export async function testModels(
  { sample, writer, judge, prompts, put }: Tested,
  cancelled: AbortSignal,
  onDone: (done: number, total: number) => void,
  limitMs = testMs,
): Promise<ModelTest> {
  const late = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([cancelled, late]);
  const [writing, reading] = [askedOnce(writer, put, signal), judge && askedOnce(judge, put, signal)];
  const asking = await askingOf({ prompts }, writing, reading);
  const known = [true, false].flatMap((isTrue) =>
    sample.known.filter(({ lie }) => (lie === null) === isTrue).slice(0, 5),
  );
  const roles = reading ? 2 : 1;
  let done = 0;
  onDone(done, roles);
  const count = () => {
    done += 1;
    onDone(done, roles);
  };
  const [written, judgement] = await Promise.all([
    tryOnSample(sample, { ...asking, judge: null })
      .catch(asFailure)
      .finally(count),
    reading
      ? judgeKnown({ ...sample, known }, asking)
          .catch(asFailure)
          .finally(count)
      : null,
  ]);
  cancelled.throwIfAborted();
  const complaints = judgement instanceof Map ? judgement : new Map<number, string | null>();
  const countIn = (isTrue: boolean, isRight: (complaint: string | null | undefined) => boolean) =>
    reading &&
    known.filter(({ lie }, index) => (lie === null) === isTrue && isRight(complaints.get(index))).length;
  // The failure of a model opens its circuit breaker for its other question, too.
  const causeOf = (outcome: unknown, other: { failure: () => unknown } | null): unknown =>
    judge === writer && isBreakerOpen(outcome) ? (other?.failure() ?? outcome) : outcome;
  const ofWriter = written === 'noRoom' ? new ModelFailure('tooLong') : (writing.failure() ?? written);
  const problems = {
    writer: problemOf(causeOf(ofWriter, reading), late),
    reader: reading && problemOf(causeOf(reading.failure() ?? judgement, writing), late),
  };
  const isReplied = [writing, reading].every((one) => one === null || one.hasReplied());
  return {
    answers: isReplied,
    keepsFormat: isReplied && !problems.writer && (!reading || complaints.size > 0),
    liesCaught: countIn(false, (complaint) => typeof complaint === 'string'),
    truthsKept: countIn(true, (complaint) => complaint === null),
    problem: problems.writer ?? problems.reader,
    problemOf: problems.writer ? 'writer' : problems.reader ? 'reader' : null,
  };
}

const isBreakerOpen = (outcome: unknown): boolean =>
  outcome instanceof ModelFailure && outcome.reason === 'breakerOpen';

/** Any other error is the service's own, or the end of the time. */
const asFailure = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function askedOnce(model: Model, put: ModelQuestions['put'], signal: AbortSignal) {
  let isAsked = false;
  let hasReplied = false;
  let failure: unknown = null;
  return {
    model,
    async put(question: ModelQuestion) {
      if (isAsked) throw new ModelFailure('badOutput');
      isAsked = true;
      try {
        const reply = await put(model)({ ...question, signal });
        hasReplied = true;
        return reply;
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    note() {},
    failure: () => failure,
    hasReplied: () => hasReplied,
  };
}

const problems: Record<FailureReason, ModelProblem> = {
  badKey: 'wrongKey',
  spendLimit: 'noCredit',
  unknownModel: 'noSuchModel',
  tooLong: 'windowTooSmall',
  cutPrompt: 'windowTooSmall',
  notStreamed: 'doesNotStream',
  unreachable: 'unreachable',
  rejected: 'unreachable',
  timeout: 'tooSlow',
  rateLimited: 'busy',
  overloaded: 'busy',
  breakerOpen: 'busy',
  refused: 'unusable',
  badOutput: 'unusable',
  cutOff: 'unusable',
  unread: 'unusable',
};

function problemOf(outcome: unknown, late: AbortSignal): ModelProblem | null {
  if (outcome instanceof ModelFailure) return problems[outcome.reason];
  if (!(outcome instanceof Error)) return null;
  if (late.aborted) return 'tooSlow';
  throw outcome;
}

/** Writes the article of a preview, which is stored in its job alone. */
export async function runPreview(
  deps: TrialDeps,
  job: ClaimedPreview,
  { endProgress, ...hooks }: TrialHooks,
): Promise<void> {
  const { database, codeHosts, clock } = deps;
  const pullRequest = await findPullRequestToWriteAbout(database, job.pullRequestId);
  if (!pullRequest) return hooks.onLost();
  const words = await withModels(deps, job, (models) =>
    writePreview(deps, job, { models, pullRequest }, hooks),
  );
  hooks.signal.throwIfAborted();
  const progress = await endProgress();
  const now = clock();
  const result = contentOf(words, { codeHosts, pullRequest, languageCode: job.languageCode, now });
  await database.transaction((tx) => finishTrial(tx, job, { result, progress, now }));
}

const unwritten = {
  tooLarge: 'This change is too large for the models.',
  nothingToRead: 'This change has no lines to write about.',
  trivial: 'This change is so small that it is written without a model.',
};

async function writePreview(
  deps: TrialDeps,
  job: ClaimedPreview,
  {
    models,
    pullRequest,
  }: {
    models: OpenedModels;
    pullRequest: NonNullable<Awaited<ReturnType<typeof findPullRequestToWriteAbout>>>;
  },
  hooks: Omit<TrialHooks, 'endProgress'>,
) {
  const { database, clock, runWriter } = deps;
  requireReadable(pullRequest.isPrivate, models);
  const [{ writeWithModels, withoutNotes }, { createPaidQuestions }] = await Promise.all([
    import('../articles/compose-with-model.ts'),
    import('../articles/model-questions.ts'),
  ]);
  const tree = openTreeSource(deps, job, pullRequest, hooks.signal);
  const written = await writeWithModels(
    {
      runWriter,
      models,
      questions: createPaidQuestions({ database, clock, models }, job, hooks.onLost),
      source: { ...diffSourceOf(database, pullRequest, hooks.onProgress), ...withoutNotes, ...tree.source },
    },
    { payload: payloadOf(pullRequest), language: job.languageCode, known: null, seed: job.id },
    hooks,
  ).finally(tree.close);
  if (typeof written !== 'string') return written.words;
  throw new Failure('INVALID_REQUEST', unwritten[written], { remedy: 'Choose another pull request.' });
}

/** With the problem as a code, which pages put into words. */
const failureOfTrial = ({ reason }: ModelFailure): Failure =>
  new Failure('AI_ERROR', 'The models did not write the article.', {
    details: [{ field: 'model', problem: problems[reason] }],
  });

export async function endFailedTrial(
  { database, clock, log }: TrialDeps,
  job: ClaimedTest | ClaimedPreview,
  error: unknown,
): Promise<void> {
  const { mostFailures, logged, failed } = jobKinds[job.work];
  const known = error instanceof ModelFailure ? failureOfTrial(error) : error;
  if (!(known instanceof Failure)) {
    log.error({ err: error, jobId: job.id }, logged);
    if (job.failures + 1 < mostFailures)
      return void (await putJobBack(database, job, { isFailure: true, now: clock() }));
  }
  const now = clock();
  await database.transaction((tx) => failTrial(tx, job, asJobError(known, failed, now), now));
}
