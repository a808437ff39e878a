export const providers = ['anthropic', 'openai', 'google', 'compatible'] as const;

/** Named as the provider of what recorded replies have written. */
export const recordedProvider = 'recorded';

/** The protocol of a model. Most local servers are `compatible` with that of OpenAI. */
export type Provider = (typeof providers)[number];

export interface ModelName {
  provider: Provider;
  name: string;
}

export interface ModelAccess extends ModelName {
  apiKey: string | undefined;
  baseUrl: string;
  /** Whether the operator chooses the address, so that it may be in a private network. */
  isOwnAddress: boolean;
}

const usualUrls = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/** Users often leave out the path, which is nearly always the usual one. */
export function baseUrlOf(provider: Provider, own: URL | undefined): string {
  const known = provider === 'compatible' ? null : usualUrls[provider];
  if (!own) return known ?? '';
  const path = own.pathname === '/' ? new URL(known ?? usualUrls.openai).pathname : own.pathname;
  return `${own.origin}${path.replace(/\/$/, '')}`;
}

/** A model server on this machine, and the models that it lists. */
export interface LocalModels {
  name: string;
  baseUrl: string;
  models: string[];
}

/** The lines that set the first of the models in the environment. */
export const environmentOf = ({ baseUrl, models: [model = ''] }: LocalModels): string[] => [
  `AI_MODEL=compatible/${model}`,
  `AI_BASE_URL=${baseUrl}`,
];

/** The reasons why a model cannot be used. */
export const modelProblems = [
  'wrongKey',
  'noCredit',
  'noSuchModel',
  'windowTooSmall',
  'doesNotStream',
  'unreachable',
  'tooSlow',
  'busy',
  'unusable',
] as const;

export type ModelProblem = (typeof modelProblems)[number];

/** The result of asking the models once each: an article, and a judgement of five false and five true sentences. */
export interface ModelTest {
  answers: boolean;
  keepsFormat: boolean;
  /** Null without a second model. */
  liesCaught: number | null;
  truthsKept: number | null;
  problem: ModelProblem | null;
  /** The model with the problem. */
  problemOf: 'writer' | 'reader' | null;
}

/** The limits of models: how much they may use, and whether they may read private repositories. */
export interface ModelLimits {
  tokensPerDay: number;
  /** Null without a ceiling. */
  tokensPerMonth: number | null;
  articlesPerDay: number;
  mayReadPrivate: boolean;
}

export const usualLimits: ModelLimits = {
  tokensPerDay: 10_000_000,
  tokensPerMonth: null,
  articlesPerDay: 50,
  mayReadPrivate: false,
};

export interface StoredModel extends ModelName {
  baseUrl: string;
  isOwnAddress: boolean;
  sealedKey: string | null;
}

export interface StoredModelSettings {
  writer: StoredModel;
  /** The second model; null if it is turned off. */
  reader: StoredModel | null;
  limits: ModelLimits;
}

/** The models that a provider lists for a key. */
export interface ListedModels {
  models: string[];
  problem: ModelProblem | null;
}

const suggested: Record<Provider, { writer: RegExp; reader: RegExp }> = {
  anthropic: { writer: /sonnet/, reader: /haiku/ },
  openai: { writer: /^gpt-[\d.]+$/, reader: /^gpt-[\d.]+-mini$/ },
  google: { writer: /^gemini-[\d.]+-pro$/, reader: /^gemini-[\d.]+-flash$/ },
  compatible: { writer: /(?:)/, reader: /(?:)/ },
};

/** One model to write, and another to check that costs less; of the listed ones, the first that fit. */
export function suggestModels(
  provider: Provider,
  models: string[],
): { writer: string | null; reader: string | null } {
  const { writer, reader } = suggested[provider];
  const first = models.find((name) => writer.test(name)) ?? models[0] ?? null;
  const other = models.find((name) => name !== first && reader.test(name));
  return { writer: first, reader: other ?? first };
}
