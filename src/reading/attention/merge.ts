import type { AttentionPoint } from '../facts.ts';

/** Enough to show where; more would not say more. */
export const evidencePerPoint = 5;
export const subjectsPerPoint = 8;

/** Points of the same reason from several files become one, so that each reason is told once. */
export function mergeAttention(points: AttentionPoint[]): AttentionPoint[] {
  const byReason = Map.groupBy(points, ({ reason }) => reason);
  return [...byReason.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const transitions = new Map(
      same.flatMap((point) => point.transitions).map((one) => [`${one.subject} ${one.from} ${one.to}`, one]),
    );
    return {
      ...first,
      subjects: [...new Set(same.flatMap(({ subjects }) => subjects))].slice(0, subjectsPerPoint),
      transitions: [...transitions.values()].slice(0, subjectsPerPoint),
      evidence: same.flatMap(({ evidence }) => evidence).slice(0, evidencePerPoint),
    };
  });
}
