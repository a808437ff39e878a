import type { ModelAccess } from '../../domain/model-providers.ts';
import type { TokenUsage } from './model-question.ts';

/** Where nothing is known of a model: what those that are run at home can read. */
const unknownContextTokens = 32_000;

/** More does not make an article better, and costs. */
const largestContextTokens = 200_000;

interface ModelFacts {
  /** How much it reads and writes in one call. */
  contextTokens: number;
  /** What tokens cost by the list, in US dollars; undefined where there is no list. */
  priceOf: (usage: TokenUsage) => number | undefined;
}

/** What is known of a model without a network call. */
export async function loadModelFacts({ provider, name, baseUrl }: ModelAccess): Promise<ModelFacts> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const seller = provider === 'compatible' ? { providerApiUrl: baseUrl } : { providerId: provider };
  const price = ({ inputTokens, outputTokens }: TokenUsage) =>
    calcPrice({ input_tokens: inputTokens, output_tokens: outputTokens }, name, seller);
  const known = price({ inputTokens: 0, outputTokens: 0 });
  // The list has no window for models whose price depends on how much they read; those read the most.
  const window = known
    ? (known.model.context_window ?? (name.startsWith('gemini-') ? largestContextTokens : 0))
    : 0;
  return {
    contextTokens: Math.min(largestContextTokens, window || unknownContextTokens),
    priceOf: (usage) => price(usage)?.total_price,
  };
}
