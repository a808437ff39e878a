import type { FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { plainText } from '../plain-text.ts';
import { isKindHeading } from './changelog-quote.ts';
import { blocksOf, type Sides, squeeze } from './compare-lines.ts';
import { tell, type Unit } from './outline.ts';
import { isDocumentPath } from './prose-lines.ts';
import { namesPerList } from './statements.ts';

/** In anything else, what begins like a heading is a comment. */
const isDocument = (path: string): boolean => isDocumentPath(path) || /(?:^|\/)[A-Z]+$/.test(path);

/** New sections of a document, told in one sentence. */
export function headingUnits(
  { path, edits }: FileFacts,
  diff: FileDiff | undefined,
  sides: () => Sides,
): Unit[] {
  const headings = edits.filter(({ kind }) => kind === 'heading');
  if (headings.length === 0 || !diff || !isDocument(path)) return [];
  const isTaken = takenLines(diff);
  const removed = diff.hunks.flatMap(linesOf).filter(({ side }) => side === 'removed');
  const gone = new Set(removed.map(({ text }) => foldHeading(text)));
  // What heads a part of each entry stands above others as well, and makes no section of the document.
  const staying = new Set(keptLines(diff).map(foldHeading));
  const times = Map.groupBy(headings, ({ text }) => foldHeading(text));
  const hasGone = (text: string): boolean => sides().before.has(squeeze(text)) || gone.has(foldHeading(text));
  const hasStood = (text: string): boolean =>
    hasGone(text) || staying.has(foldHeading(text)) || (times.get(foldHeading(text))?.length ?? 0) > 1;
  const told = headings
    // A heading that stood elsewhere came from there.
    .filter(({ text, evidence }) => !isTaken(evidence.startLine) && !hasStood(text))
    .map((edit) => ({ name: plainText(edit.text), place: edit.evidence }))
    .filter(({ name }) => /\p{L}{2,}/u.test(name) && !/[{};=\\]|-{3,}/.test(name) && !isKindHeading(name));
  const unique = [...new Map(told.map((heading) => [heading.name, heading])).values()];
  if (unique.length === 0) return [];
  const names = unique.map(({ name }) => name);
  const places = unique.slice(0, namesPerList).map(({ place }) => place);
  return [
    {
      told: [tell({ say: 'sections', headings: names, isPart: headsMore(diff, names, hasGone) }, places)],
      weight: 40,
      about: null,
    },
  ];
}

/** Whether other lines come that head something, and stand in the place of no other. */
const headsMore = (diff: FileDiff, names: string[], hasGone: (text: string) => boolean): boolean => {
  const examples = linesInExamples(diff);
  return blocksOf(diff).some(({ removed, added }) => {
    const others = headingsIn(added).filter(
      ({ text, newLine }) => !examples.has(newLine ?? 0) && !hasGone(text),
    );
    const gone = headingsIn(removed);
    return gone.length < others.length && others.some(({ text }) => !names.includes(plainHeading(text)));
  });
};

/** Lines that head something, by a mark before them or a line below. */
const headingsIn = (lines: DiffLine[]): DiffLine[] =>
  lines.filter(
    ({ text }, at) =>
      heading.test(text) || (/\p{L}/u.test(text) && underline.test(lines[at + 1]?.text ?? '')),
  );

const plainHeading = (text: string): string => plainText(text.replace(/^\s*#+\s+|(?<![\s#])\s*#+$/g, ''));

const keptLines = (diff: FileDiff): string[] =>
  diff.hunks.flatMap((hunk) => [
    hunk.heading ?? '',
    ...linesOf(hunk).flatMap(({ side, text }) => (side === 'context' ? [text] : [])),
  ]);

/** Where a heading leads to is no part of it. */
const foldHeading = (text: string): string => squeeze(plainHeading(text)).toLowerCase();

const fence = /^\s*(?:```|~~~)/;
const heading = /^\s{0,3}#{1,6}\s+\S/;
const underline = /^\s*([=\-~^"'`*+#])\1{2,}\s*$/;

/** Whether a hunk takes a heading out: then one that comes there may be what that is called now. */
const losesHeading = (hunk: Hunk): boolean =>
  headingsIn(linesOf(hunk).filter(({ side }) => side !== 'added')).some(({ side }) => side === 'removed');

/** Whether a hunk begins inside of an example, which only shows where one opens that names its language while one is open. */
function beginsInExample(hunk: Hunk): boolean {
  let isOpen = false;
  for (const { text, newLine } of linesOf(hunk)) {
    if (newLine === null || !fence.test(text)) continue;
    if (isOpen && /^\s*(?:`{3,}|~{3,})\s*\w/.test(text)) return true;
    isOpen = !isOpen;
  }
  return false;
}

/** The new lines that stand in an example. */
function linesInExamples(diff: FileDiff): Set<number> {
  const found = new Set<number>();
  for (const hunk of diff.hunks) {
    let isExample = beginsInExample(hunk);
    for (const { text, newLine } of linesOf(hunk)) {
      if (newLine === null) continue;
      if (fence.test(text)) isExample = !isExample;
      if (isExample) found.add(newLine);
    }
  }
  return found;
}

/** Added lines that are no new sections: those of an example, and those in whose hunk another heading stood. */
function takenLines(diff: FileDiff): (line: number) => boolean {
  const taken = linesInExamples(diff);
  for (const hunk of diff.hunks.filter(losesHeading)) {
    for (const { side, newLine } of linesOf(hunk))
      if (side === 'added' && newLine !== null) taken.add(newLine);
  }
  return (line) => taken.has(line);
}
