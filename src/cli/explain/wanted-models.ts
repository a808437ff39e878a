import type { WantedModels } from '../../actions/articles/explain-pull-request.ts';
import { readFromEnvironment } from '../../config.ts';
import { createEgressClient } from '../../egress/egress-client.ts';
import { loadPrompts } from '../../load-prompts.ts';
import { openModels } from '../../open-models.ts';
import { missingForModels } from '../../settings/model-access.ts';
import type { FailureReason, ModelFailure } from '../../writing/ai/model-failure.ts';
import { UsageProblem } from '../command.ts';
import { ailments } from '../model-ailments.ts';
import { printProblem } from '../print.ts';
import { createProgressBar } from '../progress-bar.ts';

const models = ['aiModel', 'aiJudgeModel', 'aiPartModel', 'aiPartTokens', 'aiParallelCalls'] as const;
const limits = ['aiContextTokens', 'aiOutputTokens', 'aiTimeoutMs', 'aiPrompts'] as const;
const keys = ['anthropicApiKey', 'openaiApiKey', 'geminiApiKey', 'aiApiKey'] as const;
const network = ['aiBaseUrl', 'httpsProxy', 'httpProxy', 'noProxy', 'extraCaFile'] as const;

/** The models that the environment names, or whatever else settings come from, for one article, and how their failures are told. */
export function openWantedModels(readSettings = readFromEnvironment) {
  const config = readSettings([...models, ...limits, ...keys, ...network]);
  const missing = missingForModels(config);
  if (missing.length > 0) throw new UsageProblem(missing.join('\n'));
  const opened = openModels(config, {
    clock: () => new Date(),
    connect: (rules) => createEgressClient(config, rules),
  });
  if (!opened)
    throw new UsageProblem(
      '--ai needs a model: set AI_MODEL in the environment, such as AI_MODEL=anthropic/claude-sonnet-4-5, and what that model needs.',
    );
  const { writer, judge, partReader } = opened;
  const { prompts, version: promptVersion } = loadPrompts(config.aiPrompts);
  const { aiPartTokens: partTokens, aiParallelCalls: parallelCalls } = config;
  const bar = createProgressBar(process.stderr);
  const describeFailure = ({ reason }: ModelFailure): string =>
    `${writer.provider}/${writer.name} ${ailmentsAtChanges[reason]}.`;
  const wanted: WantedModels = {
    models: { writer, judge, partReader, partTokens, parallelCalls, prompts, promptVersion },
    onProgress: ({ step, done, total }) => bar.show(done, total, step),
    onFailure(failure) {
      bar.clear();
      printProblem(`${describeFailure(failure)} What follows is written without a model.`);
    },
  };
  const close = async (): Promise<void> => {
    bar.clear();
    await opened.close();
  };
  return { wanted, describeFailure, close };
}

/** Elsewhere a model is asked something harmless; here, about a change that may be the reason. */
const ailmentsAtChanges: Record<FailureReason, string> = {
  ...ailments,
  tooLong: 'has no room for this change. Set AI_CONTEXT_TOKENS higher if it reads more at once',
  refused: 'refuses to write about this change',
  badOutput: 'answers, but with nothing that holds or can be used. Try again, or choose another model',
  cutOff: 'answers at such length that it is cut off. Set AI_OUTPUT_TOKENS higher, or choose another model',
  unread:
    'has written, but no second reader that can tell true from false has read it. Name another one in AI_JUDGE_MODEL',
};
