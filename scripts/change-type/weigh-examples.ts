import { changeTypes } from '../../src/domain/article.ts';
import type { Example } from './read-examples.ts';

/** How much each example counts: less where a repository has many of its kind, more where its type is rare; 1 on average. */
export function weighExamples(examples: Example[]): Float64Array {
  const ofRepository = new Map<number, number>();
  for (const example of examples)
    ofRepository.set(keyOf(example), (ofRepository.get(keyOf(example)) ?? 0) + 1);
  const first = Float64Array.from(
    examples,
    (example) => 1 / Math.sqrt(ofRepository.get(keyOf(example)) ?? 1),
  );
  const ofType = new Float64Array(changeTypes.length);
  for (const [index, { type }] of examples.entries())
    ofType[type] = (ofType[type] ?? 0) + (first[index] ?? 0);
  const total = ofType.reduce((sum, one) => sum + one, 0);
  const weights = first.map((weight, index) => {
    const share = (ofType[examples[index]?.type ?? 0] ?? 0) / total;
    return weight / Math.sqrt(changeTypes.length * share);
  });
  const mean = weights.reduce((sum, one) => sum + one, 0) / weights.length;
  return weights.map((weight) => weight / mean);
}

const keyOf = ({ repository, type }: Example): number => repository * changeTypes.length + type;
