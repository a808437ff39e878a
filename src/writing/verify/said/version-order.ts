interface Version {
  numbers: number[];
  /** Such as rc.1; empty for the version itself, which comes after all of these. */
  before: string;
}

function versionIn(text: string): Version | null {
  const found = /(\d+(?:\.\d+)*)(?:[-.]?([A-Za-z][\w.]*))?/.exec(text);
  return found ? { numbers: (found[1] ?? '').split('.').map(Number), before: found[2] ?? '' } : null;
}

/** Negative where the first comes before the second; null where that cannot be told. */
export function versionOrder(one: string, other: string): number | null {
  const [first, second] = [versionIn(one), versionIn(other)];
  if (!first || !second) return null;
  for (let index = 0; index < Math.max(first.numbers.length, second.numbers.length); index++) {
    const difference = (first.numbers[index] ?? 0) - (second.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (first.before === second.before) return null;
  if (first.before === '' || second.before === '') return first.before === '' ? 1 : -1;
  return first.before.localeCompare(second.before, 'en', { numeric: true });
}
