import { visibleText } from '../../reading/description/visible-text.ts';
import { singleBlanks } from '../../reading/edits/single-blanks.ts';
import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { isProse, losesAddress, plainText } from '../plain-text.ts';
import { clipPair } from './clip.ts';
import { documentWords, listMarker } from './document-words.ts';
import { type HasLike, indexLines } from './like-lines.ts';
import { type Told, tell } from './outline.ts';

/** Lines that changed one after the other. */
export interface Block {
  removed: DiffLine[];
  added: DiffLine[];
  /** The line that stays and stands below them, where the diff shows one. */
  below?: string;
}

/** Several plans ask for those of one file, one after the other. */
let last: { diff: FileDiff; blocks: readonly Block[] } | null = null;

export function blocksOf(diff: FileDiff): readonly Block[] {
  if (last?.diff !== diff) last = { diff, blocks: readBlocks(diff) };
  return last.blocks;
}

function readBlocks(diff: FileDiff): Block[] {
  const blocks: Block[] = [];
  for (const hunk of diff.hunks) {
    const first = blocks.length;
    let block: Block | null = null;
    for (const line of linesOf(hunk)) {
      const above = blocks.length > first ? blocks.at(-1) : undefined;
      if (line.side === 'context') {
        if (above && above.below === undefined && line.text.trim() !== '') above.below = line.text;
        block = null;
      } else {
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
export const squeeze = (text: string): string =>
  text === '' ? '' : text.replace(commentMark, '').replace(/\s+/g, '');
export const squeezeAll = (lines: DiffLine[]): string => lines.map(({ text }) => squeeze(text)).join('');

/** What stands beside the lines that change. */
export const linesThatStay = (diff: FileDiff | undefined): Set<string> =>
  new Set(
    (diff?.hunks ?? []).flatMap((hunk) =>
      linesOf(hunk).flatMap(({ side, text }) => (side === 'context' ? squeeze(text) : [])),
    ),
  );

export const join = (lines: DiffLine[]): string =>
  lines
    .map(({ text }) => singleBlanks(text.trim()))
    .filter((text) => text !== '' && !/^(?:```|~~~)|^([=\-~^"'`*+#])\1{2,}$/.test(text))
    .join(' ');

/** What each side of a change says: what stands on both has only moved. */
export interface Sides {
  before: Set<string>;
  after: Set<string>;
  /** What their lines begin with. */
  heads: Record<'before' | 'after', Set<string>>;
  /** Whether a text reads almost like a line of one of them. */
  isLike: Record<'before' | 'after', HasLike>;
}

/** The words that a line begins with, by which it is known again wherever it went; null where these are too few. */
export function headOf(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return words.length < 2 ? null : words.slice(0, 3).join(' ');
}

/** A larger change was made by a program, and nobody asks which of its lines moved. */
const mostBytes = 4_000_000;

export function sidesOf(diff: FileDiff[]): Sides {
  const texts: Record<'before' | 'after', string[]> = { before: [], after: [] };
  const lookIn = (side: 'before' | 'after'): HasLike => {
    let known: HasLike | undefined;
    return (text) => {
      known ??= indexLines(texts[side]);
      return known(text);
    };
  };
  const sides: Sides = {
    before: new Set(),
    after: new Set(),
    heads: { before: new Set(), after: new Set() },
    isLike: { before: lookIn('before'), after: lookIn('after') },
  };
  if (diff.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes) return sides;
  for (const hunk of diff.flatMap(({ hunks }) => hunks)) {
    for (const { side, text } of linesOf(hunk)) {
      if (side === 'context') continue;
      const own = side === 'added' ? 'after' : 'before';
      sides[own].add(squeeze(text));
      const head = headOf(text);
      if (head !== null) sides.heads[own].add(head);
      texts[own].push(text);
    }
  }
  return sides;
}

/** Where a link of a document goes to, what stands in an empty list, and since when something is whose, tells nothing. */
const isIdle = (text: string): boolean =>
  /^\s*\[[^\]]+\]:\s|^\s*(?:[-*]\s*)?None\.?$|^\W*(?:\(c\)\s+)?copyright\W.*\d{4}/i.test(text);

export const saysSomething = (text: string): boolean => /[\p{L}\p{N}]{2,}/u.test(text) && !isIdle(text);

/** Lines that only end something, or begin its other half. */
const isFrame = (text: string): boolean =>
  /^\W*(?:end|else|begin|do|then|fi|done|esac|endif|in)\W*$/.test(text);

/** Whether a line that comes or goes beside those that are shown is worth saying that there are others. */
export const isWorthMention = (text: string): boolean => saysSomething(text) && !isFrame(text);

/** One piece of text that stands where another stood. Where marks are all that differs, braces are told as well. */
export function replacement(
  path: string,
  removed: DiffLine[],
  added: DiffLine[],
  kind: 'code' | 'text' | 'marks',
): Told[] {
  const textOf = (lines: DiffLine[]): string =>
    kind === 'text' ? join(lines).replace(listMarker, '') : join(lines);
  const [rawOld, rawNow] = [textOf(removed), textOf(added)];
  const [plainOld, plainNow] = [plainText(rawOld), plainText(rawNow)];
  // Where only addresses differ, they are shown.
  const isPlain =
    kind === 'text' &&
    plainOld !== plainNow &&
    isProse(plainOld) &&
    isProse(plainNow) &&
    !losesAddress(rawOld) &&
    !losesAddress(rawNow);
  const [old, now] = isPlain ? [plainOld, plainNow] : [rawOld, rawNow];
  const bare = kind === 'marks' ? squeeze : withoutBraces;
  if (old === '' || now === '' || bare(old) === bare(now)) return [];
  if (kind === 'text' && documentWords(old) === documentWords(now)) return [];
  // What cannot be seen, or could not be read, cannot be shown.
  if (visibleText(old) !== old || visibleText(now) !== now || (old + now).includes('\uFFFD')) return [];
  const clipped = clipPair(old, now, 110);
  if (!clipped || !saysSomething(clipped.from + clipped.to)) return [];
  const { from, to } = clipped;
  return [
    tell(
      kind === 'text'
        ? { say: 'rewordsText', from, to }
        : { say: 'replaced', symbol: null, from, to, isPart: false },
      [rangeOf(path, removed), rangeOf(path, added)],
    ),
  ];
}

/** Braces around a single statement change nothing. */
export const withoutBraces = (text: string): string => squeeze(text).replace(/[{}]/g, '');

export function placeOf(fileName: string, { oldLine, newLine }: DiffLine): Evidence {
  const line = newLine ?? oldLine ?? 0;
  return { fileName, startLine: line, endLine: line, side: newLine === null ? 'old' : 'new' };
}

export function rangeOf(fileName: string, lines: DiffLine[]): Evidence {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) throw new Error('A range has lines.');
  return { ...placeOf(fileName, first), endLine: placeOf(fileName, last).endLine };
}
