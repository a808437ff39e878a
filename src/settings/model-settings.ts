import {
  baseUrlOf,
  type ModelAccess,
  type ModelLimits,
  type ModelName,
  usualLimits,
} from '../domain/model-providers.ts';
import {
  existingFolder,
  keySetting,
  modelName,
  optional,
  type Parsed,
  setting,
  webUrl,
  wholeNumber,
  yesOrNo,
} from './setting-parsers.ts';

const usual = {
  anthropic: { key: 'anthropicApiKey', keyName: 'ANTHROPIC_API_KEY' },
  openai: { key: 'openaiApiKey', keyName: 'OPENAI_API_KEY' },
  google: { key: 'geminiApiKey', keyName: 'GEMINI_API_KEY' },
} as const;

export function missingForModels(settings: ModelSettings): string[] {
  const { aiModel, aiJudgeModel, aiPartModel, aiBaseUrl } = settings;
  if (!aiModel && aiJudgeModel && aiJudgeModel !== 'off') {
    return ['AI_JUDGE_MODEL checks what AI_MODEL writes: set AI_MODEL too.'];
  }
  if (!aiModel && aiPartModel) return ['AI_PART_MODEL reads for AI_MODEL: set AI_MODEL too.'];
  const named = [
    ['AI_MODEL', aiModel],
    ['AI_JUDGE_MODEL', aiJudgeModel],
    ['AI_PART_MODEL', aiPartModel],
  ] as const;
  return named.flatMap(([setting, model]) => {
    if (!model || model === 'off') return [];
    const { provider, name } = model;
    if (provider === 'compatible') {
      if (aiBaseUrl) return [];
      return `${setting}=compatible/${name} needs a URL: set AI_BASE_URL, for example to http://127.0.0.1:11434/v1 for Ollama.`;
    }
    const { key, keyName } = usual[provider];
    return settings[key] ? [] : `${setting}=${provider}/${name} needs a key: set ${keyName}.`;
  });
}

