import { addTokens, noTokens, type TokenUsage } from '../../writing/ai/model-question.ts';

/** Prices are of fractions of a cent; what is beyond a millionth of a dollar is arithmetic. */
const roundCost = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/** What the answers to some questions have used, and cost where all of their prices are known. */
export function tallyTokens() {
  let usage = noTokens;
  let costUsd: number | undefined = 0;
  return {
    note(tokens: TokenUsage, cost: number | undefined): void {
      usage = addTokens(usage, tokens);
      costUsd = costUsd === undefined || cost === undefined ? undefined : costUsd + cost;
    },
    spent: () => ({ ...usage, ...(costUsd !== undefined && { estimatedCostUsd: roundCost(costUsd) }) }),
  };
}
