import type { AnswerBody } from '../../db/answers.ts';
import type { WritingMetrics } from '../../metrics/metrics.ts';
import { roomBeside } from '../../writing/ai/model.ts';
import { ModelFailure } from '../../writing/ai/model-question.ts';
import { questionsOf } from '../articles/compose-with-model.ts';
import { createPaidQuestions } from '../articles/model-questions.ts';
import type { ProgressHooks } from '../articles/thread-tasks.ts';
import type { Deps, ModelWriting } from '../deps.ts';
import type { FoundAnswer, QuestionJob, QuestionSource, QuestionTask } from './answer-question.ts';

/** Has models answer the question of a job; what they read is found, and what they say is checked, in another thread. */
export async function answerWithModels(
  deps: Pick<Deps, 'database' | 'runInThread' | 'clock'> & {
    models: ModelWriting;
    metrics: WritingMetrics | null;
  },
  job: QuestionJob,
  asked: { task: QuestionTask; source: QuestionSource },
  hooks: ProgressHooks,
): Promise<FoundAnswer & Pick<AnswerBody, 'usage' | 'writer'>> {
  const { database, runInThread, clock, models, metrics } = deps;
  const { writer, judge, prompts, promptVersion, tokensPerDay } = models;
  const { onLost = () => {} } = hooks;
  const questions = createPaidQuestions({ database, clock, tokensPerDay }, job, onLost);
  const { ask, askJudge } = await questionsOf(models, questions, hooks, () => {});
  const task = {
    ...asked.task,
    language: job.languageCode,
    project: asked.task.pullRequests[0]?.payload.repository ?? '',
    prompts,
    mostBytes: await roomBeside(prompts['answer-question'], writer),
    mostBytesToJudge: judge && (await roomBeside(prompts['judge-sentences'], judge)),
    seed: job.id,
  };
  const source = {
    ...asked.source,
    ask,
    askJudge,
    onControl: async (isFound: boolean) => metrics?.countControl(isFound),
  };
  const found = await runInThread('answerWithModel', task, source, hooks.signal);
  if (found === 'unread') throw new ModelFailure('unread');
  if (found === 'tooLarge') throw new ModelFailure('tooLong');
  const { provider, name: model } = writer;
  return { ...found, writer: { kind: 'ai', provider, model, promptVersion }, usage: questions.spent() };
}
