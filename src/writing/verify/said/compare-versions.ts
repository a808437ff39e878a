const numbersIn = (version: string): number[] | null => {
  const found = /\d+(?:\.\d+)*/.exec(version)?.[0];
  return found ? found.split('.').map(Number) : null;
};

/** Negative where the first comes before the second; null where that cannot be told. */
export function compareVersions(one: string, other: string): number | null {
  const [first, second] = [numbersIn(one), numbersIn(other)];
  if (!first || !second) return null;
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    const difference = (first[index] ?? 0) - (second[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return null;
}
