import { changeTypes } from '../../src/domain/article.ts';
import {
  chancesOf,
  type Family,
  type StoredTable,
  stepsPerUnit,
} from '../../src/reading/change-type/change-features.ts';
import { chooseFeatures } from './choose-features.ts';
import type { FeatureNames } from './feature-names.ts';
import { encodeWeights, largestWeight } from './print-table.ts';
import type { Example } from './read-examples.ts';
import { trainLinearModel } from './train-linear-model.ts';

/** What a table says of a pull request: the likeliest type, how likely it is, and what its author says. */
export interface Judgement {
  expected: number;
  judged: number;
  chance: number;
}

/** Weights as they are stored, in whole steps, by the numbers of their features. */
interface LearnedTable {
  start: Float64Array;
  weights: Map<number, Int8Array>;
}

// More would make the table larger than it is worth: 8,000 were no better on repositories that were held back.
const mostFeatures = 4000;

export function learnTable(examples: Example[], names: FeatureNames): LearnedTable {
  const chosen = chooseFeatures(examples, names);
  const renumbered = renumber(examples, chosen, names.size);
  const model = trainLinearModel(renumbered, chosen.length);
  const strength = strengths(model.weights, renumbered);
  const strongest = [...chosen.keys()]
    .sort((one, other) => (strength[other] ?? 0) - (strength[one] ?? 0))
    .slice(0, mostFeatures);
  const weights = new Map<number, Int8Array>();
  for (const place of strongest) {
    const from = place * changeTypes.length;
    const row = Int8Array.from(model.weights.subarray(from, from + changeTypes.length), toSteps);
    const number = chosen[place];
    if (number !== undefined && row.some((weight) => weight !== 0)) weights.set(number, row);
  }
  return { start: model.start.map((score) => score * stepsPerUnit), weights };
}

const toSteps = (weight: number): number =>
  Math.max(-largestWeight, Math.min(largestWeight, Math.round(weight * stepsPerUnit)));

/** The same examples with nothing but the chosen features, numbered by their places among them. */
function renumber(examples: Example[], chosen: number[], size: number): Example[] {
  const places = new Int32Array(size).fill(-1);
  for (const [place, number] of chosen.entries()) places[number] = place;
  return examples.map((example) => {
    const kept = [...example.features.keys()].filter(
      (index) => (places[example.features[index] ?? 0] ?? -1) >= 0,
    );
    return {
      ...example,
      features: Int32Array.from(kept, (index) => places[example.features[index] ?? 0] ?? 0),
      amounts: Float32Array.from(kept, (index) => example.amounts[index] ?? 0),
    };
  });
}

/** How much a feature changes verdicts: by how heavy it is, and by how often it is seen. */
function strengths(weights: Float64Array, examples: Example[]): Float64Array {
  const strength = new Float64Array(weights.length / changeTypes.length);
  for (const { features } of examples) {
    for (const feature of features) strength[feature] = (strength[feature] ?? 0) + 1;
  }
  return strength.map((seen, feature) => {
    const from = feature * changeTypes.length;
    const row = weights.subarray(from, from + changeTypes.length);
    return Math.sqrt(seen) * Math.hypot(...row);
  });
}

export function judge({ start, weights }: LearnedTable, { type, features, amounts }: Example): Judgement {
  const scores = Float64Array.from(start);
  for (const [index, feature] of features.entries()) {
    const row = weights.get(feature);
    const amount = amounts[index] ?? 0;
    for (const [of, weight] of row?.entries() ?? []) scores[of] = (scores[of] ?? 0) + amount * weight;
  }
  const chances = chancesOf(scores);
  const chance = Math.max(...chances);
  return { expected: type, judged: chances.indexOf(chance), chance };
}

/** The table as it is kept, its features in alphabetical order, so that two versions of it can be compared. */
export function storeTable(table: LearnedTable, leastChance: number, names: FeatureNames): StoredTable {
  const named = [...table.weights].map(([number, row]) => ({ ...names.nameOf(number), row }));
  named.sort((one, other) => (one.name < other.name ? -1 : 1));
  const store = (family: Family): string[] =>
    encodeWeights(named.filter((one) => one.family === family).map(({ name, row }) => [name, [...row]]));
  return {
    leastChance,
    start: [...table.start].map(Math.round),
    weights: {
      title: store('title'),
      titleBesideFiles: store('titleBesideFiles'),
      body: store('body'),
      shape: store('shape'),
      path: store('path'),
    },
  };
}
