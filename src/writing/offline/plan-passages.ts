import { commentEnd, commentSigns } from '../../reading/comment-signs.ts';
import { splitLine } from '../../reading/description/sentences.ts';
import type { FileFacts } from '../../reading/facts.ts';
import type { DiffLine, FileDiff } from '../../reading/file-diff.ts';
import { isBalanced, isProse, losesAddress, plainText } from '../plain-text.ts';
import { tellsSomething } from '../words/telling-sentences.ts';
import { leansBack } from '../words/whole-thoughts.ts';
import { isKindHeading } from './changelog-quote.ts';
import { clipLine } from './clip.ts';
import {
  type Block,
  join,
  placeOf,
  rangeOf,
  replacement,
  type Sides,
  squeeze,
  squeezeAll,
} from './compare-lines.ts';
import { changedMarks, exampleOf, isExample, looksLikeExample } from './document-examples.ts';
import { documentWords, entriesThatStay, goesOnIn, isSaidIn } from './document-words.ts';
import { almostTheSame, leastAlike, leastRewritten, likeness, likenessOf, wordSet } from './likeness.ts';
import { linesUnderOtherHeadings } from './other-sections.ts';
import { quoteCode, type Told, type Unit } from './outline.ts';
import { paragraphsOf } from './paragraphs.ts';
import { changedHeading, changedLinks, changedSentences, type Paragraphs } from './plan-document-edits.ts';
import { documented } from './plan-edits.ts';
import { keyOfLine } from './prose-lines.ts';

/** What comes after so many places of a document is not looked at. */
const mostBlocks = 12;
const mostUnits = 3;

/** Where more lines come and more lines go, a program wrote the document anew. */
const mostByHand = 200;

/** How a document reads now: what was rewritten, and how passages begin that came or went. */
export function shownText(diff: FileDiff, blocks: Block[], sides: Sides): Unit[] {
  const { path } = diff;
  const apart = linesUnderOtherHeadings(diff);
  const isMadeAnew = Math.min(diff.additions, diff.deletions) > mostByHand;
  const known = {
    ...sides,
    removed: blocks.flatMap(({ removed }) => removed),
    added: blocks.flatMap(({ added }) => added),
    isApart: (line: DiffLine) => isMadeAnew || apart.has(keyOfLine(line)),
    stays: entriesThatStay(diff),
    fresh: blocks.flatMap(({ added }) => paragraphsOf(added)).map((lines) => ({ lines, text: join(lines) })),
    stale: blocks.flatMap(({ removed }) => paragraphsOf(removed)).map(join),
    whole: {
      before: documentWords(blocks.map(({ removed }) => join(removed)).join(' ')),
      after: documentWords(blocks.map(({ added }) => join(added)).join(' ')),
    },
    bare: {
      before: new Set(blocks.flatMap(({ removed }) => removed.map(({ text }) => documentWords(text)))),
      after: new Set(blocks.flatMap(({ added }) => added.map(({ text }) => documentWords(text)))),
    },
  };
  const passages = blocks.slice(0, mostBlocks).flatMap((block) => showText(path, block, known));
  const told = passages.length > 0 ? passages : changedLinks(path, blocks);
  const unique = new Map(told.map((one) => [JSON.stringify(one.statement), one]));
  return [...unique.values()]
    .slice(0, mostUnits)
    .map((one, place) => ({ told: [one], weight: 20 / (2 + place), about: null }));
}

