import { attentionReasons } from '../../domain/attention-reasons.ts';
import type { Category } from '../../domain/change-types.ts';
import type { AttentionPoint, Evidence, Facts } from '../../reading/facts.ts';
import type { Caption } from './captions/caption.ts';
import { isWatched } from './captions/watched.ts';
import type { Prove } from './prove-captions.ts';

/** Something to watch for: certain, and told in one sentence. */
export interface PlannedPoint {
  category: Category;
  caption: Caption | null;
  /** What the author notes in the code, word for word. */
  quote: string | null;
  evidence: Evidence[];
}

const mostPoints = 5;
const mostNames = 5;

/** What a reader should not miss, by what the lines prove; what the stops say already is not said again. */
export function planPoints({ attention }: Facts, told: ReadonlySet<string>, prove: Prove): PlannedPoint[] {
  const order = (point: AttentionPoint): number => attentionReasons.indexOf(point.reason);
  return attention
    .toSorted((one, other) => order(one) - order(other))
    .values()
    .flatMap((point) => pointsOf(point, told))
    .filter(({ caption, evidence }) => caption === null || prove({ caption, evidence }))
    .take(mostPoints)
    .toArray();
}

function pointsOf(point: AttentionPoint, told: ReadonlySet<string>): PlannedPoint[] {
  const { category, reason, subjects, transitions, evidence } = point;
  const one = (caption: Caption): PlannedPoint => ({ category, caption, quote: null, evidence });
  if (reason === 'noteInCode')
    return subjects.slice(0, 1).map((quote) => ({ category, caption: null, quote, evidence }));
  if (reason === 'majorUpgrade')
    return transitions
      .filter(({ subject }) => !told.has(subject))
      .map(({ subject, from, to }) => one({ kind: 'dependencies', changes: [{ name: subject, from, to }] }));
  if (reason === 'defaultChanged')
    return transitions
      .filter(({ subject }) => !told.has(subject))
      .map(({ subject, from, to }) => one({ kind: 'value', within: null, of: subject, from, to }));
  if (reason === 'minimumVersionRaised' || reason === 'minimumVersionLowered')
    return transitions.map(({ subject, from, to }) =>
      one({ kind: 'value', within: null, of: subject, from, to }),
    );
  const names = subjects.filter((name) => !told.has(name)).slice(0, mostNames);
  return isWatched(reason) && names.length > 0 ? [one({ kind: 'watch', reason, names })] : [];
}
