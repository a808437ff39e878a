import {
  type Finding,
  labelMaterial,
  type Material,
  type MaterialSource,
  oneLine,
  sizeOf,
} from '../material.ts';
import { labelsOf, printCited, sizesOfCited } from '../print-cited.ts';
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
  let room = mostBytes * shareOfFindings;
  const findings = source.findings.filter(({ text, evidence }) => {
    // Without its lines a finding would be taken for one about the whole.
    if (!evidence.every(({ fileName }) => cited.has(fileName))) return false;
    room -= sizeOf([`k99 ${oneLine(text)}`]);
    return room >= 0;
  });
  const all = labelMaterial(
    { ...source, findings, diff: source.diff.filter(({ path }) => cited.has(path)), sentences: [] },
    Number.POSITIVE_INFINITY,
  );
  if (!all) throw new Error('What has no limit did not fit.');
  const found = [...all.findings].map(([label, { text, evidence }]) => {
    const lines = labelsOf({ evidence, words: [], facts: [] }, all).join(', ');
    return `${label} ${lines === '' ? '' : `(${lines}) `}${oneLine(text)}`;
  });
  let left = mostBytes * shareOfNotes - sizeOf(found);
  const printed = new Set<string>();
  const ranked = notes.toSorted((one, other) => other.weight - one.weight);
  const kept = ranked.filter((note) => {
    // Lines that several notes cite are printed once.
    const lines = [...sizesOfCited(note.sentence.evidence, all, breadth)].filter(
      ([line]) => !printed.has(line),
    );
    const bytes = lines.reduce((sum, [, size]) => sum + size, sizeOf(printNotes([note], all)));
    if (bytes > left) return false;
    left -= bytes;
    for (const [line] of lines) printed.add(line);
    return true;
  });
  const evidence = kept.flatMap(({ sentence }) => sentence.evidence);
  const lines = [
    ...found,
    ...printNotes(kept, all),
    ...printCited({ evidence, words: [], facts: [] }, all, breadth),
  ];
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
    definitions: new Map(),
  };
}

const printNotes = (notes: Note[], material: Material): string[] =>
  notes.map(({ sentence, weight, guess }, index) => {
    const labels = labelsOf({ ...sentence, facts: [] }, material).join(', ');
    return `n${index + 1} (${weight}; ${labels}) ${oneLine(guess ?? sentence.text)}`;
  });
