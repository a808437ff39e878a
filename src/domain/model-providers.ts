export const providers = ['anthropic', 'openai', 'google', 'compatible'] as const;

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
