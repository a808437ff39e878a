import { visibleText } from '../../reading/description/visible-text.ts';
import { singleBlanks } from '../../reading/edits/single-blanks.ts';
import type { DiffLine, FileDiff } from '../../reading/file-diff.ts';
import {
  type Block,
  blocksOf,
  linesThatStay,
  rangeOf,
  type Sides,
  squeeze,
  squeezeAll,
} from './compare-lines.ts';
import { importsIn } from './import-lines.ts';
import { tell, type Unit } from './outline.ts';
import { keyOfLine, markedIn } from './prose-lines.ts';
import { namesPerList } from './statements.ts';

/** A longer line is no longer read as one. */
const longestLine = 110;

/**
 * What stood in a place and what stands there now, line by line, for a change of which nothing else can be told. Which line
 * became of which is not said; so both sides are shown whole, or not at all.
 */
export function wholeBlocks(diff: FileDiff | undefined, sides: Sides): Unit[] {
  if (!diff) return [];
  const comments = markedIn(diff);
  // Brackets by themselves say nothing, and what comments say is not what is done.
  const telling = (lines: DiffLine[]): DiffLine[] =>
    lines.filter((line) => /[\p{L}\p{N}]/u.test(line.text) && !comments.has(keyOfLine(line)));
  const blocks = blocksOf(diff)
    .filter(({ removed, added }) => squeezeAll(removed) !== squeezeAll(added))
    .map(({ removed, added }) => ({ removed: telling(removed), added: telling(added) }))
    .filter(({ removed, added }) => removed.length + added.length > 0);
  const all: Block = {
    removed: blocks.flatMap(({ removed }) => removed),
    added: blocks.flatMap(({ added }) => added),
  };
  const stays = linesThatStay(diff);
  const isGone = ({ removed }: Block): boolean => !removed.some(({ text }) => stays.has(squeeze(text)));
  const imports = importsIn(diff);
  const isImport = ({ removed, added }: Block): boolean =>
    [...removed, ...added].some((line) => imports.has(keyOfLine(line)));
  const shown = [all, ...blocks].find(
    (block) => isShort(block) && !isImport(block) && isReadable(block, sides) && isGone(block),
  );
  if (!shown || shown.removed.length + shown.added.length === 0) return [];
  const [removed, added] = [different(shown.removed), different(shown.added)];
  const statement = {
    say: 'lines',
    symbol: null,
    added: added.map(textOf),
    removed: removed.map(textOf),
    hasMore: {
      removed: different(all.removed).length > removed.length,
      added: different(all.added).length > added.length,
    },
    isInPlace: false,
  } as const;
  const places = [...removed, ...added].map((line) => rangeOf(diff.path, [line]));
  return [{ told: [tell(statement, places)], weight: 4, about: null }];
}

const textOf = ({ text }: DiffLine): string => singleBlanks(text.trim());

/** The first line of each text: the same one may have come thousands of times. */
function different(lines: DiffLine[]): DiffLine[] {
  const firsts = new Map<string, DiffLine>();
  for (const line of lines) {
    const text = textOf(line);
    if (!firsts.has(text)) firsts.set(text, line);
  }
  return [...firsts.values()];
}

/** As many as a list names. */
const isShort = ({ removed, added }: Block): boolean => [removed, added].every(isList);

function isList(lines: DiffLine[]): boolean {
  const texts = new Set<string>();
  return lines.every((line) => texts.add(textOf(line)).size <= namesPerList);
}

/** Whether all lines can be shown, and none of them stands on the other side as well. */
function isReadable({ removed, added }: Block, { before, after }: Sides): boolean {
  const isShown = ({ text }: DiffLine): boolean =>
    text.trim().length <= longestLine && visibleText(text) === text && !text.includes('\uFFFD');
  const isHeld = (lines: DiffLine[], others: Set<string>, whole: string): boolean =>
    different(lines).some(({ text }) => others.has(squeeze(text)) || whole.includes(squeeze(text)));
  return (
    [...different(removed), ...different(added)].every(isShown) &&
    !isHeld(removed, after, squeezeAll(added)) &&
    !isHeld(added, before, squeezeAll(removed))
  );
}
