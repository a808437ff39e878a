import { changeTypes } from '../../domain/article.ts';
import type { PullRequestText } from '../facts.ts';
import { changeFeatures, type Family, families, type KindedFile } from './change-features.ts';
import stored from './change-type-table.json' with { type: 'json' };

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

/** The learned table as it is kept: what each feature says for and against each type of change. */
export interface StoredTable {
  /** How likely a type must be for the table to be believed. */
  leastChance: number;
  /** What speaks for each type before anything is known, in the same steps as the weights. */
  start: number[];
  /** For each family lines of features, each with a letter for every type. */
  weights: Record<Family, string[]>;
}

// A weight is a whole number from -32 to 31, written as one letter: with digits the file would be twice as large.
export const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
export const zero = 32;
export const separator = '|';

/** How many steps of weights make one unit of a logistic score. Hardly any weight is above one unit. */
export const stepsPerUnit = 28;

const weightOfCode = new Int8Array(128);
for (const [index, letter] of [...letters].entries()) weightOfCode[letter.charCodeAt(0)] = index - zero;

export function decodeWeights(lines: string[]): Map<string, Int8Array> {
  const rows = new Map<string, Int8Array>();
  for (const line of lines) {
    for (const entry of line.split(separator)) {
      const end = entry.length - changeTypes.length;
      const weights = new Int8Array(changeTypes.length);
      for (let type = 0; type < weights.length; type++) {
        weights[type] = weightOfCode[entry.charCodeAt(end + type)] ?? 0;
      }
      rows.set(entry.slice(0, end - 1), weights);
    }
  }
  return rows;
}

/** How likely each type is by what speaks for it, in steps. */
export function chancesOf(scores: Float64Array): Float64Array {
  const most = Math.max(...scores);
  const odds = scores.map((score) => Math.exp((score - most) / stepsPerUnit));
  const sum = odds.reduce((total, one) => total + one, 0);
  return odds.map((one) => one / sum);
}
