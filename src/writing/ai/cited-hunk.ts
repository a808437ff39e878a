import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import type { DiffLines, PlacedLine } from '../verify/diff-lines.ts';
import type { CheckedDraft, Hunk, HunkLine } from '../written-article.ts';

/** Old and new together; more is not read between two paragraphs. */
const mostLines = 18;
/** Longer lines are not read in an article. */
const longestLine = 1_000;

/**
 * The lines that a writer chose, as one stretch of one hunk with what they replace, cut off at the end. Null where that cannot be
 * shown so, or nothing in it changed.
 */
export function chosenHunk(chosen: Evidence[], lines: DiffLines): Hunk | null {
  const own = chosen.flatMap(({ fileName, side, startLine, endLine }) =>
    lines.between(fileName, side, startLine, endLine),
  );
  const [first] = own;
  const path = chosen[0]?.fileName ?? '';
  const isOneHunk =
    chosen.every(({ fileName }) => fileName === path) && own.every(({ hunk }) => hunk === first?.hunk);
  if (!first || !isOneHunk) return null;
  const hunk = lines.ofHunk(path, first.hunk);
  const places = own.map((line) => hunk.indexOf(line));
  const stretch = withReplaced(hunk, Math.min(...places), Math.max(...places) + 1);
  const [shown, cut] = [stretch.slice(0, mostLines), stretch.slice(mostLines)];
  const isReadable = shown.every(({ text }) => text.length <= longestLine);
  if (!isReadable || shown.every(({ block }) => block === null) || isTorn(hunk, shown.at(-1), cut[0]))
    return null;
  return {
    fileName: path,
    heading: null,
    lines: shown.map(({ side, oldLine, newLine, text }) => ({ kind: side, oldLine, newLine, text })),
    moreBefore: 0,
    moreAfter: cut.filter(({ block }) => block !== null).length,
  };
}

/** Whether a replacement would be cut off in the middle. */
const isTorn = (hunk: PlacedLine[], last: PlacedLine | undefined, next: PlacedLine | undefined): boolean =>
  last?.block != null &&
  last.block === next?.block &&
  new Set(hunk.filter(({ block }) => block === last.block).map(({ side }) => side)).size > 1;

/** A stretch with the whole of what it begins or ends in the middle of, where that replaces something. */
function withReplaced(hunk: PlacedLine[], from: number, to: number): PlacedLine[] {
  const replaced = [hunk[from], hunk[to - 1]].flatMap((end) => {
    const block = hunk.filter((line) => end?.block != null && line.block === end.block);
    return new Set(block.map(({ side }) => side)).size > 1 ? block.map((line) => hunk.indexOf(line)) : [];
  });
  return hunk.slice(Math.min(from, ...replaced), Math.max(to - 1, ...replaced) + 1);
}

type Section = CheckedDraft['mainChanges'][number];

/**
 * Drops hunks that hold no changed line which their section cites, or one that is shown above, and tests of a change that has
 * code; others get the name of the function around them.
 */
export function keepCitedHunks(
  sections: Section[],
  files: Pick<FileFacts, 'path' | 'ranges' | 'kind'>[],
): Section[] {
  const shown = new Set<string>();
  const hasCode = files.some(({ kind }) => kind === 'source');
  return sections.map((section) => {
    const { hunk, statements } = section;
    if (!hunk) return section;
    const changed = hunk.lines.filter(({ kind }) => kind !== 'context');
    const isCited = changed.some((line) =>
      statements.some(
        ({ basis, evidence }) =>
          basis === 'diff' && evidence.some((one) => one.fileName === hunk.fileName && holds(one, line)),
      ),
    );
    const keys = changed.map(({ oldLine, newLine }) => `${hunk.fileName} ${oldLine} ${newLine}`);
    const file = files.find(({ path }) => path === hunk.fileName);
    const isTest = hasCode && file?.kind === 'test';
    if (!isCited || isTest || keys.some((key) => shown.has(key))) return { ...section, hunk: null };
    for (const key of keys) shown.add(key);
    return { ...section, hunk: { ...hunk, heading: nameAround(changed, file?.ranges ?? []) } };
  });
}

const holds = ({ side, startLine, endLine }: Evidence, { oldLine, newLine }: HunkLine): boolean => {
  const line = side === 'new' ? newLine : oldLine;
  return line !== null && line >= startLine && line <= endLine;
};

/** The function or section that holds all of some lines. */
function nameAround(own: HunkLine[], ranges: FileFacts['ranges']): string | null {
  for (const side of ['new', 'old'] as const) {
    const numbers = own.flatMap((line) => (side === 'new' ? line.newLine : line.oldLine) ?? []);
    const [startLine, endLine] = [numbers[0], numbers.at(-1)];
    if (startLine !== undefined && endLine !== undefined)
      return innermostRange(ranges, { side, startLine, endLine })?.name ?? null;
  }
  return null;
}
