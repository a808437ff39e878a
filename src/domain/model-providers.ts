export const providers = ['anthropic', 'openai', 'google', 'compatible'] as const;

/** Whose protocol a model speaks. Most that can be run at home are `compatible` with the one that OpenAI made common. */
export type Provider = (typeof providers)[number];

export interface ModelName {
  provider: Provider;
  name: string;
}

export interface ModelAccess extends ModelName {
  apiKey: string | undefined;
  baseUrl: string;
  /** Whether the address is the operator's choice, so that it may be in a network of theirs. */
  isOwnAddress: boolean;
}