const startsProse = /^\s*(?:[-*+]\s+|\d+\.\s+|>\s+)?[\p{L}`"“(*_[]/u;
const wordsIn = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0;

/** A document's own lines, beside those of the whole change. */
interface Known extends Paragraphs, Block {
  isApart: (line: DiffLine) => boolean;
  stays: ReturnType<typeof entriesThatStay>;
  /** All that its lines say, one after the other. */
  whole: Record<'before' | 'after', string>;
  /** Its lines, however they are laid out. */
  bare: Record<'before' | 'after', Set<string>>;
}

function showText(path: string, block: Block, sides: Known): Told[] {
  const { removed, added } = block;
  if (removed.length === 0 || added.length === 0) return passage(path, block, sides);
  if (squeezeAll(removed) === squeezeAll(added)) return [];
  // Entries of a list that was made anew look alike and are about different things.
  if (
    removed.some(sides.isApart) &&
    [...removed, ...added].every(({ text }) => isShort(text) || isExample(text))
  )
    return changedHeading(path, block, sides);
  const told = [...removed, ...added].every(({ text }) => isExample(text))
    ? exampleOf(path, block, sides)
    : rewritten(path, block, sides);
  if (told.length > 0) return told;
  const marks = changedMarks(path, block, sides);
  return marks.length > 0 ? marks : changedSentences(path, block, sides);
}

/** Paragraphs that were made out of others, and those that came and went beside them. */
function rewritten(path: string, { removed, added }: Block, sides: Known): Told[] {
  const [old, now] = [paragraphsOf(removed), paragraphsOf(added)];
  if (Math.max(old.length, now.length) > mostParagraphs) return [];
  const pairs = pairParagraphs(old, now);
  const paired = new Set(pairs.flatMap(({ before, after }) => [before, after]));
  const alone = (paragraphs: DiffLine[][]) => paragraphs.filter((lines) => !paired.has(lines)).flat();
  const [gone, fresh] = [alone(old), alone(now)];
  const come = fresh.length > 0 ? passage(path, { removed: [], added: fresh }, sides) : [];
  const isReplaced = fresh.length > 0 && come.length === 0;
  return [
    ...pairs
      .filter(({ before, after }) => !losesToOthers(before, after, sides) && !isParted(before, after, sides))
      .flatMap(({ before, after }) => replacement(path, before, after, 'text')),
    ...come,
    // What something else stands in the place of is told to go only beside that.
    ...(gone.length > 0 && !isReplaced ? passage(path, { removed: gone, added: [] }, sides) : []),
  ].slice(0, 2);
}

/** Whether two paragraphs differ by where the sentences of one now stand, and by none that changes. */
function isParted(before: DiffLine[], after: DiffLine[], { whole }: Known): boolean {
  const [was, is] = [splitLine(join(before)), splitLine(join(after))];
  if (was.length === is.length || Math.max(was.length, is.length) > mostParagraphs) return false;
  const standIn = (sentences: string[], text: string): boolean =>
    sentences.every((one) => text.includes(documentWords(one).replace(/(?<![.:;,!?])[.:;,!?]+$/, '')));
  return standIn(was, whole.after) && standIn(is, whole.before);
}

/** Whether a sentence is left out of a paragraph that another one goes on with. */
function losesToOthers(before: DiffLine[], after: DiffLine[], { fresh, isLike }: Known): boolean {
  const now = documentWords(join(after));
  const sentences = splitLine(join(after));
  const kept = new Set(sentences.map(documentWords));
  const left = splitLine(join(before)).filter((sentence) => !kept.has(documentWords(sentence)));
  if (left.length > mostParagraphs) return true;
  const others = fresh.flatMap(({ lines, text }) => (lines[0] === after[0] ? [] : [text]));
  return left.some(
    (sentence) =>
      !now.includes(documentWords(sentence)) &&
      !goesOnIn(sentence, [join(after)]) &&
      !sentences.some((one) => likeness(one, sentence) >= leastRewritten) &&
      (goesOnIn(sentence, others) || isLike.after(sentence)),
  );
}

/** Where more paragraphs, or sentences of one, stand in place of others, nobody would look which was made out of which. */
const mostParagraphs = 60;

/** So few words make two paragraphs alike by chance, as the entries of a list have the same labels and addresses. */
const fewWords = 8;
/** Among more paragraphs, such an entry may have come in the place of another. */
const fewParagraphs = 4;

const isShort = (text: string): boolean => wordSet(text).size < fewWords;

/** Paragraphs of which one was made out of the other: each is what the other is most like. */
function pairParagraphs(old: DiffLine[][], now: DiffLine[][]): { before: DiffLine[]; after: DiffLine[] }[] {
  if (Math.max(old.length, now.length) > mostParagraphs) return [];
  const isOneForOne = old.length === 1 && now.length === 1;
  const [was, is] = [old.map(join), now.map(join)];
  const words = is.map(wordSet);
  const alike = was.map(wordSet).map((one) => words.map((other) => likenessOf(one, other)));
  return old.flatMap((before, row) => {
    const own = alike[row] ?? [];
    const most = Math.max(...own);
    const column = own.indexOf(most);
    const [after, text] = [now[column], is[column]];
    if (!after || text === undefined) return [];
    const isAny = isShort(was[row] ?? '') || isShort(text);
    if (isAny && (old.length !== now.length || old.length > fewParagraphs)) return [];
    const least = isOneForOne ? leastRewritten : isAny ? almostTheSame : leastAlike;
    const isRivalled =
      own.some((value, at) => at !== column && value === most) ||
      alike.some((values, at) => at !== row && (values[column] ?? 0) >= most);
    return most >= least && !isRivalled ? [{ before, after }] : [];
  });
}

const heading = /^#{1,6}\s+(.{2,80})$/;

/** What reStructuredText puts before a passage that stands out. */
const admonition = /^(\s*)\.\. (?:note|warning|tip|hint|important|caution|attention|danger)::\s+(?=\S)/;

/** How a passage begins that came or went. */
function passage(path: string, { removed, added }: Block, sides: Known): Told[] {
  const isGone = removed.length > 0;
  const own = (isGone ? removed : added).filter(({ text }) => !isKindHeading(heading.exec(text)?.[1] ?? ''));
  const block: Block = isGone ? { removed: own, added: [] } : { removed: [], added: own };
  const lines = own.map((line) => ({ ...line, text: line.text.replace(admonition, '$1') }));
  // Where headings come and go, one may be what another is called now.
  const isRetitled = (isGone ? sides.added : sides.removed).some(({ text }) => heading.test(text));
  const first = lines.findIndex(
    ({ text }) =>
      (!isRetitled && wordsIn(heading.exec(text)?.[1] ?? '') > 0) ||
      (startsProse.test(text) && !heading.test(text) && wordsIn(text) >= 4),
  );
  const start = lines[first];
  if (!start && isRetitled && lines.some(({ text }) => heading.test(text))) return [];
  const others = isGone ? sides.added : sides.removed;
  if (!start)
    return lines.slice(0, mostShort).some(({ text }) => isPartOfOne(text, others))
      ? []
      : exampleOf(path, block, sides);
  const side = isGone ? 'after' : 'before';
  if (sides[side].has(squeeze(start.text)) || sides.bare[side].has(documentWords(start.text))) return [];
  // What is said of an entry is not the entry.
  if (sides.stays(start.text, isGone ? 'removed' : 'added')) return [];
  // What reads almost the same elsewhere in the document was moved and touched up.
  const said = plainText(start.text);
  const isLike = (other: string): boolean =>
    likeness(other, said) >= leastAlike || (wordsIn(other) >= 2 && said.startsWith(other));
  if (others.some(({ text }) => isLike(plainText(text)))) return [];
  const end = lines.findIndex(({ text }, index) => index > first && !/^\s*[\p{L}\p{N}`(*_"“]/u.test(text));
  const paragraph = heading.test(start.text) ? [start] : lines.slice(first, end < 0 ? undefined : end);
  const [sentence = ''] = splitLine(join(paragraph).replace(/^(?:[-*+>]|\d+\.|#{1,6})\s+/, ''));
  if (sides.whole[side].includes(documentWords(sentence))) return [];
  // A line that begins with a mark may go on with the sentence above it.
  const isCut =
    !heading.test(start.text) &&
    !/[.!?:。！？)”"]$/.test(sentence) &&
    /\S/.test(lines[end]?.text ?? '') &&
    !/^\s*(?:[-*+>#|]|\d+[.)])\s/.test(lines[end]?.text ?? '');
  const wentOn = isGone
    ? goesOnIn(
        sentence,
        sides.fresh.map(({ text }) => text),
      )
    : isSaidIn(sentence, sides.stale);
  if (wentOn) return [];
  const quote = plainText(clipLine(sentence, 180)) + (isCut && sentence.length <= 180 ? ' …' : '');
  // An example is shown as the code that it is.
  if (looksLikeExample.test(sentence) || !isBalanced(quote) || wordsIn(quote) === 0 || losesAddress(sentence))
    return exampleOf(path, block, sides);
  return [quoteCode({ say: isGone ? 'dropsText' : 'addsText', quote }, placeOf(path, start))];
}

const shortestPart = 8;
/** More lines without a sentence are not shown. */
const mostShort = 12;

/** Whether a few words, such as a heading, stand in a line of the other side with more of them. */
function isPartOfOne(text: string, others: DiffLine[]): boolean {
  const words = documentWords(text).toLowerCase();
  return (
    words.length >= shortestPart &&
    others.some((other) => documentWords(other.text).toLowerCase().includes(words))
  );
}

/** Words of which no code span was cut open, and that are no mere call. */
const readsWhole = (text: string): boolean =>
  isProse(text) && !(text.includes('…') && text.includes('`')) && !/^[\w.!]+\(/.test(text);

/** What comments and documentation say that stand among code, of a file in which nothing else can be told. */
export function shownWords({ path, language }: FileFacts, blocks: Block[], comments: Set<number>): Unit[] {
  const { line: sign } = commentSigns(language);
  const plainOf = (lines: DiffLine[]): DiffLine[] =>
    lines.map((line) => ({ ...line, text: line.text.replace(commentEnd, '').replace(sign, '') }));
  const told = blocks.slice(0, mostBlocks).flatMap(({ removed, added }): Told[] => {
    if (removed.length > 0 && added.length > 0) {
      return pairParagraphs(paragraphsOf(plainOf(removed)), paragraphsOf(plainOf(added)))
        .flatMap(({ before, after }) => replacement(path, before, after, 'text'))
        .filter(
          ({ statement }) =>
            statement.say === 'rewordsText' && [statement.from, statement.to].every(readsWhole),
        );
    }
    const [remark] = paragraphsOf(plainOf(added)).flatMap((lines): Told[] => {
      const [first] = lines;
      const [sentence = ''] = splitLine(join(lines));
      const quote = plainText(sentence);
      if (!first || !isProse(quote) || !tellsSomething(quote) || leansBack(quote) || losesAddress(sentence))
        return [];
      // A note to oneself, or the heading of a text.
      if (/^(?:(?:todo|fixme|xxx)\b|#+\s)/i.test(quote)) return [];
      const isComment =
        !(documented.has(language ?? '') || language === 'Julia') || comments.has(keyOfLine(first));
      return [quoteCode({ say: 'remarks', symbol: null, isComment, quote }, rangeOf(path, lines))];
    });
    return remark ? [remark] : [];
  });
  return told.slice(0, 2).map((one, place) => ({ told: [one], weight: 6 - place, about: null }));
}
