import { splitLine } from '../../reading/description/sentences.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { isBalanced, plainText } from '../plain-text.ts';
import { clipLine, clipPair } from './clip.ts';
import { quoteCode, type Told, tell, type Unit } from './outline.ts';
import { importing } from './plan-edits.ts';
import type { Statement } from './statements.ts';

/** Lines that changed one after the other. */
interface Block {
  removed: DiffLine[];
  added: DiffLine[];
}

/** What comes after so many places is not looked at. */
const mostBlocks = 12;
const mostUnits = 3;

/** What the lines themselves say, for a file of which nothing else is known. Nothing is concluded: they are shown. */
export function shownLines(file: FileFacts, diff: FileDiff | undefined, sides: Sides): Unit[] {
  if (!diff || file.skipped !== null || file.status === 'added' || file.status === 'removed') return [];
  const blocks = blocksOf(diff);
  const known = {
    ...sides,
    removed: blocks.flatMap(({ removed }) => removed),
    added: blocks.flatMap(({ added }) => added),
  };
  const told = blocks
    .slice(0, mostBlocks)
    .flatMap((block) =>
      file.kind === 'documentation' ? showText(file.path, block, known) : showCode(file.path, block, sides),
    );
  const unique = new Map(told.map((one) => [JSON.stringify(one.statement), one]));
  return [...unique.values()]
    .map((one, place) => ({ told: [one], weight: weightOf(one.statement, place), about: null }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, mostUnits);
}

/** What comes first in the file is told first; what only names other files, or only looks different, last. */
function weightOf(statement: Statement, place: number): number {
  const isImport =
    statement.say === 'lines' &&
    [...statement.added, ...statement.removed].every((text) => importing.test(text));
  return isImport ? 2 : statement.say === 'reformatted' ? 1 : 20 / (2 + place);
}

function blocksOf(diff: FileDiff): Block[] {
  const blocks: Block[] = [];
  for (const hunk of diff.hunks) {
    let block: Block | null = null;
    for (const line of linesOf(hunk)) {
      if (line.side === 'context') block = null;
      else {
        if (!block) {
          block = { removed: [], added: [] };
          blocks.push(block);
        }
        block[line.side].push(line);
      }
    }
  }
  return blocks;
}

const commentMark = /^\s*(?:\/\/[/!]?|\/\*+|\*(?!\*)|#+|--|;;)\s?/;

/** A line without blanks and without the mark of a comment: what two of them have in common was only laid out anew. */
export const squeeze = (text: string): string => text.replace(commentMark, '').replace(/\s+/g, '');
const squeezeAll = (lines: DiffLine[]): string => lines.map(({ text }) => squeeze(text)).join('');

const join = (lines: DiffLine[]): string =>
  lines
    .map(({ text }) => text.trim())
    .filter((text) => !/^(?:```|~~~)|^([=\-~^"'`*+#])\1{2,}$/.test(text))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

/** What each side of a change says: what stands on both has only moved. */
export interface Sides {
  before: Set<string>;
  after: Set<string>;
}

/** A larger change was made by a program, and nobody asks which of its lines moved. */
const mostBytes = 4_000_000;

export function sidesOf(diff: FileDiff[]): Sides {
  const sides: Sides = { before: new Set(), after: new Set() };
  if (diff.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes) return sides;
  for (const hunk of diff.flatMap(({ hunks }) => hunks)) {
    for (const { side, text } of linesOf(hunk)) {
      if (side !== 'context') sides[side === 'added' ? 'after' : 'before'].add(squeeze(text));
    }
  }
  return sides;
}

/** Where a link of a document goes to, and what stands in an empty list, tells nothing. */
const isIdle = (text: string): boolean => /^\s*\[[^\]]+\]:\s|^\s*[-*]?\s*None\.?$/.test(text);

const saysSomething = (text: string): boolean => /[\p{L}\p{N}]{2,}/u.test(text) && !isIdle(text);

function showCode(path: string, block: Block, { before, after }: Sides): Told[] {
  const wholeBefore = squeezeAll(block.removed);
  const wholeAfter = squeezeAll(block.added);
  if (wholeBefore === wholeAfter) return laidOutAnew(path, block.removed, block.added);
  const isJoined =
    block.removed.length !== block.added.length && Math.max(block.removed.length, block.added.length) <= 4;
  if (isJoined && likeness(join(block.removed), join(block.added)) >= leastAlike)
    return replacement(path, block.removed, block.added, 'code');
  // What is laid out anew stands whole on the other side, over several lines or as part of one.
  const isNews = (text: string, others: Set<string>, whole: string): boolean =>
    saysSomething(text) &&
    !others.has(squeeze(text)) &&
    !whole.includes(squeeze(text).replace(/[;,{]+$/, ''));
  const gone = new Set(block.removed.filter(({ text }) => isNews(text, after, wholeAfter)));
  const fresh = new Set(block.added.filter(({ text }) => isNews(text, before, wholeBefore)));
  const pairs = pairLines(block.removed, block.added, (old, now) => gone.has(old) || fresh.has(now));
  const paired = new Set(pairs.flat());
  const alone = {
    removed: [...gone].filter((line) => !paired.has(line)),
    added: [...fresh].filter((line) => !paired.has(line)),
  };
  const replaced = pairs.flatMap(([old, now]) => replacement(path, [old], [now], 'code')).slice(0, 2);
  const go = alone.removed.slice(0, 2);
  const come = alone.added.slice(0, 2);
  if (come.length + go.length === 0) return replaced;
  const shown = (lines: DiffLine[]): string[] => lines.map(({ text }) => clipLine(text.trim()));
  return [
    ...replaced,
    tell(
      { say: 'lines', symbol: null, added: shown(come), removed: shown(go) },
      [...go, ...come].map((line) => placeOf(path, line)),
    ),
  ];
}

/** Lines of which one was made out of the other. */
function pairLines(
  removed: DiffLine[],
  added: DiffLine[],
  isNews: (old: DiffLine, now: DiffLine) => boolean,
): [DiffLine, DiffLine][] {
  const pairs: [DiffLine, DiffLine][] = [];
  const free = new Set(added);
  for (const [index, old] of removed.entries()) {
    // One import is not made out of another.
    if (importing.test(old.text.trim())) continue;
    const opposite = removed.length === added.length ? added[index] : undefined;
    if (
      opposite &&
      free.has(opposite) &&
      isNews(old, opposite) &&
      likeness(old.text, opposite.text) >= leastOpposite
    ) {
      free.delete(opposite);
      pairs.push([old, opposite]);
      continue;
    }
    const [best] = [...free]
      .filter((now) => isNews(old, now))
      .map((now) => ({ now, alike: likeness(old.text, now.text) }))
      .sort((one, other) => other.alike - one.alike);
    if (!best || best.alike < leastAlike) continue;
    free.delete(best.now);
    pairs.push([old, best.now]);
  }
  return pairs;
}

/** Of two texts with less in common, neither was made out of the other. */
const leastAlike = 0.6;
const almostTheSame = 0.8;

/** Where as many lines come as go, one stands in the place of the other. */
const leastOpposite = 0.35;

/** How much two texts have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  const words = (text: string) => new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  const [first, second] = [words(one), words(other)];
  const shared = [...first].filter((word) => second.has(word)).length;
  return (2 * shared) / Math.max(1, first.size + second.size);
}

function laidOutAnew(path: string, removed: DiffLine[], added: DiffLine[]): Told[] {
  if (removed.length === 0 || added.length === 0) return [];
  return [tell({ say: 'reformatted', symbol: null }, [rangeOf(path, removed), rangeOf(path, added)])];
}

const startsProse = /^\s*(?:[-*+]\s+|\d+\.\s+|>\s+)?[\p{L}`"“(*_[]/u;
const wordsIn = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0;

/** A document's own lines, beside those of the whole change. */
type Known = Sides & Block;

function showText(path: string, block: Block, sides: Known): Told[] {
  const { removed, added } = block;
  if (removed.length > 0 && added.length > 0) {
    if (squeezeAll(removed) === squeezeAll(added)) return laidOutAnew(path, removed, added);
    if ([...removed, ...added].every(({ text }) => isExample(text))) return showCode(path, block, sides);
    const isRewritten = likeness(join(removed), join(added)) >= leastAlike / 2;
    if (isRewritten) return replacement(path, removed, added, 'text');
    return [
      ...beginnings(path, block),
      ...passage(path, { removed, added: [] }, sides),
      ...passage(path, { removed: [], added }, sides),
    ].slice(0, 2);
  }
  return passage(path, block, sides);
}

/** Where a passage was rewritten and others were put behind it, what it begins with shows what became of it. */
function beginnings(path: string, { removed, added }: Block): Told[] {
  const first = (lines: DiffLine[]): DiffLine[] => {
    const end = lines.findIndex(({ text }, index) => index > 0 && text.trim() === '');
    return lines.slice(0, end < 0 ? undefined : end);
  };
  const [old, now] = [first(removed), first(added)];
  return likeness(join(old), join(now)) >= leastAlike / 2 ? replacement(path, old, now, 'text') : [];
}

/** A line of an example, as most documents indent them. */
const isExample = (text: string): boolean => /^(?: {4}|\t)|^\s*$/.test(text);

const heading = /^\s*#{1,6}\s+(.{2,80})$/;

/** How a passage begins that came or went. */
function passage(path: string, block: Block, sides: Known): Told[] {
  const isGone = block.removed.length > 0;
  const lines = isGone ? block.removed : block.added;
  const first = lines.findIndex(
    ({ text }) => heading.test(text) || (startsProse.test(text) && wordsIn(text) >= 4),
  );
  const start = lines[first];
  // Examples and settings in a document are shown as the code that they are.
  if (!start) return showCode(path, block, sides);
  if ((isGone ? sides.after : sides.before).has(squeeze(start.text))) return [];
  // What reads almost the same elsewhere in the document was moved and touched up.
  const others = isGone ? sides.added : sides.removed;
  if (others.some(({ text }) => likeness(text, start.text) >= almostTheSame)) return [];
  const end = lines.findIndex(({ text }, index) => index > first && !/^\s*[\p{L}\p{N}`(*_"“]/u.test(text));
  const paragraph = heading.test(start.text) ? [start] : lines.slice(first, end < 0 ? undefined : end);
  const [sentence = ''] = splitLine(join(paragraph).replace(/^(?:[-*+>]|\d+\.|#{1,6})\s+/, ''));
  const quote = plainText(clipLine(sentence, 180));
  if (!isBalanced(quote) || wordsIn(quote) === 0) return showCode(path, block, sides);
  return [quoteCode({ say: isGone ? 'dropsText' : 'addsText', quote }, placeOf(path, start))];
}

/** One piece of text that stands where another stood. */
function replacement(path: string, removed: DiffLine[], added: DiffLine[], kind: 'code' | 'text'): Told[] {
  const old = join(removed);
  const now = join(added);
  if (old === '' || now === '' || squeeze(old) === squeeze(now)) return [];
  const clipped = clipPair(old, now, 110);
  if (!clipped || !saysSomething(clipped.from + clipped.to)) return [];
  const { from, to } = clipped;
  return [
    tell(kind === 'code' ? { say: 'replaced', symbol: null, from, to } : { say: 'rewordsText', from, to }, [
      rangeOf(path, removed),
      rangeOf(path, added),
    ]),
  ];
}

function placeOf(fileName: string, { oldLine, newLine }: DiffLine): Evidence {
  const line = newLine ?? oldLine ?? 0;
  return { fileName, startLine: line, endLine: line, side: newLine === null ? 'old' : 'new' };
}

function rangeOf(fileName: string, lines: DiffLine[]): Evidence {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) throw new Error('A range has lines.');
  return { ...placeOf(fileName, first), endLine: placeOf(fileName, last).endLine };
}
