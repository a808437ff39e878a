import type { Definition, Evidence } from '../../reading/facts.ts';
import { type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import type { SpokenWords, StatedFact } from '../draft.ts';
import type { Material } from './material.ts';

/** What the labels of a sentence stand for, and those that stand for nothing. */
interface Resolved {
  evidence: Evidence[];
  words: SpokenWords[];
  facts: StatedFact[];
  unknown: string[];
}

const lineReference = /^(f\d+)\s*([+-])\s*(\d+)(?:\s*[-–]\s*[+-]?(\d+))?$/;
const headingReference = /^(f\d+)\s*@\s*(\d+)$/;

/** Looks up what a sentence cites, as `f3+41-45`, `f3-38`, `f3@2`, `w2` or `k5`; several may stand in one string. */
export function resolveReferences(references: string[], material: Material): Resolved {
  const resolved: Resolved = { evidence: [], words: [], facts: [], unknown: [] };
  const labels = references.flatMap((text) => text.split(/[,;]\s*/)).map((text) => text.trim());
  for (const label of labels.filter((text) => text !== '')) {
    if (!resolve(label.replace(/^[[(`]+|(?<![\])`])[\])`]+$/g, ''), material, resolved))
      resolved.unknown.push(label);
  }
  return resolved;
}

function resolve(label: string, material: Material, into: Resolved): boolean {
  const words = material.words.get(label);
  if (words) return into.words.push(words) > 0;
  const finding = material.findings.get(label);
  if (finding) {
    into.evidence.push(...finding.evidence);
    into.facts.push(...finding.facts);
    return true;
  }
  const heading = headingReference.exec(label);
  if (heading) {
    const file = material.files.get(heading[1] ?? '');
    const hunk = file?.hunks[Number(heading[2]) - 1];
    return file && hunk ? into.evidence.push(...wholeHunk(file, hunk)) > 0 : false;
  }
  const line = lineReference.exec(label);
  const file = material.files.get(line?.[1] ?? '');
  if (!line || !file) return false;
  const start = Number(line[3]);
  const end = Number(line[4] ?? line[3]);
  const side = line[2] === '+' ? 'new' : 'old';
  const [first, last] = [Math.min(start, end), Math.max(start, end)];
  const stays = side === 'new' ? (material.definitions.get(file.path) ?? []) : [];
  const found = [
    ...linesWithin(file, side, first, last),
    ...stays.flatMap((one) => linesOfDefinition(one, file.path, first, last)),
  ];
  into.evidence.push(...found);
  return found.length > 0;
}

/** The parts of a range of lines that hunks of the file have, so that a range over two hunks cites both. */
function linesWithin(file: FileDiff, side: Evidence['side'], start: number, end: number): Evidence[] {
  return file.hunks.flatMap((hunk) => {
    const [first, count] = side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
    const startLine = Math.max(start, first);
    const endLine = Math.min(end, first + count - 1);
    return startLine <= endLine ? [{ fileName: file.path, startLine, endLine, side }] : [];
  });
}

function linesOfDefinition(
  { startLine: from, lines }: Definition,
  fileName: string,
  start: number,
  end: number,
): Evidence[] {
  const startLine = Math.max(start, from);
  const endLine = Math.min(end, from + lines.length - 1);
  return startLine <= endLine ? [{ fileName, startLine, endLine, side: 'new', unchanged: true }] : [];
}

/** Both sides of a hunk; the old one only where lines of it are gone. */
function wholeHunk({ path }: FileDiff, hunk: Hunk): Evidence[] {
  const { oldStart, oldLines, newStart, newLines } = hunk;
  const isOldCited = newLines === 0 || linesOf(hunk).some(({ side }) => side === 'removed');
  return [
    ...(newLines > 0 ? [rangeOf(path, 'new', newStart, newLines)] : []),
    ...(isOldCited ? [rangeOf(path, 'old', oldStart, oldLines)] : []),
  ];
}

const rangeOf = (fileName: string, side: Evidence['side'], startLine: number, lines: number): Evidence => ({
  fileName,
  startLine,
  endLine: startLine + lines - 1,
  side,
});
