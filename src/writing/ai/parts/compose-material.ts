import {
  type Finding,
  labelMaterial,
  type Material,
  type MaterialSource,
  oneLine,
  sizeOf,
} from '../material.ts';
import { labelsOf, narrow, printCited } from '../print-cited.ts';
import type { Note } from './read-parts.ts';

/** The words of people get what the notes leave, and at least this share. */
const shareOfNotes = 2 / 3;

/**
 * What the writer of the whole reads: notes, the weightiest first, and the lines that they cite, so that it writes from lines
 * and not from what was said about them.
 */
export function composeMaterial(source: MaterialSource, notes: Note[], mostBytes: number): Material {
  const cited = new Set(notes.flatMap(({ sentence }) => sentence.evidence.map(({ fileName }) => fileName)));
  const all = labelMaterial(
    { ...source, diff: source.diff.filter(({ path }) => cited.has(path)), sentences: [] },
    Number.POSITIVE_INFINITY,
  );
  if (!all) throw new Error('What has no limit did not fit.');
  const sizeOfNote = (note: Note) =>
    sizeOf([...printNotes([note], all), ...printCited(citedBy([note]), all, narrow)]);
  const found = [...all.findings].map(([label, { text }]) => `${label} ${oneLine(text)}`);
  let left = mostBytes * shareOfNotes - sizeOf(found);
  const kept = notes
    .toSorted((one, other) => other.weight - one.weight)
    .filter((note) => {
      const fits = sizeOfNote(note) <= left;
      if (fits) left -= sizeOfNote(note);
      return fits;
    });
  const lines = [...found, ...printNotes(kept, all), ...printCited(citedBy(kept), all, narrow)];
  const spoken = labelMaterial({ ...source, findings: [], diff: [] }, mostBytes - sizeOf(lines));
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
