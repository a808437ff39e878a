import {
  type Finding,
  labelMaterial,
  type Material,
  type MaterialSource,
  oneLine,
  sizeOf,
} from '../material.ts';
import { labelsOf, printCited } from '../print-cited.ts';
import type { Note } from './read-parts.ts';

/** The words of people get a third, as they do beside a diff that is read whole; the labels of many notes take a little. */
const shareOfNotes = 0.65;

/** What a program found must not crowd out what a model did. */
const shareOfFindings = 1 / 6;

/** There are many notes, and a few lines show what each is about. */
const breadth = { wholeHunkLines: 0, around: 3 };

/**
 * What the writer of the whole reads: notes, the weightiest first, and the lines that they cite, so that it writes from lines
 * and not from what was said about them.
 */
export function composeMaterial(source: MaterialSource, notes: Note[], mostBytes: number): Material {
  const cited = new Set(notes.flatMap(({ sentence }) => sentence.evidence.map(({ fileName }) => fileName)));
  const findings = fitting(
    source.findings,
    ({ text }) => sizeOf([`k99 ${oneLine(text)}`]),
    mostBytes * shareOfFindings,
  );
  const all = labelMaterial(
    { ...source, findings, diff: source.diff.filter(({ path }) => cited.has(path)), sentences: [] },
    Number.POSITIVE_INFINITY,
  );
  if (!all) throw new Error('What has no limit did not fit.');
  const found = [...all.findings].map(([label, { text }]) => `${label} ${oneLine(text)}`);
  const kept = fitting(
    notes.toSorted((one, other) => other.weight - one.weight),
    (note) => sizeOf([...printNotes([note], all), ...printCited(citedBy([note]), all, breadth)]),
    mostBytes * shareOfNotes - sizeOf(found),
  );
  const lines = [...found, ...printNotes(kept, all), ...printCited(citedBy(kept), all, breadth)];
  const spoken = labelMaterial({ ...source, findings: [], diff: [] }, mostBytes);
  const noted = kept.map(({ sentence }, index): [string, Finding] => [
    `n${index + 1}`,
    { text: sentence.text, evidence: sentence.evidence, facts: [] },
  ]);
  return {
    ...all,
    lines: [...lines, ...(spoken?.lines ?? [])],
    findings: new Map([...all.findings, ...noted]),
    words: spoken?.words ?? new Map(),
  };
}

/** Those that there is room for, in their order; a smaller one may have room where a larger one has none. */
function fitting<Item>(items: Item[], bytesOf: (item: Item) => number, mostBytes: number): Item[] {
  let left = mostBytes;
  return items.filter((item) => {
    const bytes = bytesOf(item);
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

const printNotes = (notes: Note[], material: Material): string[] =>
  notes.map(
    ({ sentence }, index) =>
      `n${index + 1} (${labelsOf({ ...sentence, facts: [] }, material).join(', ')}) ${oneLine(sentence.text)}`,
  );

const citedBy = (notes: Note[]) => ({
  evidence: notes.flatMap(({ sentence }) => sentence.evidence),
  words: [],
  facts: [],
});