/** The limits that the environment sets, and which win over those that operators set. */
export function limitsOf({
  aiTokensPerDay: tokensPerDay,
  aiTokensPerMonth: tokensPerMonth,
  aiArticlesPerDay: articlesPerDay,
  aiPrivate: mayReadPrivate,
}: Parsed<typeof modelSettings>): Partial<ModelLimits> {
  const limits = { tokensPerDay, tokensPerMonth, articlesPerDay, mayReadPrivate };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

export function modelAccess(settings: ModelSettings): {
  writer: ModelAccess;
  judge: ModelAccess | null;
  partReader: ModelAccess;
} | null {
  const { aiModel, aiJudgeModel = aiModel, aiPartModel = aiModel } = settings;
  if (!aiModel || !aiPartModel) return null;
  // With two providers, AI_BASE_URL is the address of the one without a default address.
  const models = [aiModel, aiPartModel, ...(aiJudgeModel && aiJudgeModel !== 'off' ? [aiJudgeModel] : [])];
  const addressed = models.some(({ provider }) => provider === 'compatible')
    ? 'compatible'
    : aiModel.provider;
  const access = (model: ModelName): ModelAccess => {
    const own = model.provider === addressed ? settings.aiBaseUrl : undefined;
    return {
      ...model,
      apiKey: settings[model.provider === 'compatible' ? 'aiApiKey' : usual[model.provider].key],
      baseUrl: baseUrlOf(model.provider, own),
      isOwnAddress: own !== undefined,
    };
  };
  return {
    writer: access(aiModel),
    judge: aiJudgeModel === undefined || aiJudgeModel === 'off' ? null : access(aiJudgeModel),
    partReader: access(aiPartModel),
  };
}

export const modelSettings = {
  aiModel: setting({
    name: 'AI_MODEL',
    sentence:
      'Model that writes articles: anthropic/…, openai/…, google/… or compatible/… (Ollama, vLLM, llama.cpp and others). Unset, articles are written offline, without a model.',
    parse: optional(modelName),
  }),
  aiBaseUrl: setting({
    name: 'AI_BASE_URL',
    sentence:
      'URL of the model API, if it is not the usual one of the provider, such as http://127.0.0.1:11434/v1.',
    parse: optional(webUrl),
  }),
  anthropicApiKey: keySetting('ANTHROPIC_API_KEY', 'Key for anthropic/… models.'),
  openaiApiKey: keySetting('OPENAI_API_KEY', 'Key for openai/… models.'),
  geminiApiKey: keySetting('GEMINI_API_KEY', 'Key for google/… models.'),
  aiApiKey: keySetting('AI_API_KEY', 'Key for compatible/… models that need one.'),
  aiContextTokens: setting({
    name: 'AI_CONTEXT_TOKENS',
    sentence:
      'Tokens that the model can read and write in one call. Unset, the known size of the model (at most 200000), or 32000.',
    parse: optional(wholeNumber(4_000, 10_000_000)),
  }),
  aiOutputTokens: setting({
    name: 'AI_OUTPUT_TOKENS',
    default: '16000',
    sentence: 'Tokens that the model may write in one call, at most a quarter of AI_CONTEXT_TOKENS.',
    parse: wholeNumber(1_000, 1_000_000),
  }),
  aiTimeoutMs: setting({
    name: 'AI_TIMEOUT_SECONDS',
    default: '180',
    sentence: 'Timeout of one call to the model, in seconds.',
    parse: (text) => wholeNumber(1, 3_600)(text) * 1000,
  }),
  aiArticlesPerDay: setting({
    name: 'AI_ARTICLES_PER_DAY',
    sentence: `Articles that the model writes per person per day (UTC). Unset, ${usualLimits.articlesPerDay}.`,
    parse: optional(wholeNumber(0, 1_000_000)),
  }),
  watchedArticlesPerDay: setting({
    name: 'WATCHED_ARTICLES_PER_DAY',
    default: '200',
    sentence:
      'Articles that the model writes per day (UTC) for all followed repositories; a single repository gets at most a tenth of this. Further articles are written without the model. Articles that people request are counted separately.',
    parse: wholeNumber(0, 1_000_000),
  }),
  aiTokensPerDay: setting({
    name: 'AI_TOKENS_PER_DAY',
    sentence: `Tokens that the model may read and write per day (UTC), in total. Unset, ${usualLimits.tokensPerDay}.`,
    parse: optional(wholeNumber(0, 1_000_000_000_000)),
  }),
  aiTokensPerMonth: setting({
    name: 'AI_TOKENS_PER_MONTH',
    sentence: 'Tokens that the model may read and write per month (UTC), in total. Unset, no limit.',
    parse: optional(wholeNumber(0, 1_000_000_000_000)),
  }),
  aiPrivate: setting({
    name: 'AI_PRIVATE',
    sentence:
      'Whether the model may read private repositories. Otherwise, as when unset, their articles are written offline.',
    parse: optional(yesOrNo),
  }),
  aiJudgeModel: setting({
    name: 'AI_JUDGE_MODEL',
    sentence:
      'Model that checks articles against the diff. Unset, AI_MODEL. With off, articles say that no second model checked them and keep the authors’ titles.',
    parse: optional((text) => (text === 'off' ? text : modelName(text))),
  }),
  aiPartModel: setting({
    name: 'AI_PART_MODEL',
    sentence: 'Model that reads the parts of pull requests that are too large for one call. Unset, AI_MODEL.',
    parse: optional(modelName),
  }),
  aiPartTokens: setting({
    name: 'AI_PART_TOKENS',
    default: '20000',
    sentence:
      'Tokens of a pull request that a model reads in one call; larger pull requests are read in parts.',
    parse: wholeNumber(4_000, 1_000_000),
  }),
  aiParallelCalls: setting({
    name: 'AI_PARALLEL_CALLS',
    default: '4',
    sentence: 'Parts of one pull request that are read at the same time.',
    parse: wholeNumber(1, 64),
  }),
  aiLooks: setting({
    name: 'AI_LOOKS',
    default: '2',
    sentence:
      'How often the model may ask to see code around a change before it writes or answers: 0, 1 or 2 times.',
    parse: (text) => wholeNumber(0, 2)(text) as 0 | 1 | 2,
  }),
  aiPrompts: setting({
    name: 'AI_PROMPTS',
    sentence: 'Folder of prompts to use instead of the built-in ones.',
    parse: optional(existingFolder),
  }),
};

export type ModelSettings = Pick<
  Parsed<typeof modelSettings>,
  | 'aiModel'
  | 'aiJudgeModel'
  | 'aiPartModel'
  | 'aiBaseUrl'
  | 'anthropicApiKey'
  | 'openaiApiKey'
  | 'geminiApiKey'
  | 'aiApiKey'
>;
