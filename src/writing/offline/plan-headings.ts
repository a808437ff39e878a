import type { FileFacts } from '../../reading/facts.ts';
import { type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { plainText } from '../plain-text.ts';
import { type Sides, squeeze } from './compare-lines.ts';
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
  const hasStood = (text: string): boolean =>
    sides().before.has(squeeze(text)) ||
    gone.has(foldHeading(text)) ||
    staying.has(foldHeading(text)) ||
    (times.get(foldHeading(text))?.length ?? 0) > 1;
  const told = headings
    // A heading that stood elsewhere came from there.
    .filter(({ text, evidence }) => !isTaken(evidence.startLine) && !hasStood(text))
    .map((edit) => ({ name: plainText(edit.text), place: edit.evidence }))
    .filter(({ name }) => /\p{L}{2,}/u.test(name) && !/[{};=]|-{3,}/.test(name));
  const unique = [...new Map(told.map((heading) => [heading.name, heading])).values()];
  if (unique.length === 0) return [];
  const names = unique.map(({ name }) => name);
  const places = unique.slice(0, namesPerList).map(({ place }) => place);
  return [
    {
      told: [tell({ say: 'sections', headings: names, isPart: headsMore(diff, names) }, places)],
      weight: 40,
      about: null,
    },
  ];
}

/** Whether other lines come that head something. */
const headsMore = (diff: FileDiff, names: string[]): boolean =>
  diff.hunks
    .flatMap(linesOf)
    .some(
      ({ side, text }) =>
        side === 'added' && /^#{1,6}\s+\p{L}/u.test(text) && !names.includes(plainHeading(text)),
    );

const plainHeading = (text: string): string => plainText(text.replace(/^#+\s+|(?<!\s)\s*#+$/g, ''));

const keptLines = (diff: FileDiff): string[] =>
  diff.hunks.flatMap((hunk) => [
    hunk.heading ?? '',
    ...linesOf(hunk).flatMap(({ side, text }) => (side === 'context' ? [text] : [])),
  ]);

const foldHeading = (text: string): string => squeeze(text).toLowerCase();

const fence = /^\s*(?:```|~~~)/;
const heading = /^\s*#{1,6}\s+\S/;
const underline = /^\s*([=\-~^"'`*+#])\1{2,}\s*$/;

/** Whether a hunk takes a heading out: then one that comes there may be what that is called now. */
function losesHeading(hunk: Hunk): boolean {
  const old = linesOf(hunk).filter(({ side }) => side !== 'added');
  return old.some(
    ({ side, text }, at) =>
      side === 'removed' &&
      (heading.test(text) || (/\p{L}/u.test(text) && underline.test(old[at + 1]?.text ?? ''))),
  );
}

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

/** Added lines that are no new sections: those of an example, and those in whose hunk another heading stood. */
function takenLines(diff: FileDiff): (line: number) => boolean {
  const taken = new Set<number>();
  for (const hunk of diff.hunks) {
    let isExample = beginsInExample(hunk);
    const isRetitled = losesHeading(hunk);
    for (const { side, text, newLine } of linesOf(hunk)) {
      if (newLine === null) continue;
      if (fence.test(text)) isExample = !isExample;
      if (isExample || (isRetitled && side === 'added')) taken.add(newLine);
    }
  }
  return (line) => taken.has(line);
}
