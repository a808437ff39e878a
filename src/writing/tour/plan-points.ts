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

/**
 * What a reader should not miss, by what the lines prove. What the stops say already is not said again, but for what is no
 * longer there: whoever reads the points alone has to know that first.
 */
export function planPoints({ attention }: Facts, told: ReadonlySet<string>, prove: Prove): PlannedPoint[] {
  const order = (point: AttentionPoint): number => attentionReasons.indexOf(point.reason);
  return attention
    .toSorted((one, other) => order(one) - order(other))
    .values()
    .flatMap((point) => pointsOf(point, told, prove))
    .filter(({ caption, evidence }) => caption === null || prove({ caption, evidence }))
    .take(mostPoints)
    .toArray();
}

function pointsOf(point: AttentionPoint, told: ReadonlySet<string>, prove: Prove): PlannedPoint[] {
  const { category, reason, subjects, transitions, evidence } = point;
  const one = (caption: Caption): PlannedPoint => ({ category, caption, quote: null, evidence });
  if (reason === 'defaultChanged')
    return transitions
      .filter(({ subject }) => !told.has(subject))
      .map(({ subject, from, to }) => one({ kind: 'value', within: null, of: subject, from, to }));
  if (reason === 'minimumVersionRaised' || reason === 'minimumVersionLowered')
    return transitions.map(({ subject, from, to }) =>
      one({ kind: 'value', within: null, of: subject, from, to }),
    );
  const isSaid = (name: string): boolean => reason !== 'publicApiRemoved' && told.has(name);
  if (!isWatched(reason)) return [];
  const watching = (...names: string[]): Caption => ({ kind: 'watch', reason, names });
  // One that is not certain does not take the others with it.
  const names = subjects.filter((name) => !isSaid(name) && prove({ caption: watching(name), evidence }));
  return names.length > 0 ? [one(watching(...names.slice(0, mostNames)))] : [];
}
