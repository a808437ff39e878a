/** Words and single signs, so that `a.b` and `a->b` are not alike by chance. */
const words = /[\p{L}\p{N}_$]+|[=!<>]=|=>|->|&&|\|\||[-+*/%<>!?]/gu;

/** Gives each word a number, so that pieces that are compared with many others are read only once. */
export class WordNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #pattern: RegExp;

  constructor(pattern = words) {
    this.#pattern = pattern;
  }

  /** The words of a text, each as often as it stands, in the order of their numbers. */
  of(text: string): Uint32Array {
    const found = text.match(this.#pattern) ?? [];
    const numbers = new Uint32Array(found.length);
    for (let index = 0; index < found.length; index++) {
      const word = found[index] as string;
      const number = this.#numbers.get(word) ?? this.#numbers.size;
      if (number === this.#numbers.size) this.#numbers.set(word, number);
      numbers[index] = number;
    }
    return numbers.sort();
  }
}

/** How much two pieces have in common by their words, from 0 to 1: the words of both, each as often as it stands. */
export function likenessOf(one: Uint32Array, other: Uint32Array): number {
  let common = 0;
  for (let [first, second] = [0, 0]; first < one.length && second < other.length; ) {
    const difference = (one[first] as number) - (other[second] as number);
    if (difference === 0) common++;
    if (difference <= 0) first++;
    if (difference >= 0) second++;
  }
  return common === 0 ? 0 : (2 * common) / (one.length + other.length);
}

/** The same for two pieces of code or text. */
export function likeness(one: string, other: string, pattern = words): number {
  const numbers = new WordNumbers(pattern);
  return likenessOf(numbers.of(one), numbers.of(other));
}
