import type { WantedModels } from '../actions/articles/explain-pull-request.ts';
import { type Config, readFromEnvironment } from '../config.ts';
import { InvalidSettings } from '../domain/errors.ts';
import { loadPrompts, openModels } from '../open-writing.ts';
import { missingForModels } from '../settings/model-settings.ts';
import { modelName, Unusable } from '../settings/setting-parsers.ts';
import type { FailureReason, ModelFailure } from '../writing/ai/model-question.ts';
import { createProgressBar, printProblem, UsageProblem } from './command.ts';

export type Ailment = [problem: string, remedy?: string];

export const ailments: Record<FailureReason, Ailment> = {
  rateLimited: ['has reached its rate limit.', 'Wait, or ask its provider for a higher limit.'],
  overloaded: ['is overloaded.', 'Try again later.'],
  unreachable: ['cannot be reached.', 'Check AI_BASE_URL, the network and the proxy settings.'],
  breakerOpen: ['has failed too often.', 'Try again later.'],
  timeout: ['did not answer in time.', 'Try again, or set AI_TIMEOUT_SECONDS higher.'],
  badKey: ['rejects the key.', 'Set a key that is valid for this model.'],
  unknownModel: [
    'does not exist at its URL.',
    'Check the name in AI_MODEL or AI_JUDGE_MODEL, and AI_BASE_URL.',
  ],
  spendLimit: [
    'cannot be used: the account has no credit left or has reached its limit.',
    'Add credit or raise the limit at its provider.',
  ],
  tooLong: ['says that even a short question is too long.', 'Check which model has that name.'],
  rejected: [
    'rejects the request or redirects it.',
    'Check AI_BASE_URL: it must be the URL of an API, with its path.',
  ],
  notStreamed: [
    'does not stream its answers as server-sent events.',
    'Check AI_BASE_URL, or turn on streaming in the server.',
  ],
  refused: ['refuses to answer a harmless question.', 'Choose another model.'],
  badOutput: ['answers, but not with the requested JSON.', 'Choose another model.'],
  cutOff: ['gives answers so long that they are cut off.', 'Choose another model.'],
  unread: ['accepts a sentence that is plainly false.', 'Set AI_JUDGE_MODEL to another model.'],
  cutPrompt: ['reads only part of its input.', 'Give it a larger context.'],
};

export function withModels(config: Config, { model, judge }: { model?: string; judge?: string }): Config {
  const changed: Config = { ...config };
  if (model !== undefined) {
    changed.aiModel = parseOption('--model', modelName, model);
    changed.aiPartModel = undefined;
  }
  if (judge !== undefined)
    changed.aiJudgeModel = judge === 'off' ? 'off' : parseOption('--judge', modelName, judge);
  const missing = missingForModels(changed);
  if (missing.length > 0) throw new InvalidSettings(missing);
  return changed;
}

export function parseOption<Value>(option: string, read: (text: string) => Value, text: string): Value {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Unusable) throw new UsageProblem(`${option} ${error.message}.`);
    throw error;
  }
}

const models = [
  'aiModel',
  'aiJudgeModel',
  'aiPartModel',
  'aiPartTokens',
  'aiParallelCalls',
  'aiLooks',
] as const;
const limits = ['aiContextTokens', 'aiOutputTokens', 'aiTimeoutMs', 'aiPrompts'] as const;
const keys = ['anthropicApiKey', 'openaiApiKey', 'geminiApiKey', 'aiApiKey'] as const;
const network = ['aiBaseUrl', 'httpsProxy', 'httpProxy', 'noProxy', 'extraCaFile'] as const;

export function openWantedModels(readSettings = readFromEnvironment) {
  const config = readSettings([...models, ...limits, ...keys, ...network]);
  const missing = missingForModels(config);
  if (missing.length > 0) throw new UsageProblem(missing.join('\n'));
  const opened = openModels(config, { clock: () => new Date() });
  if (!opened)
    throw new UsageProblem(
      '--ai needs a model: set AI_MODEL in the environment, such as AI_MODEL=anthropic/claude-sonnet-4-5, and the key of its provider.',
    );
  const { writer, judge, partReader } = opened;
  const { prompts, version: promptVersion } = loadPrompts(config.aiPrompts);
  const { aiPartTokens: partTokens, aiParallelCalls: parallelCalls, aiLooks: looks } = config;
  const bar = createProgressBar(process.stderr);
  const describeFailure = ({ reason }: ModelFailure): string =>
    `${writer.provider}/${writer.name} ${ailmentsAtChanges[reason].join(' ')}`;
  const wanted: WantedModels = {
    models: { writer, judge, partReader, partTokens, parallelCalls, looks, prompts, promptVersion },
    onProgress: ({ step, done, total }) => bar.show(done, total, step),
    onFailure(failure) {
      bar.clear();
      printProblem(`${describeFailure(failure)} The following was written without a model.`);
    },
  };
  const close = async (): Promise<void> => {
    bar.clear();
    await opened.close();
  };
  return { wanted, describeFailure, close };
}

/** Unlike in other commands, the change itself may be the cause. */
const ailmentsAtChanges: Record<FailureReason, Ailment> = {
  ...ailments,
  tooLong: ['has no room for this change.', 'If it can read more at once, raise AI_CONTEXT_TOKENS.'],
  refused: ['refuses to write about this change.'],
  badOutput: ['gave no answer that passed the checks.', 'Try again, or choose another model.'],
  cutOff: [
    'gives answers so long that they are cut off.',
    'Raise AI_OUTPUT_TOKENS, or choose another model.',
  ],
  unread: [
    'wrote the article, but the second model cannot tell true from false sentences.',
    'Set AI_JUDGE_MODEL to another model.',
  ],
};
