import type { ModelMetrics } from '../../metrics/metrics.ts';
import { inSpan } from '../../metrics/spans.ts';
import { ModelFailure } from './model-failure.ts';
import { noTokens, type TokenUsage } from './model-question.ts';

export interface MeasuredBy {
  metrics?: ModelMetrics | null | undefined;
}

interface Measuring extends MeasuredBy {
  provider: string;
  priceOf: (usage: TokenUsage) => number | undefined;
}

/** Calls a model, and counts what it used and what came of it. */
export function measureCall<Said extends { usage: TokenUsage }>(
  { metrics, provider, priceOf }: Measuring,
  call: () => Promise<Said>,
): Promise<Said> {
  return inSpan('model call', { 'gen_ai.provider.name': provider }, async (describe) => {
    const start = performance.now();
    const note = (outcome: string, usage: TokenUsage): void => {
      describe({
        'pullquote.outcome': outcome,
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
      });
      metrics?.observeCall({ provider, outcome, seconds: (performance.now() - start) / 1000, ...usage });
      const usd = metrics ? priceOf(usage) : undefined;
      if (usd !== undefined) metrics?.addCost(provider, usd);
    };
    try {
      const said = await call();
      note('answered', said.usage);
      return said;
    } catch (error) {
      if (error instanceof ModelFailure) note(error.reason, error.spent);
      else note('givenUp', noTokens);
      throw error;
    }
  });
}
