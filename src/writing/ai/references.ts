import type { Definition, Evidence, LookedLines } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { type Sentence, type SpokenWords, type StatedFact, withoutRepeats } from '../draft.ts';
import { isOn } from './looks/requests.ts';
import {
  type Material,
  oneLine,
  printCommented,
  printDefinition,
  printHead,
  printLine,
  printLooked,
  printPath,
  printSpoken,
  referencesTo,
  sizeOf,
} from './material.ts';

interface Resolved {
  evidence: Evidence[];
  words: SpokenWords[];
  facts: StatedFact[];
  unknown: string[];
}

const lineReference = /^([fu]\d+)\s*([+-])\s*(\d+)(?:\s*[-–]\s*[+-]?(\d+))?$/;
const headingReference = /^(f\d+)\s*@\s*(\d+)$/;

/**
 * Resolves the citations of a sentence, such as `f3+41-45`, `f3-38`, `f3@2`, `w2` or `k5`; a string may contain
 * several.
 */
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
  const [fileName] = [...material.labels].find(([, one]) => one === line?.[1]) ?? [];
  if (!line || fileName === undefined) return false;
  const file = material.files.get(line[1] ?? '');
  const start = Number(line[3]);
  const end = Number(line[4] ?? line[3]);
  const side = line[2] === '+' ? 'new' : 'old';
  const [first, last] = [Math.min(start, end), Math.max(start, end)];
  const looked = material.looked.filter((one) => one.fileName === fileName && one.side === side);
  const definitions = (side === 'new' && material.definitions.get(fileName)) || [];
  const found = [
    ...(file ? linesWithin(file, side, first, last) : []),
    // Lines of a definition may have been looked up too.
    ...withoutRepeats(
      [...looked, ...definitions].flatMap((one) => linesOfUnchanged(one, { fileName, side }, first, last)),
    ),
  ];
  into.evidence.push(...found);
  return found.length > 0;
}

/** The parts of a range of lines that are in hunks, so that a range over two hunks cites both. */
function linesWithin(file: FileDiff, side: Evidence['side'], start: number, end: number): Evidence[] {
  return file.hunks.flatMap((hunk) => {
    const [first, count] = side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
    const startLine = Math.max(start, first);
    const endLine = Math.min(end, first + count - 1);
    return startLine <= endLine ? [{ fileName: file.path, startLine, endLine, side }] : [];
  });
}

function linesOfUnchanged(
  { startLine: from, lines }: Pick<Definition, 'startLine' | 'lines'>,
  place: Pick<Evidence, 'fileName' | 'side'>,
  start: number,
  end: number,
): Evidence[] {
  const startLine = Math.max(start, from);
  const endLine = Math.min(end, from + lines.length - 1);
  if (startLine > endLine) return [];
  const own = lines.slice(startLine - from, endLine - from + 1).slice(0, mostLinesKept);
  return [{ ...place, startLine, endLine, unchanged: true, lines: own }];
}

/** The most lines kept of one citation: as many as readers look at. */
const mostLinesKept = 24;

/** Both sides of a hunk; the old one only if it has removed lines. */
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

interface Breadth {
  /** Hunks with up to this many lines are printed as a whole. */
  wholeHunkLines: number;
  around: number;
}

const usual: Breadth = { wholeHunkLines: 80, around: 12 };

type Cited = Pick<Sentence, 'evidence' | 'words' | 'facts'>;

/** The cited lines and texts, each once, with the labels that the writer saw. */
export function printCited(cited: Cited, material: Material, breadth = usual): string[] {
  const lines: string[] = [];
  for (const [path, evidence] of Map.groupBy(cited.evidence, ({ fileName }) => fileName)) {
    const label = material.labels.get(path) ?? '';
    const file = material.files.get(label);
    if (file) lines.push(...printFilePart(label, file, evidence, material, breadth));
    lines.push(
      ...printLooked(
        material.looked.filter((one) => evidence.some((cited) => isOfRun(cited, one))),
        material.labels,
      ),
    );
  }
  const commented = new Set<string | undefined>();
  for (const [label, spoken] of citedWords(cited, material)) {
    lines.push(printSpoken(label, spoken));
    if (!commented.has(spoken.said?.comment)) lines.push(...printCommented(label, spoken));
    commented.add(spoken.said?.comment);
  }
  for (const [label, { text }] of citedFindings(cited, material)) lines.push(`${label} ${oneLine(text)}`);
  return lines;
}

