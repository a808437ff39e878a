import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import type { Sentence } from '../draft.ts';
import { type Material, printLine } from './material.ts';

/** A hunk that is no longer than this is shown whole. */
const wholeHunkLines = 80;

/** Of a longer one, as much is shown around what is cited. */
const around = 12;

/** The lines and words that a sentence cites, labelled as the writer saw them. */
export function printCited(sentence: Sentence, material: Material): string[] {
  const lines: string[] = [];
  for (const [path, evidence] of Map.groupBy(sentence.evidence, ({ fileName }) => fileName)) {
    const labelled = [...material.files].find(([, file]) => file.path === path);
    if (labelled) lines.push(...printFilePart(labelled[0], labelled[1], evidence));
  }
  for (const [label, { where, speaker, text }] of material.words) {
    if (sentence.words.some((said) => said.text === text && said.speaker === speaker))
      lines.push(`${label} ${where}, ${speaker}: ${text}`);
  }
  const stated = new Set(sentence.facts.map((fact) => JSON.stringify(fact)));
  for (const [label, { text, facts }] of material.findings) {
    if (facts.length > 0 && facts.every((fact) => stated.has(JSON.stringify(fact))))
      lines.push(`${label} ${text}`);
  }
  return lines;
}

function printFilePart(label: string, file: FileDiff, evidence: Evidence[]): string[] {
  const lines = [`${label} ${file.path}`];
  for (const [index, hunk] of file.hunks.entries()) {
    const cited = evidence.filter((one) => overlaps(one, hunk));
    if (cited.length === 0) continue;
    lines.push(`@${index + 1} ${hunk.heading}`.trimEnd(), ...printPart(linesOf(hunk), cited));
  }
  return lines;
}

function overlaps({ side, startLine, endLine }: Evidence, hunk: Hunk): boolean {
  const [start, count] = side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
  return startLine < start + count && endLine >= start;
}

/** The lines around what is cited, with a mark of ours wherever some are left out. */
function printPart(lines: DiffLine[], cited: Evidence[]): string[] {
  if (lines.length <= wholeHunkLines) return lines.map(printLine);
  const isCited = ({ oldLine, newLine }: DiffLine) =>
    cited.some(({ side, startLine, endLine }) => {
      const line = side === 'new' ? newLine : oldLine;
      return line !== null && line >= startLine && line <= endLine;
    });
  const shown = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (!isCited(line)) continue;
    for (let near = index - around; near <= index + around; near += 1) shown.add(near);
  }
  return lines.flatMap((line, index) => {
    if (!shown.has(index)) return [];
    const isAfterGap = index > 0 && !shown.has(index - 1);
    return isAfterGap ? ['…', printLine(line)] : [printLine(line)];
  });
}
