import { changeTypes } from '../../domain/change-types.ts';
import type { PullRequestText } from '../facts.ts';
import { changeFeatures, type Family, families } from './change-features.ts';
import stored from './change-type-table.json' with { type: 'json' };
import type { KindedFile } from './shape-features.ts';
import { chancesOf, decodeWeights, type StoredTable } from './table-codes.ts';

const table: StoredTable = stored;
let decoded: Map<Family, Map<string, Int8Array>> | null = null;

/** How sure the table must be to be believed. */
export const { leastChance } = table;

/** Reading the table takes longer than judging a pull request, and a service that only starts needs neither. */
function readWeights(): Map<Family, Map<string, Int8Array>> {
  decoded ??= new Map(families.map((family) => [family, decodeWeights(table.weights[family])]));
  return decoded;
}

/** How likely each type of change is, in the order of changeTypes: the evidence of all features added up. */
export function changeTypeChances(text: PullRequestText, files: KindedFile[]): Float64Array {
  const weightsOf = readWeights();
  const scores = Float64Array.from(table.start);
  for (const { family, names, weight } of changeFeatures(text, files)) {
    const weights = weightsOf.get(family);
    for (const name of names) {
      const row = weights?.get(name);
      if (!row) continue;
      for (let type = 0; type < changeTypes.length; type++) {
        scores[type] = at(scores, type) + weight * at(row, type);
      }
    }
  }
  return chancesOf(scores);
}

const at = (numbers: Float64Array | Int8Array, index: number): number => numbers[index] ?? 0;
