export type VersionChange = 'upgraded' | 'downgraded' | 'changed';

interface Version {
  numbers: string[];
  suffix: string;
}

interface Comparator {
  operator: string;
  version: Version;
}

// Longer than any real range, and short enough for every pattern below.
const longestRange = 150;

/** Which way a version or range went. Where that is not certain the answer is that it changed. */
export function compareVersions(from: string | null, to: string | null): VersionChange {
  const before = parseRange(from);
  const after = parseRange(to);
  if (!before || !after || before.length !== after.length) return 'changed';
  let up = false;
  let down = false;
  for (const [index, old] of before.entries()) {
    const current = after[index];
    if (!current || !isComparable(old.operator, current.operator, before.length)) return 'changed';
    const order = orderVersions(old.version, current.version);
    if (order === null || isOtherPrecision(old, current)) return 'changed';
    // An upper bound that moved allows more or less, and asks for nothing else.
    if (old.operator.startsWith('<')) continue;
    up ||= order < 0;
    down ||= order > 0;
  }
  if (up === down) return 'changed';
  return up ? 'upgraded' : 'downgraded';
}

/** A caret that became a tilde still went up when its number did; an upper bound that became a lower one says nothing. */
function isComparable(one: string, other: string, count: number): boolean {
  if (one === other) return true;
  return count === 1 && !one.startsWith('<') && !other.startsWith('<') && one !== '!=' && other !== '!=';
}

/** Going from 2.3.4 to 2 leaves the choice to somebody else; it is not a step back. */
function isOtherPrecision(one: Comparator, other: Comparator): boolean {
  if (one.operator !== '' || other.operator !== '') return false;
  const [short, long] = [one.version.numbers, other.version.numbers].sort((a, b) => a.length - b.length);
  if (!short || !long || short.length === long.length) return false;
  return short.every((number, index) => number === long[index]);
}

function parseRange(text: string | null): Comparator[] | null {
  if (text === null || text.length > longestRange) return null;
  const range = text.replace(
    /^(?:workspace:|npm:(?:@[\w.-]+\/)?[\w.-]+@|jsr:(?:@[\w.-]+\/)?[\w.-]+@|go(?=\d))/,
    '',
  );
  const token = /[\s,|]*(\^|~>|~=|~|>=|<=|===?|!=|=|>|<)?\s*v?(\d[\w.*+-]*)/y;
  const comparators: Comparator[] = [];
  let end = 0;
  while (end < range.length) {
    token.lastIndex = end;
    const match = token.exec(range);
    const version = match?.[2] ? parseVersion(match[2]) : null;
    if (!match || !version) return null;
    comparators.push({ operator: match[1] ?? '', version });
    end = token.lastIndex;
    if (/^(?: - |\s*$)/.test(range.slice(end))) end += range.slice(end).startsWith(' - ') ? 3 : range.length;
  }
  return comparators.length > 0 ? comparators : null;
}

function parseVersion(text: string): Version | null {
  // Hashes name a state, not a place in an order.
  if (/^[0-9a-f]{12,}$/.test(text) && /[a-f]/.test(text)) return null;
  const match = /^(\d{1,20}(?:\.\d{1,20}){0,9})(?:\.[x*])?(?![\d*])(.*)$/.exec(text.replace(/\+.*$/, ''));
  return match?.[1] ? { numbers: match[1].split('.'), suffix: (match[2] ?? '').toLowerCase() } : null;
}

/** Negative when the first is lower, positive when it is higher, 0 when equal, null when that cannot be told. */
function orderVersions(one: Version, other: Version): number | null {
  const length = Math.max(one.numbers.length, other.numbers.length);
  for (let index = 0; index < length; index += 1) {
    const order = orderNumbers(one.numbers[index] ?? '0', other.numbers[index] ?? '0');
    if (order !== 0) return order;
  }
  return orderSuffixes(one.suffix, other.suffix);
}

function orderNumbers(one: string, other: string): number {
  const left = one.replace(/^0+(?=\d)/, '');
  const right = other.replace(/^0+(?=\d)/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Stages before a release, in their order. Others, such as nightly builds, have none among these. */
const stages: Record<string, number> = { a: 1, alpha: 1, b: 2, beta: 2, pre: 3, preview: 3, c: 4, rc: 4 };
const unordered = /\b(?:dev|canary|next|nightly|snapshot|insiders|experimental)/;
const pseudoVersion = /^-(?:\w+\.)?(?:0\.)?(\d{14})-[0-9a-f]{12}$/;

function orderSuffixes(one: string, other: string): number | null {
  if (one === other) return 0;
  const left = pseudoVersion.exec(one);
  const right = pseudoVersion.exec(other);
  if (left?.[1] && right?.[1]) return orderNumbers(left[1], right[1]);
  const [isLeftPrerelease, isRightPrerelease] = [isPrerelease(one), isPrerelease(other)];
  if (isLeftPrerelease && other === '') return -1;
  if (isRightPrerelease && one === '') return 1;
  if (isLeftPrerelease && isRightPrerelease) return orderPrereleases(one, other);
  return null;
}

function isPrerelease(suffix: string): boolean {
  const word = /[a-z]+/.exec(suffix)?.[0];
  return (word !== undefined && word in stages) || unordered.test(suffix) || pseudoVersion.test(suffix);
}

function orderPrereleases(one: string, other: string): number | null {
  const left = one.match(/[a-z]+|\d+/g) ?? [];
  const right = other.match(/[a-z]+|\d+/g) ?? [];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [before, after] = [left[index], right[index]];
    if (before === after) continue;
    if (before === undefined || after === undefined) return before === undefined ? -1 : 1;
    if (/^\d/.test(before) && /^\d/.test(after)) return orderNumbers(before, after);
    const [stage, nextStage] = [stages[before], stages[after]];
    return stage && nextStage && stage !== nextStage ? stage - nextStage : null;
  }
  return null;
}
