import type { ModelAccess, ModelName, Provider } from '../domain/model-providers.ts';

/** The settings that say which models there are and how they are reached. */
export interface ModelSettings {
  aiModel: ModelName | undefined;
  aiJudgeModel: ModelName | 'off' | undefined;
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
  const { aiModel, aiJudgeModel, aiBaseUrl } = settings;
  if (!aiModel && aiJudgeModel && aiJudgeModel !== 'off') {
    return ['AI_JUDGE_MODEL needs a model whose articles it reads: set AI_MODEL too.'];
  }
  const named = [
    ['AI_MODEL', aiModel],
    ['AI_JUDGE_MODEL', aiJudgeModel],
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

/** How the model that writes and the one that judges are reached; null for what is not wanted. */
export function modelAccess(settings: ModelSettings): {
  writer: ModelAccess | null;
  judge: ModelAccess | null;
} {
  const { aiModel, aiJudgeModel = aiModel } = settings;
  if (!aiModel) return { writer: null, judge: null };
  // Where two providers are named, the address of one's own is that of the one that has no usual one.
  const models = [aiModel, ...(aiJudgeModel && aiJudgeModel !== 'off' ? [aiJudgeModel] : [])];
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
  };
}

/** People forget the path, which is nearly always the usual one. */
function baseUrlOf(provider: Provider, own: URL | undefined): string {
  const known = provider === 'compatible' ? null : usual[provider].url;
  if (!own) return known ?? '';
  const path = own.pathname === '/' ? new URL(known ?? usual.openai.url).pathname : own.pathname;
  return `${own.origin}${path.replace(/\/$/, '')}`;
}
