import { isBalanced, scriptOf, shorten } from '../plain-text.ts';

const joints =
  'and or but as at by for from in into of on onto over per than through to towards? under using via with within without instead rather causing making allowing across during between against about ' +
  'when whenever if unless while until after before that which who where whose';

/** Where a clause, a phrase or a part of a list begins. */
const begins = new RegExp(`[\\s,;]+(?=(?:${joints.replaceAll(' ', '|')})\\s)|[,;.]\\s+`, 'gi');

/** What cannot be the end of anything. */
const leftOver = new RegExp(
  `\\s(?:${joints.replaceAll(' ', '|')}|an?|the|its|their|no|not|is|are|be|being|been|only|even|both)$`,
  'i',
);

/** Less than this is too little of a title. */
const leastKept = 28;

/** Whoever writes more is cut before it. */
const mostRead = 1000;

/** A title of no more than so many characters, cut where a clause or a phrase in it begins, or else at a word. */
export function shortenTitle(title: string, most: number): string {
  if (lengthOf(title) <= most || scriptOf(title) !== 'latin') return shorten(title, most);
  const near = title.slice(0, mostRead);
  const unscoped = near.replace(/^[\w./-]{2,40}:\s+/, '');
  if (lengthOf(unscoped) <= most && lengthOf(unscoped) >= leastKept) return unscoped;
  return cutAtEnd(near, most) ?? shorten(near, most).replace(/…$/, '').replace(leftOver, '').concat('…');
}

/** What a code host cut off in the middle of a word, cut where something begins. */
export const mendTorn = (title: string): string =>
  /^.{50,}\S…$/.test(title) ? (cutAtEnd(title, mostRead) ?? title) : title;

function cutAtEnd(title: string, most: number): string | null {
  const cut = Array.from(title.matchAll(begins), ({ index }) => title.slice(0, index)).findLast(
    (kept) => lengthOf(kept) < most && isBalanced(kept) && !leftOver.test(kept),
  );
  return cut !== undefined && lengthOf(cut) >= leastKept ? `${cut}…` : null;
}

const lengthOf = (text: string): number => [...text].length;
