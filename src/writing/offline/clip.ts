/** A line of code longer than this is not read to its end. */
const longestLine = 100;

/** Neither names nor paths nor options nor operators are cut. */
const tokens = /\s+|<<-|<-|[-=<>!]+>|(?:[\p{L}\p{N}_$./@#%~]|[-:+](?![>=]))+|[-=<>!|&+*:?%^]{2,}|[^\s]/gu;

/** A line, cut between two tokens where it is too long; what is left out is an ellipsis. */
export function clipLine(text: string, most = longestLine): string {
  if (text.length <= most) return text;
  const all = text.match(tokens) ?? [];
  const kept = all.slice(0, Math.max(1, countWithin(all, most - 2)));
  return kept.length < all.length ? `${kept.join('').trimEnd()} …` : text;
}

/** A row of a table, cut between two cells where it is too long. */
export function clipRow(text: string, most: number): string {
  const end = text.lastIndexOf('|', most - 2) + 1;
  return text.length <= most || end <= 1 ? clipLine(text, most) : `${text.slice(0, end)} …`;
}

/** How many of these tokens fit into so many characters. */
function countWithin(all: string[], most: number): number {
  let length = 0;
  const over = all.findIndex((token) => {
    length += token.length;
    return length > most;
  });
  return over < 0 ? all.length : over;
}

/** Of a long line, so much stays before what tells it apart. */
const before = 40;

/**
 * Two lines of which one became the other, cut around what tells them apart where they are too long. Null where that
 * cannot be shown in so little.
 */
export function clipPair(from: string, to: string, most = longestLine): { from: string; to: string } | null {
  if (from.length <= most && to.length <= most) return { from, to };
  const old = from.match(tokens) ?? [];
  const now = to.match(tokens) ?? [];
  const least = Math.min(old.length, now.length);
  let start = 0;
  while (start < least && old[start] === now[start]) start++;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const first = start - countWithin(old.slice(0, start).reverse(), before);
  const cut = (all: string[]): string => {
    const middle = all.slice(first);
    const room = Math.max(countWithin(middle, most), 1);
    const kept = middle.slice(0, Math.min(room, middle.length - end + 6));
    return `${first > 0 ? '… ' : ''}${kept.join('').trim()}${kept.length < middle.length ? ' …' : ''}`;
  };
  const shown = { from: cut(old), to: cut(now) };
  const [one, other] = [shown.from, shown.to].map((text) => text.replace(/ …$/, ''));
  const isShown =
    one !== undefined && other !== undefined && !one.startsWith(other) && !other.startsWith(one);
  return isShown ? shown : null;
}
