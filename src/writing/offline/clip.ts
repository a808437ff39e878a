/** A line of code longer than this is not read to its end. */
const longestLine = 100;

const tokens = /\s+|[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

/** A line of code, cut between two tokens where it is too long; what is left out is an ellipsis. */
export function clipLine(text: string, most = longestLine): string {
  if (text.length <= most) return text;
  let kept = '';
  for (const [token] of text.matchAll(tokens)) {
    // A name is never cut, however long it is.
    if (kept !== '' && kept.length + token.length > most - 2) break;
    kept += token;
  }
  return kept.length < text.length ? `${kept.trimEnd()} …` : text;
}

/** Tokens that stay on either side of a difference, so that one sees where it is. */
const company = 6;

/** Two lines of which one became the other, cut around what tells them apart where they are too long. */
export function clipPair(from: string, to: string, most = longestLine): { from: string; to: string } {
  if (from.length <= most && to.length <= most) return { from, to };
  const old = from.match(tokens) ?? [];
  const now = to.match(tokens) ?? [];
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start++;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const cut = (all: string[]): string => {
    const first = Math.max(0, start - company);
    const last = Math.min(all.length, all.length - end + company);
    const middle = all.slice(first, last).join('').trim();
    const clipped = clipLine(middle, most);
    return `${first > 0 ? '… ' : ''}${clipped}${last < all.length && !clipped.endsWith('…') ? ' …' : ''}`;
  };
  return { from: cut(old), to: cut(now) };
}
