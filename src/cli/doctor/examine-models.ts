import type { TSchema } from 'typebox';
import type { Config } from '../../config.ts';
import { Type } from '../../contract/type.ts';
import { type Finding, failure, failureOf, ok, warning } from '../../domain/errors.ts';
import { adviceOnLocalModel, findLocalModel, loadPrompts, openModels } from '../../open-writing.ts';
import { JudgeAnswer } from '../../writing/ai/answers.ts';
import { fitAnswer } from '../../writing/ai/ask-model.ts';
import type { Model } from '../../writing/ai/model.ts';
import { type ModelAnswer, ModelFailure } from '../../writing/ai/model-question.ts';
import { fillPrompt, type Question } from '../../writing/ai/prompts.ts';
import { type Ailment, ailments } from '../models.ts';

const schema = Type.Object({ word: Type.String() }, { additionalProperties: false });

/** Thinking counts too, so that less would look like an answer that was cut off. */
const maxOutputTokens = 1_000;

export async function examineModels(config: Config): Promise<Finding[]> {
  const models = openModels(config, { clock: () => new Date() });
  if (!models) {
    const local = await findLocalModel(config);
    const advice = local ? adviceOnLocalModel(local) : 'To use a model, set AI_MODEL.';
    return [ok('models', `No model is set: articles are written without one. ${advice}`)];
  }
  const { writer, judge, partReader } = models;
  try {
    const findings: Finding[] = [];
    for (const model of new Set([writer, ...(judge ? [judge] : []), partReader]))
      findings.push(await examine(model));
    if (judge && findings.every(({ state }) => state === 'ok'))
      findings.push(await examineAsReader(judge, loadPrompts(config.aiPrompts).prompts['judge-sentences']));
    return [...findings, adviceOn(writer, judge)];
  } catch (error) {
    return [failureOf('models', error)];
  } finally {
    await models.close();
  }
}

const nameOf = ({ provider, name }: Model): string => `${provider}/${name}`;

async function examine(model: Model): Promise<Finding> {
  const answered = await ask(model, {
    instructions: 'Answer with a JSON object that has one field, "word", and nothing else.',
    prompt: 'Which word did you choose?',
    schema,
  });
  if (answered instanceof ModelFailure) return failed(model, answered);
  if (answered.answer !== undefined) return ok('models', `${nameOf(model)} answers.`);
  return ailing(nameOf(model), ailments[answered.isCutOff ? 'cutOff' : 'badOutput']);
}

async function ask(model: Model, question: Question<TSchema>): Promise<ModelAnswer | ModelFailure> {
  try {
    const signal = new AbortController().signal;
    return await model.ask({ ...question, earlier: [], maxOutputTokens, signal });
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

const failed = (model: Model, { reason, status }: ModelFailure): Finding =>
  ailing(nameOf(model), ailments[reason], status);

function ailing(who: string, [problem, remedy]: Ailment, status?: number): Finding {
  const sentence = status === undefined ? problem : `${problem.slice(0, -1)} (HTTP ${status}).`;
  return failure('models', `${who} ${sentence}`, remedy ?? null);
}

/** A line that changed, and what is said of it: the first is true, the second is not. */
const trial = [
  's1 (f1-3, f1+3) The limit rises from 10 to 20.',
  's2 (f1-3, f1+3) The limit falls to 5.',
  'f1 src/limit.ts',
  '@1',
  '3-export const limit = 10;',
  '3+export const limit = 20;',
];

async function examineAsReader(model: Model, template: string): Promise<Finding> {
  const question = fillPrompt(template, { language: 'en', project: 'pullquote/doctor', lines: trial });
  const answered = await ask(model, { ...question, schema: JudgeAnswer });
  if (answered instanceof ModelFailure) return failed(model, answered);
  const fitted = fitAnswer(JudgeAnswer, answered.answer);
  const verdictOn = (sentence: number) =>
    fitted.fits ? fitted.answer.verdicts.find(({ n }) => n === sentence)?.verdict : undefined;
  if (verdictOn(1) === 'holds' && ['contradicted', 'notShown'].includes(verdictOn(2) ?? ''))
    return ok('models', `${nameOf(model)} tells a true sentence from a false one.`);
  const problem =
    verdictOn(1) === undefined || verdictOn(2) === undefined
      ? ailments.badOutput
      : verdictOn(2) === 'holds'
        ? ailments.unread
        : refusing;
  return ailing(`${nameOf(model)}, as second model,`, problem);
}

const refusing: Ailment = [
  'rejects a sentence that is plainly true.',
  'Set AI_JUDGE_MODEL to another model.',
];

function adviceOn(writer: Model, judge: Model | null): Finding {
  if (!judge)
    return warning(
      'models',
      'AI_JUDGE_MODEL is off: no second model checks the articles. They say so and keep the authors’ titles.',
      'Set AI_JUDGE_MODEL to a second model.',
    );
  if (judge === writer)
    return warning(
      'models',
      'The same model writes and checks. Models overlook their own mistakes more often than those of others.',
      'Set AI_JUDGE_MODEL to a different model.',
    );
  return ok('models', 'Two different models write and check.');
}
