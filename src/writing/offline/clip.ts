/** A line of code longer than this is not read to its end. */
const longestLine = 100;

/** Code is cut between names and signs, a sentence between words. */
const tokens = { code: /\s+|[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu, text: /\s+|\S+/gu } as const;

/** A line, cut between two tokens where it is too long; what is left out is an ellipsis. */
export function clipLine(text: string, most = longestLine, kind: keyof typeof tokens = 'code'): string {
  if (text.length <= most) return text;
  let kept = '';
  for (const [token] of text.matchAll(tokens[kind])) {
    // A name is never cut, however long it is.
    if (kept !== '' && kept.length + token.length > most - 2) break;
    kept += token;
  }
  return kept.length < text.length ? `${kept.trimEnd()} …` : text;
}

/** Tokens that stay on either side of a difference, so that one sees where it is. */
const company = { code: 6, text: 8 } as const;

/** Two lines of which one became the other, cut around what tells them apart where they are too long. */
export function clipPair(
  from: string,
  to: string,
  most = longestLine,
  kind: keyof typeof tokens = 'code',
): { from: string; to: string } {
  if (from.length <= most && to.length <= most) return { from, to };
  const old = from.match(tokens[kind]) ?? [];
  const now = to.match(tokens[kind]) ?? [];
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start++;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const cut = (all: string[]): string => {
    const first = Math.max(0, start - company[kind]);
    const last = Math.min(all.length, all.length - end + company[kind]);
    const middle = all.slice(first, last).join('').trim();
    const clipped = clipLine(middle, most, kind);
    return `${first > 0 ? '… ' : ''}${clipped}${last < all.length && !clipped.endsWith('…') ? ' …' : ''}`;
  };
  return { from: cut(old), to: cut(now) };
}
