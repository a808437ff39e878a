import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import type { DiffLines, PlacedLine } from '../verify/diff-lines.ts';
import type { CheckedDraft, Hunk, HunkLine } from '../written-article.ts';

/** Old and new together; more is not read between two paragraphs. */
const mostLines = 18;
const contextLines = 3;
/** To say that so few are left out would take as much room. */
const fewLines = 2;
/** Longer lines are not read in an article. */
const longestLine = 1_000;

/**
 * The lines that a writer chose, as one stretch of one hunk with what they replace and a little around them. Null where they
 * are too many, lie in several hunks, or none of them changed: nothing is shown instead.
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
  const stretch = withRest(hunk, Math.min(...places), Math.max(...places) + 1);
  const shown = hunk.slice(...withContext(hunk, ...stretch));
  const isReadable = shown.every(({ text }) => text.length <= longestLine);
  if (shown.length > mostLines || !isReadable || shown.every(({ block }) => block === null)) return null;
  const isCutOff = (edge: PlacedLine | undefined) => (line: PlacedLine) =>
    line.block !== null && line.block === edge?.block && !shown.includes(line);
  return {
    fileName: path,
    heading: null,
    lines: shown.map(({ side, oldLine, newLine, text }) => ({ kind: side, oldLine, newLine, text })),
    moreBefore: hunk.slice(0, hunk.indexOf(shown[0] ?? first)).filter(isCutOff(shown[0])).length,
    moreAfter: hunk.slice(hunk.indexOf(shown.at(-1) ?? first)).filter(isCutOff(shown.at(-1))).length,
  };
}

/** With all of a run of changed lines at either end that has both sides or little more, as far as there is room. */
function withRest(hunk: PlacedLine[], from: number, to: number): [from: number, to: number] {
  const blockAround = (edge: PlacedLine | undefined): PlacedLine[] => {
    const block = edge?.block ?? null;
    const whole = block === null ? [] : hunk.filter((line) => line.block === block);
    const left = whole.filter((line) => hunk.indexOf(line) < from || hunk.indexOf(line) >= to);
    return left.length <= fewLines || new Set(whole.map(({ side }) => side)).size > 1 ? whole : [];
  };
  let [start, end] = [from, to];
  for (const block of [blockAround(hunk[from]), blockAround(hunk[to - 1])]) {
    const [first, last] = [block[0], block.at(-1)];
    if (!first || !last) continue;
    const wider = [Math.min(start, hunk.indexOf(first)), Math.max(end, hunk.indexOf(last) + 1)] as const;
    if (wider[1] - wider[0] <= mostLines) [start, end] = wider;
  }
  return [start, end];
}

/** With unchanged lines of the hunk above and below, as far as there is room. */
function withContext(hunk: PlacedLine[], from: number, to: number): [from: number, to: number] {
  const isContext = (line: PlacedLine | undefined): boolean =>
    line !== undefined && line.block === null && line.text.length <= longestLine;
  let [first, last] = [from, to];
  for (let step = 0; step < contextLines; step += 1) {
    if (last - first < mostLines && isContext(hunk[first - 1])) first -= 1;
    if (last - first < mostLines && isContext(hunk[last])) last += 1;
  }
  return [first, last];
}

type Section = CheckedDraft['mainChanges'][number];

/** Drops hunks that hold no changed line which their section cites, or one that is shown above; others get the name of the function around them. */
export function keepCitedHunks(sections: Section[], files: Pick<FileFacts, 'path' | 'ranges'>[]): Section[] {
  const shown = new Set<string>();
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
    if (!isCited || keys.some((key) => shown.has(key))) return { ...section, hunk: null };
    for (const key of keys) shown.add(key);
    const ranges = files.find(({ path }) => path === hunk.fileName)?.ranges ?? [];
    return { ...section, hunk: { ...hunk, heading: nameAround(changed, ranges) } };
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
