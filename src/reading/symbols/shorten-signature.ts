const longestSignature = 200;
const headLength = 70;
/** What begins to differ behind this would be cut off before anybody sees how. */
const lastSeen = longestSignature - 20;

/** Cuts a signature, between its words, so that what is not the same in the other one stays visible. */
export function shortenSignature(signature: string, other: string | null): string {
  if (other !== null && Math.max(signature.length, other.length) > longestSignature) {
    const together = cutTogether(signature, other);
    if (together !== null) return together;
  }
  if (signature.length <= longestSignature) return signature;
  const tail = longestSignature - headLength - 3;
  const difference = other === null ? 0 : firstDifference(signature, other);
  if (difference < lastSeen)
    return `${signature.slice(0, boundaryBefore(signature, longestSignature - 2)).trimEnd()} …`;
  // Both go on at the same place: what they have in common up to there is the same.
  const start = Math.max(headLength, difference - 20);
  const head = signature.slice(0, boundaryBefore(signature, headLength)).trimEnd();
  const from = boundaryBefore(signature, start);
  const to = start + tail < signature.length ? boundaryBefore(signature, start + tail) : signature.length;
  return `${head} … ${signature.slice(from, to).trim()}${to < signature.length ? ' …' : ''}`;
}

const words = /[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu;

/** Both cut behind as many words, so that what is left out is the same in both; null where they differ only about there. */
function cutTogether(signature: string, other: string): string | null {
  const [own, others] = [signature.match(words) ?? [], other.match(words) ?? []];
  const room = Math.min(within(own), within(others));
  if (firstDifference(signature, other) >= lastSeen) return null;
  return room < own.length ? `${own.slice(0, room).join('').trimEnd()} …` : signature;
}

function within(all: string[]): number {
  let length = 0;
  const over = all.findIndex((word) => {
    length += word.length;
    return length > longestSignature - 2;
  });
  return over < 0 ? all.length : over;
}

/** The last place up to this one at which no word is cut in two. */
function boundaryBefore(text: string, place: number): number {
  const isWord = (index: number): boolean => /[\p{L}\p{N}_$]/u.test(text.charAt(index));
  let at = place;
  while (at > 0 && isWord(at - 1) && isWord(at)) at--;
  return at;
}

function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  return index;
}
