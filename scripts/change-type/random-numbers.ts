/** Numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffle(numbers: Int32Array, random: () => number): void {
  for (let index = numbers.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    const kept = numbers[index] ?? 0;
    numbers[index] = numbers[other] ?? 0;
    numbers[other] = kept;
  }
}
