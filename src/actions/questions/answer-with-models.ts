import { roomBeside } from '../../writing/ai/model.ts';
import { ModelFailure } from '../../writing/ai/model-question.ts';
import { questionsOf, writerLabel } from '../articles/compose-with-model.ts';
import type { ModelQuestions } from '../articles/model-questions.ts';
import type { ProgressHooks, RunInThread } from '../articles/thread-tasks.ts';
import type { TreeSource } from '../articles/tree-source.ts';
import type { WritingModels } from '../deps.ts';
import type { ModelQuestionTask } from './answer-in-thread.ts';
import type { LabelledAnswer, QuestionSource, QuestionTask } from './answer-question.ts';

interface ModelDeps {
  runWriter: RunInThread;
  models: WritingModels;
  questions: ModelQuestions;
  source: QuestionSource & TreeSource;
  /** Called with whether the second model rejected a control sentence. */
  onControl?: (isFound: boolean) => void;
}

/** Answers a question with models. Material is found and answers are checked in another thread. */
export async function answerWithModels(
  { runWriter, models, questions, source, onControl }: ModelDeps,
  asked: QuestionTask & Pick<ModelQuestionTask, 'language' | 'seed'>,
  hooks: ProgressHooks,
): Promise<LabelledAnswer> {
  const { writer, judge, prompts } = models;
  const { ask, askJudge, askLooks } = await questionsOf(models, questions, hooks, () => {});
  const task = {
    ...asked,
    project: asked.pullRequests[0]?.payload.repository ?? '',
    prompts,
    looks: models.looks,
    mostBytes: await roomBeside(prompts['answer-question'], writer),
    mostBytesToJudge: judge && (await roomBeside(prompts['judge-sentences'], judge)),
  };
  const calls = {
    ...source,
    ask,
    askJudge,
    askLooks,
    onControl: async (isFound: boolean) => onControl?.(isFound),
  };
  const found = await runWriter('answerWithModel', task, calls, hooks.signal);
  if (found === 'unread') throw new ModelFailure('unread');
  if (found === 'tooLarge') throw new ModelFailure('tooLong');
  return { ...found, writer: writerLabel(models), usage: questions.spent() };
}
