/** Patterns and paths come from strangers. Honest ones need a few dozen steps. */
export interface Budget {
  steps: number;
}

/**
 * Matches a pattern and a path, both split at their slashes, the way git does in .gitattributes. A star is tried again
 * only from its last place; where even that takes too long, the answer is no.
 */
export function matchGlob(pattern: string[], path: string[], budget: Budget): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let starPlace = 0;
  while (place < path.length && budget.steps > 0) {
    const part = pattern[at];
    if (part === '**') {
      // At the end it stands for what is inside, which is one name at least.
      if (at === pattern.length - 1) return true;
      star = at++;
      starPlace = place;
    } else if (part !== undefined && matchSegment(part, path[place] ?? '', budget)) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      at = star + 1;
      starPlace += 1;
      place = starPlace;
    } else return false;
  }
  return place === path.length && at === pattern.length;
}

/** One name between two slashes: `*`, `?`, `[abc]`, `[!a-z]` and a backslash before what is meant as it stands. */
export function matchSegment(pattern: string, name: string, budget: Budget): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let starPlace = 0;
  while (place < name.length) {
    // A class is read whole for each character.
    budget.steps -= pattern[at] === '[' ? pattern.length : 1;
    if (budget.steps < 0) return false;
    const next = pattern[at] === '*' ? -1 : matchOne(pattern, at, name[place] ?? '');
    if (pattern[at] === '*') {
      star = at++;
      starPlace = place;
    } else if (next > 0) {
      at = next;
      place += 1;
    } else if (star >= 0) {
      at = star + 1;
      starPlace += 1;
      place = starPlace;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

/** Where the pattern goes on when its piece at this place takes the character, or -1. */
function matchOne(pattern: string, at: number, character: string): number {
  const first = pattern[at];
  if (first === undefined) return -1;
  if (first === '?') return at + 1;
  if (first === '\\' && at + 1 < pattern.length) return pattern[at + 1] === character ? at + 2 : -1;
  if (first !== '[') return first === character ? at + 1 : -1;
  return matchClass(pattern, at, character);
}

function matchClass(pattern: string, open: number, character: string): number {
  const isNegated = pattern[open + 1] === '!' || pattern[open + 1] === '^';
  const start = open + (isNegated ? 2 : 1);
  // A bracket that comes first is one of the characters.
  const close = pattern.indexOf(']', start + 1);
  if (close < 0) return -1;
  let isIn = false;
  for (let at = start; at < close; at += 1) {
    const low = pattern[at] ?? '';
    if (pattern[at + 1] === '-' && at + 2 < close) {
      isIn ||= character >= low && character <= (pattern[at + 2] ?? '');
      at += 2;
    } else isIn ||= character === low;
  }
  return isIn === isNegated ? -1 : close + 1;
}