/** The known uses of names in these sentences, so that a reader sees whether one user is the only one. */
export function printUsages(sentences: string, { usages, looked, labels }: Material): string[] {
  const named = [...usages].filter(([text]) => isOn(sentences, { kind: 'usages', text }));
  const uses = looked.flatMap(({ lines, startLine, ...run }) =>
    lines.flatMap((line, at) =>
      named.some(([text]) => isOn(line, { kind: 'usages', text }))
        ? [{ ...run, startLine: startLine + at, lines: [line] }]
        : [],
    ),
  );
  return [...printLooked(uses, labels), ...named.map(([, line]) => line)];
}

export const isOfRun = (
  { fileName, side, startLine, endLine, unchanged }: Evidence,
  one: LookedLines,
): boolean =>
  unchanged === true &&
  fileName === one.fileName &&
  side === one.side &&
  startLine < one.startLine + one.lines.length &&
  endLine >= one.startLine;

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
  const lines = [printPath(label, file)];
  for (const { index, hunk, shown } of shownIn(file, evidence, breadth)) {
    lines.push(printHead(index, hunk, heads));
    let next = 0;
    for (const [place, line] of shown) {
      if (place > next) lines.push('…');
      lines.push(printLine(line));
      next = place + 1;
    }
  }
  const isCited = ({ startLine, lines: own }: Definition): boolean =>
    evidence.some(
      (one) => one.unchanged && one.startLine < startLine + own.length && one.endLine >= startLine,
    );
  const stays = (definitions.get(file.path) ?? []).filter(isCited);
  return [...lines, ...stays.flatMap(printDefinition)];
}

export function overlaps({ side, startLine, endLine }: Evidence, hunk: Hunk): boolean {
  const [start, count] = side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
  return startLine < start + count && endLine >= start;
}

interface ShownHunk {
  index: number;
  hunk: Hunk;
  shown: [place: number, line: DiffLine][];
}

function shownIn(
  { hunks }: FileDiff,
  evidence: Evidence[],
  { wholeHunkLines, around }: Breadth,
): ShownHunk[] {
  return [...hunks.entries()].flatMap(([index, hunk]) => {
    const cited = evidence.filter((one) => overlaps(one, hunk));
    if (cited.length === 0) return [];
    const lines = linesOf(hunk);
    const isCited = ({ oldLine, newLine }: DiffLine) =>
      cited.some(({ side, startLine, endLine }) => {
        const line = side === 'new' ? newLine : oldLine;
        return line !== null && line >= startLine && line <= endLine;
      });
    const near = new Set<number>();
    for (const [place, line] of lines.entries())
      if (isCited(line)) for (let at = place - around; at <= place + around; at += 1) near.add(at);
    const isWhole = lines.length <= wholeHunkLines;
    return [{ index, hunk, shown: [...lines.entries()].filter(([place]) => isWhole || near.has(place)) }];
  });
}

export function sizesOfCited(evidence: Evidence[], material: Material, breadth = usual): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const [path, own] of Map.groupBy(evidence, ({ fileName }) => fileName)) {
    const file = material.files.get(material.labels.get(path) ?? '');
    if (!file) continue;
    sizes.set(path, sizeOf([printPath('f999', file)]));
    for (const { index, hunk, shown } of shownIn(file, own, breadth)) {
      sizes.set(`${path}@${index}`, sizeOf(['…', '…', printHead(index, hunk, material.heads)]));
      for (const [place, line] of shown) sizes.set(`${path}@${index}:${place}`, sizeOf([printLine(line)]));
    }
  }
  return sizes;
}
