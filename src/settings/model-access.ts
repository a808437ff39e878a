import type { ModelAccess, ModelName, Provider } from '../domain/model-providers.ts';

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
