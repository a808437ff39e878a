import type { ModelAccess, ModelName, Provider } from '../domain/model-providers.ts';
import {
  apiKey,
  existingFolder,
  modelName,
  oneOf,
  optional,
  setting,
  webUrl,
  wholeNumber,
} from './setting-parsers.ts';

/** The settings that say which models there are and how they are reached. */
export interface ModelSettings {
  aiModel: ModelName | undefined;
  aiJudgeModel: ModelName | 'off' | undefined;
  aiPartModel: ModelName | undefined;
  aiBaseUrl: URL | undefined;
  anthropicApiKey: string | undefined;
  openaiApiKey: string | undefined;
  geminiApiKey: string | undefined;
  aiApiKey: string | undefined;
}

const usual = {
  anthropic: { key: 'anthropicApiKey', keyName: 'ANTHROPIC_API_KEY', url: 'https://api.anthropic.com/v1' },
  openai: { key: 'openaiApiKey', keyName: 'OPENAI_API_KEY', url: 'https://api.openai.com/v1' },
  google: {
    key: 'geminiApiKey',
    keyName: 'GEMINI_API_KEY',
    url: 'https://generativelanguage.googleapis.com/v1beta',
  },
} as const;

/** What has to be set too before the models that are named can be called, a sentence each. */
export function missingForModels(settings: ModelSettings): string[] {
  const { aiModel, aiJudgeModel, aiPartModel, aiBaseUrl } = settings;
  if (!aiModel && aiJudgeModel && aiJudgeModel !== 'off') {
    return ['AI_JUDGE_MODEL needs a model whose articles it reads: set AI_MODEL too.'];
  }
  if (!aiModel && aiPartModel)
    return ['AI_PART_MODEL needs a model that writes of what it reads: set AI_MODEL too.'];
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
      return `${setting}=compatible/${name} needs an address: set AI_BASE_URL, such as http://127.0.0.1:11434/v1 for Ollama.`;
    }
    const { key, keyName } = usual[provider];
    return settings[key] ? [] : `${setting}=${provider}/${name} needs a key: set ${keyName}.`;
  });
}

/** How the models that write, judge and read parts are reached; the judge is null where none is wanted. */
export function modelAccess(settings: ModelSettings): {
  writer: ModelAccess;
  judge: ModelAccess | null;
  partReader: ModelAccess;
} | null {
  const { aiModel, aiJudgeModel = aiModel, aiPartModel = aiModel } = settings;
  if (!aiModel || !aiPartModel) return null;
  // Where two providers are named, the address of one's own is that of the one that has no usual one.
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

/** People forget the path, which is nearly always the usual one. */
function baseUrlOf(provider: Provider, own: URL | undefined): string {
  const known = provider === 'compatible' ? null : usual[provider].url;
  if (!own) return known ?? '';
  const path = own.pathname === '/' ? new URL(known ?? usual.openai.url).pathname : own.pathname;
  return `${own.origin}${path.replace(/\/$/, '')}`;
}

/** Which model writes, and how much it may. */
export const modelSettings = {
  aiModel: setting({
    name: 'AI_MODEL',
    sentence:
      'Model that writes articles, as anthropic/…, openai/…, google/… or compatible/… (Ollama, vLLM, llama.cpp and others). Unset, articles are written without one.',
    parse: optional(modelName),
  }),
  aiBaseUrl: setting({
    name: 'AI_BASE_URL',
    sentence:
      'Address of the model where it is not the usual one of its provider, such as http://127.0.0.1:11434/v1.',
    parse: optional(webUrl),
  }),
  anthropicApiKey: setting({
    name: 'ANTHROPIC_API_KEY',
    sentence: 'Key for anthropic/… models.',
    parse: optional(apiKey),
  }),
  openaiApiKey: setting({
    name: 'OPENAI_API_KEY',
    sentence: 'Key for openai/… models.',
    parse: optional(apiKey),
  }),
  geminiApiKey: setting({
    name: 'GEMINI_API_KEY',
    sentence: 'Key for google/… models.',
    parse: optional(apiKey),
  }),
  aiApiKey: setting({
    name: 'AI_API_KEY',
    sentence: 'Key for compatible/… models, where they want one.',
    parse: optional(apiKey),
  }),
  aiContextTokens: setting({
    name: 'AI_CONTEXT_TOKENS',
    sentence:
      'How many tokens the model reads and writes in one call. Unset, what is known of the model, up to 200000, else 32000.',
    parse: optional(wholeNumber(4_000, 10_000_000)),
  }),
  aiOutputTokens: setting({
    name: 'AI_OUTPUT_TOKENS',
    default: '16000',
    sentence: 'How many of these it may write; a quarter of them at most.',
    parse: wholeNumber(1_000, 1_000_000),
  }),
  aiTimeoutMs: setting({
    name: 'AI_TIMEOUT_SECONDS',
    default: '180',
    sentence: 'How long one call to the model may take, in seconds.',
    parse: (text) => wholeNumber(1, 3_600)(text) * 1000,
  }),
  aiArticlesPerDay: setting({
    name: 'AI_ARTICLES_PER_DAY',
    default: '50',
    sentence: 'How many articles each person may have written by the model in a day (UTC).',
    parse: wholeNumber(0, 1_000_000),
  }),
  watchedArticlesPerDay: setting({
    name: 'WATCHED_ARTICLES_PER_DAY',
    default: '200',
    sentence:
      'How many articles the model may write in a day (UTC) because repositories are watched, and a tenth of it for each repository; beyond it they are written without the model. What people ask for is counted apart.',
    parse: wholeNumber(0, 1_000_000),
  }),
  aiTokensPerDay: setting({
    name: 'AI_TOKENS_PER_DAY',
    default: '10000000',
    sentence: 'How many tokens the model may read and write for everybody together in a day (UTC).',
    parse: wholeNumber(0, 1_000_000_000_000),
  }),
  aiPrivate: setting({
    name: 'AI_PRIVATE',
    default: 'false',
    sentence:
      'Whether private repositories are shown to the model; without it they are written about offline.',
    parse: (text) => oneOf('true', 'false')(text) === 'true',
  }),
  aiJudgeModel: setting({
    name: 'AI_JUDGE_MODEL',
    sentence:
      'Model that reads what was written against the diff once more. Unset, the one that writes; off, none: then articles say that nobody has, and keep the authors’ titles.',
    parse: optional((text) => (text === 'off' ? text : modelName(text))),
  }),
  aiPartModel: setting({
    name: 'AI_PART_MODEL',
    sentence:
      'Model that reads the parts of pull requests that are too large for one question. Unset, the one that writes.',
    parse: optional(modelName),
  }),
  aiPartTokens: setting({
    name: 'AI_PART_TOKENS',
    default: '20000',
    sentence: 'How many tokens of a pull request a model reads at a time; larger ones are read part by part.',
    parse: wholeNumber(4_000, 1_000_000),
  }),
  aiParallelCalls: setting({
    name: 'AI_PARALLEL_CALLS',
    default: '4',
    sentence: 'How many parts of one pull request are read at the same time.',
    parse: wholeNumber(1, 64),
  }),
  aiPrompts: setting({
    name: 'AI_PROMPTS',
    sentence: 'Folder of prompts to use instead of those that come with the service.',
    parse: optional(existingFolder),
  }),
};
