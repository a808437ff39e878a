import { splitLine } from '../../reading/description/sentences.ts';
import type { DiffLine } from '../../reading/file-diff.ts';
import { isBalanced, isProse, losesAddress, plainText } from '../plain-text.ts';
import { clipLine, clipPair } from './clip.ts';
import { type Block, join, rangeOf, replacement, type Sides, squeeze } from './compare-lines.ts';
import { looksLikeExample } from './document-examples.ts';
import { documentWords, goesOnIn } from './document-words.ts';
import type { HasLike } from './like-lines.ts';
import { leastAlike, leastRewritten, likeness } from './likeness.ts';
import { quoteCode, type Told, tell } from './outline.ts';
import { paragraphsOf } from './paragraphs.ts';

const heading = /^(#{1,6})\s+\S/;

/** A heading in the place of another one that reads much like it. */
export function changedHeading(path: string, { removed, added }: Block, { before, after }: Sides): Told[] {
  const [old, now] = [removed[0], added[0]];
  if (!old || !now || removed.length > 1 || added.length > 1) return [];
  const [was, is] = [old, now].map(({ text }) => heading.exec(text)?.[1]);
  return was !== undefined &&
    was === is &&
    likeness(old.text, now.text) >= leastAlike &&
    documentWords(old.text) !== documentWords(now.text) &&
    !after.has(squeeze(old.text)) &&
    !before.has(squeeze(now.text))
    ? replacement(path, removed, added, 'marks')
    : [];
}

/** The paragraphs of a document that go, and those that come. */
export interface Paragraphs extends Sides {
  stale: string[];
  fresh: { lines: DiffLine[]; text: string }[];
}

interface Placed {
  text: string;
  lines: DiffLine[];
  /** What stands before it in its paragraph. */
  above: string | null;
}

/** Of more sentences, a program wrote the most. */
const mostSentences = 60;

/** A sentence that came to a paragraph, or left it, behind one that stayed in it. */
export function changedSentences(path: string, { removed, added }: Block, sides: Paragraphs): Told[] {
  const [was, is] = [sentencesOf(removed), sentencesOf(added)];
  if (Math.max(was.length, is.length) > mostSentences) return [];
  const isNews = (text: string, others: Placed[], isLike: HasLike): boolean =>
    isQuotable(text) &&
    !isLike(text) &&
    !others.some((other) => likeness(other.text, text) >= leastRewritten);
  const come = behindStaying(is, was).find(({ text }) => isNews(text, was, sides.isLike.before));
  const gone = behindStaying(was, is).find(({ text }) => isNews(text, is, sides.isLike.after));
  const told = (say: 'addsText' | 'dropsText', { text, lines }: Placed): Told =>
    quoteCode({ say, quote: plainText(clipLine(text, longestQuote)) }, rangeOf(path, lines));
  return [
    ...(come && !goesOnIn(come.text, sides.stale) ? [told('addsText', come)] : []),
    ...(gone &&
    !goesOnIn(
      gone.text,
      sides.fresh.map(({ text }) => text),
    )
      ? [told('dropsText', gone)]
      : []),
  ];
}

/** The sentences that stand on one side only, and follow one that stands on both. */
function behindStaying(own: Placed[], others: Placed[]): Placed[] {
  const known = new Set(others.map(({ text }) => documentWords(text)));
  return own.filter(
    ({ text, above }) => above !== null && known.has(documentWords(above)) && !known.has(documentWords(text)),
  );
}

const longestQuote = 180;

/** The sentences of a document's paragraphs; what stands in examples is none. */
function sentencesOf(lines: DiffLine[]): Placed[] {
  let isExample = false;
  const prose = lines.filter(({ text }) => {
    const isFence = /^\s*(?:```|~~~)/.test(text);
    if (isFence) isExample = !isExample;
    return !isFence && !isExample;
  });
  if (isExample) return [];
  return paragraphsOf(prose).flatMap((paragraph) =>
    splitLine(join(paragraph)).map((text, at, all) => ({
      text,
      lines: paragraph,
      above: all[at - 1] ?? null,
    })),
  );
}

/** Whether a sentence is whole, and made of words. */
const isQuotable = (text: string): boolean =>
  /^["“`(]*\p{Lu}.*[.!?][)”"]?$/u.test(text) &&
  (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= 5 &&
  isProse(plainText(text)) &&
  !looksLikeExample.test(text) &&
  !losesAddress(text) &&
  isBalanced(plainText(clipLine(text, longestQuote)));

/** Where a link of a document leads to, by the name that it has there. */
const target = /^\s*(?:\[([^\]]+)\]|\.\. _([^:`]+)):\s+(\S+)\s*$/;

/** A link that leads elsewhere, told where nothing else of a document is. */
export function changedLinks(path: string, blocks: Block[]): Told[] {
  const linksIn = (lines: DiffLine[]): Map<string, DiffLine> =>
    new Map(
      lines.flatMap((line) => {
        const [, mark, name] = target.exec(line.text) ?? [];
        const label = mark ?? name;
        return label === undefined ? [] : [[label.toLowerCase(), line] as const];
      }),
    );
  const [old, now] = [
    linksIn(blocks.flatMap(({ removed }) => removed)),
    linksIn(blocks.flatMap(({ added }) => added)),
  ];
  const changed = [...now].flatMap(([label, after]) => {
    const before = old.get(label);
    return before && join([before]) !== join([after]) ? [{ before, after }] : [];
  });
  const [first] = changed;
  const shown = first && clipPair(join([first.before]), join([first.after]), longestLink);
  if (!first || !shown) return [];
  const isPart = blocks.some(({ removed, added }) =>
    [...removed, ...added].some(
      (line) => /\p{L}/u.test(line.text) && line !== first.before && line !== first.after,
    ),
  );
  return [
    tell({ say: 'rewordsText', ...shown, isPart }, [
      rangeOf(path, [first.before]),
      rangeOf(path, [first.after]),
    ]),
  ];
}

const longestLink = 110;
