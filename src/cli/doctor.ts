import { parseArgs } from 'node:util';
import type { TSchema } from 'typebox';
import { readConfig } from '../config.ts';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { loadPrompts } from '../load-prompts.ts';
import { openModels } from '../open-models.ts';
import { JudgeAnswer } from '../writing/ai/answers.ts';
import { fillPrompt } from '../writing/ai/fill-prompt.ts';
import { fitAnswer } from '../writing/ai/fit-answer.ts';
import type { Model } from '../writing/ai/model.ts';
import { ModelFailure } from '../writing/ai/model-failure.ts';
import type { ModelAnswer } from '../writing/ai/model-question.ts';
import type { Question } from '../writing/ai/telling.ts';
import type { Command } from './command.ts';
import { ailments } from './model-ailments.ts';
import { print } from './print.ts';

const schema = Type.Object({ word: Type.String() }, { additionalProperties: false });

/** Thinking counts too, so that less would look like an answer that was cut off. */
const maxOutputTokens = 1_000;

export const doctor: Command = {
  help: [
    'Usage: pullquote doctor',
    '',
    'Makes one small call to each model that the settings name, has the second reader judge a true and a false',
    'sentence, and says what is wrong, if anything is.',
  ].join('\n'),
  async run(parameters) {
    parseArgs({ args: parameters, options: {} });
    const config = readConfig();
    const models = openModels(config, {
      clock: () => new Date(),
      connect: (rules) => createEgressClient(config, rules),
    });
    if (!models) {
      print('No model is configured: articles are written without one. AI_MODEL names one.');
      return;
    }
    try {
      const { writer, judge, partReader } = models;
      for (const model of new Set([writer, ...(judge ? [judge] : []), partReader])) await examine(model);
      if (judge) await examineAsReader(judge, loadPrompts(config.aiPrompts).prompts['judge-sentences']);
      print(adviceOn(writer, judge));
    } finally {
      await models.close();
    }
  },
};

async function examine(model: Model): Promise<void> {
  const { answer, isCutOff } = await ask(model, {
    instructions: 'Answer with a JSON object that has one field, "word", and nothing else.',
    prompt: 'Which word did you choose?',
    schema,
  });
  const name = `${model.provider}/${model.name}`;
  if (answer === undefined)
    throw new StartupProblem(`${name} ${ailments[isCutOff ? 'cutOff' : 'badOutput']}.`);
  print(`${name} answers.`);
}

async function ask(model: Model, question: Question<TSchema>): Promise<ModelAnswer> {
  try {
    return await model.ask({
      ...question,
      earlier: [],
      maxOutputTokens,
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const status = error.status === undefined ? '' : ` (HTTP ${error.status})`;
    throw new StartupProblem(`${model.provider}/${model.name} ${ailments[error.reason]}${status}.`);
  }
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

/** Whether a second reader tells a sentence that holds from one that does not. */
async function examineAsReader(model: Model, template: string): Promise<void> {
  const question = fillPrompt(template, { language: 'en', project: 'pullquote/doctor', lines: trial });
  const { answer } = await ask(model, { ...question, schema: JudgeAnswer });
  const fitted = fitAnswer(JudgeAnswer, answer);
  const verdictOn = (sentence: number) =>
    fitted.fits ? fitted.answer.verdicts.find(({ n }) => n === sentence)?.verdict : undefined;
  const name = `${model.provider}/${model.name}`;
  if (verdictOn(1) === 'holds' && ['contradicted', 'notShown'].includes(verdictOn(2) ?? ''))
    return print(`${name} tells a true sentence from a false one.`);
  const problem =
    verdictOn(1) === undefined || verdictOn(2) === undefined
      ? ailments.badOutput
      : verdictOn(2) === 'holds'
        ? ailments.unread
        : refusing;
  throw new StartupProblem(`${name}, as second reader, ${problem}.`);
}

const refusing = 'finds fault with what is plainly true. Name another one in AI_JUDGE_MODEL';

/** How much the second reader's word is worth. */
function adviceOn(writer: Model, judge: Model | null): string {
  if (!judge)
    return 'AI_JUDGE_MODEL is off: no second reader. Articles count what only rules have checked as unread, and keep the authors’ titles.';
  if (judge === writer)
    return 'The writer is its own second reader: a model overlooks its own mistakes more often than those of others. AI_JUDGE_MODEL names another one.';
  return 'Writer and second reader are two models.';
}
