import type { Evidence } from '../reading/facts.ts';

/** Each place once, in the order of its first occurrence. */
export function withoutRepeats(evidence: Evidence[]): Evidence[] {
  const keyOf = ({ fileName, startLine, endLine, side }: Evidence) =>
    JSON.stringify([fileName, startLine, endLine, side]);
  return [...new Map(evidence.map((one) => [keyOf(one), one])).values()];
}
