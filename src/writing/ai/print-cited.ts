import type { Definition, Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import type { Sentence } from '../draft.ts';
import {
  type Material,
  oneLine,
  printDefinition,
  printHead,
  printLine,
  printSpoken,
  referencesTo,
} from './material.ts';

/** How much of a hunk is shown. */
interface Breadth {
  /** Where it has no more lines than this, all of it. */
  wholeHunkLines: number;
  /** Of a longer one, as many lines around what is cited. */
  around: number;
}

const usual: Breadth = { wholeHunkLines: 80, around: 12 };

type Cited = Pick<Sentence, 'evidence' | 'words' | 'facts'>;

/** The lines and words that are cited, each once, labelled as the writer saw them. */
export function printCited(cited: Cited, material: Material, breadth = usual): string[] {
  const lines: string[] = [];
  for (const [path, evidence] of Map.groupBy(cited.evidence, ({ fileName }) => fileName)) {
    const label = material.labels.get(path) ?? '';
    const file = material.files.get(label);
    if (file) lines.push(...printFilePart(label, file, evidence, material, breadth));
  }
  for (const [label, spoken] of citedWords(cited, material)) lines.push(printSpoken(label, spoken));
  for (const [label, { text }] of citedFindings(cited, material)) lines.push(`${label} ${oneLine(text)}`);
  return lines;
}

/** The labels of what is cited, as a writer would put them. */
export function labelsOf(cited: Cited, material: Material): string[] {
  const others = [...citedWords(cited, material), ...citedFindings(cited, material)].map(([label]) => label);
  return [...referencesTo(cited.evidence, material.labels), ...others];
}

const citedWords = ({ words }: Cited, material: Material) =>
  [...material.words].filter(([, { text, speaker }]) =>
    words.some((said) => said.text === text && said.speaker === speaker),
  );

function citedFindings({ facts: stated }: Cited, { findings }: Material) {
  const known = new Set(stated.map((fact) => JSON.stringify(fact)));
  return [...findings].filter(
    ([, { facts }]) => facts.length > 0 && facts.every((fact) => known.has(JSON.stringify(fact))),
  );
}

function printFilePart(
  label: string,
  file: FileDiff,
  evidence: Evidence[],
  { heads, definitions }: Material,
  breadth: Breadth,
): string[] {
  const lines = [`${label} ${oneLine(file.path)}`];
  for (const [index, hunk] of file.hunks.entries()) {
    const cited = evidence.filter((one) => overlaps(one, hunk));
    if (cited.length === 0) continue;
    lines.push(printHead(index, hunk, heads), ...printPart(linesOf(hunk), cited, breadth));
  }
  const isCited = ({ startLine, lines: own }: Definition): boolean =>
    evidence.some(
      (one) => one.unchanged && one.startLine < startLine + own.length && one.endLine >= startLine,
    );
  const shown = (definitions.get(file.path) ?? []).filter(isCited);
  return [...lines, ...shown.flatMap(printDefinition)];
}

export function overlaps({ side, startLine, endLine }: Evidence, hunk: Hunk): boolean {
  const [start, count] = side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
  return startLine < start + count && endLine >= start;
}

/** The lines around what is cited, with a mark of ours wherever some are left out. */
function printPart(
  lines: readonly DiffLine[],
  cited: Evidence[],
  { wholeHunkLines, around }: Breadth,
): string[] {
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
