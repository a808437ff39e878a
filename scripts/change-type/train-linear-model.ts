import { changeTypes } from '../../src/domain/article.ts';
import { randomNumbers, shuffle } from './random-numbers.ts';
import type { Example } from './read-examples.ts';
import { weighExamples } from './weigh-examples.ts';

/** For each feature a weight for each type, one feature after the other, and what a type has from the start. */
interface LinearModel {
  weights: Float64Array;
  start: Float64Array;
}

const types = changeTypes.length;
const rounds = 16;
// The last rounds still sway around the best weights; their average is closer to them than any one.
const averagedRounds = 8;
const learningRate = 0.03;
const shrinking = 3e-4;
// Half of the features are hidden at each step, so that none is relied upon that only one repository has.
const hidden = 0.5;
const firstSquares = 1e-2;

/** Multinomial logistic regression, learned example by example with AdaGrad. The same examples give the same model. */
export function trainLinearModel(examples: Example[], size: number): LinearModel {
  const learner = new Learner(size, examples);
  const order = Int32Array.from(examples.keys());
  const importance = weighExamples(examples);
  const sum: LinearModel = { weights: new Float64Array(size * types), start: new Float64Array(types) };
  for (let round = 0; round < rounds; round++) {
    shuffle(order, learner.random);
    const rate = learningRate * (1 - (0.9 * round) / rounds);
    for (const index of order) {
      const example = examples[index];
      if (example) learner.learn(example, rate, at(importance, index));
    }
    if (round < rounds - averagedRounds) continue;
    addTo(sum.weights, learner.weights, 1 / averagedRounds);
    addTo(sum.start, learner.start, 1 / averagedRounds);
  }
  return sum;
}

class Learner {
  readonly random = randomNumbers(7);
  readonly weights: Float64Array;
  readonly start = new Float64Array(types);
  readonly #squares: Float64Array;
  readonly #startSquares = new Float64Array(types).fill(firstSquares);
  /** A rare feature is seen rarely, so that each time it is seen it is shrunk the more. */
  readonly #shrinking: Float64Array;
  readonly #shown: Int32Array;
  readonly #amounts: Float64Array;
  readonly #errors = new Float64Array(types);

  constructor(size: number, examples: Example[]) {
    this.weights = new Float64Array(size * types);
    this.#squares = new Float64Array(size * types).fill(firstSquares);
    const seen = new Float64Array(size).fill(1);
    let most = 0;
    for (const { features } of examples) {
      most = Math.max(most, features.length);
      for (const feature of features) seen[feature] = at(seen, feature) + 1;
    }
    this.#shrinking = seen.map((number) => (shrinking * examples.length) / number);
    this.#shown = new Int32Array(most);
    this.#amounts = new Float64Array(most);
  }

  learn(example: Example, rate: number, importance: number): void {
    const shown = this.#show(example);
    this.#judge(shown, example.type, importance);
    for (let type = 0; type < types; type++) {
      this.#step(this.start, this.#startSquares, type, at(this.#errors, type), rate);
    }
    for (let index = 0; index < shown; index++) {
      const feature = at(this.#shown, index);
      const amount = at(this.#amounts, index);
      const shrunk = at(this.#shrinking, feature);
      for (let type = 0, place = feature * types; type < types; type++, place++) {
        const slope = at(this.#errors, type) * amount + shrunk * at(this.weights, place);
        this.#step(this.weights, this.#squares, place, slope, rate);
      }
    }
  }

  /** Chooses what is not hidden this time, which counts for the hidden too. Gives its number. */
  #show({ features, amounts }: Example): number {
    let shown = 0;
    for (let index = 0; index < features.length; index++) {
      if (this.random() < hidden) continue;
      this.#shown[shown] = at(features, index);
      this.#amounts[shown++] = at(amounts, index) / (1 - hidden);
    }
    return shown;
  }

  /** How far the probability of each type is from what it should be. */
  #judge(shown: number, expected: number, importance: number): void {
    const errors = this.#errors;
    errors.set(this.start);
    for (let index = 0; index < shown; index++) {
      const amount = at(this.#amounts, index);
      const place = at(this.#shown, index) * types;
      for (let type = 0; type < types; type++) {
        errors[type] = at(errors, type) + amount * at(this.weights, place + type);
      }
    }
    let highest = -Infinity;
    for (let type = 0; type < types; type++) highest = Math.max(highest, at(errors, type));
    let sum = 0;
    for (let type = 0; type < types; type++) sum += errors[type] = Math.exp(at(errors, type) - highest);
    for (let type = 0; type < types; type++) {
      errors[type] = importance * (at(errors, type) / sum - (type === expected ? 1 : 0));
    }
  }

  #step(numbers: Float64Array, squares: Float64Array, place: number, slope: number, rate: number): void {
    const square = at(squares, place) + slope * slope;
    squares[place] = square;
    numbers[place] = at(numbers, place) - (rate * slope) / Math.sqrt(square);
  }
}

function addTo(sum: Float64Array, numbers: Float64Array, share: number): void {
  for (let index = 0; index < sum.length; index++) sum[index] = at(sum, index) + share * at(numbers, index);
}

const at = (numbers: Float64Array | Float32Array | Int32Array, index: number): number => numbers[index] ?? 0;
