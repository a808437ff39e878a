import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import type { StatedFact } from '../draft.ts';

/** A changed line with the run of changed lines that it stands in. */
interface ChangedLine {
  fileName: string;
  side: Evidence['side'];
  number: number;
  hunk: Hunk;
  block: number;
  text: string;
  /** Its words, each with a blank on either side. */
  words: string;
}

/** The changed lines of a file, in the order of each side and by the runs that they stand in. */
interface ChangedFile {
  old: ChangedLine[];
  new: ChangedLine[];
  blocks: ChangedLine[][];
}

/** Words that a fact needs to see on one side of the diff. */
interface Needle {
  text: string;
  side: Evidence['side'];
}

/** Longer pieces of text are not looked for. */
const mostLines = 14;

/** Gives a sentence the fewest changed lines that show what it says. */
export type Narrow = (evidence: Evidence[], facts: StatedFact[]) => Evidence[];

export function createNarrowing(diff: FileDiff[]): Narrow {
  const files = new Map(diff.map((file) => [file.path, file]));
  const known = new Map<string, ChangedFile>();
  const changedIn = (path: string): ChangedFile => {
    const file = known.get(path) ?? changedFile(files.get(path));
    known.set(path, file);
    return file;
  };
  return (evidence, facts) => {
    const needles = facts.flatMap(needlesIn).filter(({ text }) => wordsOf(text).trim() !== '');
    const whole = () => unique(evidence.map((one) => trim(one, changedIn(one.fileName))));
    if (needles.length === 0) return whole();
    const { cited, near } = linesNear(evidence, changedIn);
    const found = needles.map((needle) => {
      const shown = findLines(needle, cited);
      return shown.length > 0 ? shown : findLines(needle, near);
    });
    return found.some((lines) => lines.length === 0) ? whole() : unique(evidenceOf(found.flat()));
  };
}

function changedFile(file: FileDiff | undefined): ChangedFile {
  const blocks: ChangedLine[][] = [[]];
  for (const hunk of file?.hunks ?? []) {
    blocks.push([]);
    for (const line of linesOf(hunk)) {
      if (line.side === 'context') blocks.push([]);
      else blocks.at(-1)?.push(changedLine(file?.path ?? '', line, hunk, blocks.length - 1));
    }
  }
  const lines = blocks.flat();
  return {
    blocks,
    old: lines.filter(({ side }) => side === 'old'),
    new: lines.filter(({ side }) => side === 'new'),
  };
}

function changedLine(fileName: string, line: DiffLine, hunk: Hunk, block: number): ChangedLine {
  const { oldLine, newLine, text } = line;
  const side = newLine === null ? 'old' : 'new';
  return { fileName, side, number: newLine ?? oldLine ?? 0, hunk, block, text, words: wordsOf(text) };
}

/** What a text says, whatever stands between its words. */
const wordsOf = (text: string): string => ` ${(text.match(/[\p{L}\p{N}_$]+/gu) ?? []).join(' ')} `;

/** The changed lines that a reference names. */
function linesIn(file: ChangedFile, { side, startLine, endLine }: Evidence): ChangedLine[] {
  const lines = file[side];
  return lines.slice(firstAtLeast(lines, startLine), firstAtLeast(lines, endLine + 1));
}

function firstAtLeast(lines: ChangedLine[], number: number): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lines[middle]?.number ?? number) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * The changed lines of references, and those that changed together with them: a comment stands above what it is about. What
 * changed together on the other side is cited as well.
 */
function linesNear(
  evidence: Evidence[],
  changedIn: (path: string) => ChangedFile,
): { cited: ChangedLine[]; near: ChangedLine[] } {
  const cited = new Set<ChangedLine>();
  const near = new Set<ChangedLine[]>();
  const across = { old: new Set<ChangedLine[]>(), new: new Set<ChangedLine[]>() };
  for (const reference of evidence) {
    const file = changedIn(reference.fileName);
    for (const line of linesIn(file, reference)) {
      cited.add(line);
      const block = file.blocks[line.block] ?? [];
      near.add(block);
      across[reference.side].add(block);
    }
  }
  const isCited = (line: ChangedLine, block: ChangedLine[]): boolean =>
    cited.has(line) || across[line.side === 'old' ? 'new' : 'old'].has(block);
  return {
    cited: [...near].flatMap((block) => block.filter((line) => isCited(line, block))),
    near: [...near].flat(),
  };
}

/** The first line that holds the words; or the lines one after the other that hold them together. */
function findLines({ text, side }: Needle, near: ChangedLine[]): ChangedLine[] {
  const pieces = text
    .split('…')
    .map(wordsOf)
    .filter((piece) => piece.trim() !== '');
  const holds = (words: string): boolean => {
    let from = 0;
    return pieces.every((piece) => {
      const at = words.indexOf(piece, from);
      from = at + piece.length - 1;
      return at >= 0;
    });
  };
  const lines = near.filter((line) => line.side === side);
  const holding = lines.filter(({ words }) => holds(words));
  // Two lines may have the same words with other signs between them.
  const exact = text.split('…').map((piece) => piece.trim());
  const single = holding.find((line) => exact.every((piece) => line.text.includes(piece))) ?? holding[0];
  if (single) return [single];
  for (let start = 0; start < lines.length; start++) {
    let words = ' ';
    for (let end = start; end < Math.min(lines.length, start + mostLines); end++) {
      const line = lines[end];
      if (!line || line.block !== lines[start]?.block) break;
      words = `${words}${line.words.slice(1)}`;
      if (holds(words)) return shortest(lines.slice(start, end + 1), holds);
    }
  }
  return [];
}

/** Without the lines at the beginning that are not needed. */
function shortest(lines: ChangedLine[], holds: (words: string) => boolean): ChangedLine[] {
  let from = 0;
  const join = (start: number) =>
    ` ${lines
      .slice(start)
      .map(({ words }) => words.slice(1))
      .join('')}`;
  while (from + 1 < lines.length && holds(join(from + 1))) from += 1;
  return lines.slice(from);
}

function evidenceOf(lines: ChangedLine[]): Evidence[] {
  const evidence: Evidence[] = [];
  for (const { fileName, side, number } of lines) {
    const last = evidence.at(-1);
    if (last?.fileName === fileName && last.side === side && number === last.endLine + 1)
      last.endLine = number;
    else evidence.push({ fileName, startLine: number, endLine: number, side });
  }
  return evidence;
}

/** A reference from its first changed line to its last; where all of them are on the other side, to those. */
function trim(reference: Evidence, file: ChangedFile): Evidence {
  const { side, fileName } = reference;
  const own = linesIn(file, reference);
  const across =
    own.length > 0
      ? own
      : file[side === 'old' ? 'new' : 'old'].filter((line) => overlaps(line.hunk, reference));
  const first = across[0];
  return first
    ? { fileName, startLine: first.number, endLine: across.at(-1)?.number ?? first.number, side: first.side }
    : reference;
}

function overlaps(
  { oldStart, oldLines, newStart, newLines }: Hunk,
  { startLine, endLine, side }: Evidence,
): boolean {
  const [start, count] = side === 'new' ? [newStart, newLines] : [oldStart, oldLines];
  return startLine < start + count && endLine >= start;
}

function unique(evidence: Evidence[]): Evidence[] {
  const keyOf = ({ fileName, startLine, endLine, side }: Evidence) =>
    `${fileName} ${side} ${startLine} ${endLine}`;
  return [...new Map(evidence.map((one) => [keyOf(one), one])).values()];
}

/** Names and pieces of code that a fact speaks of, with the side on which they have to stand. */
function needlesIn(fact: StatedFact): Needle[] {
  const old = (text: string): Needle => ({ text, side: 'old' });
  const now = (text: string): Needle => ({ text, side: 'new' });
  switch (fact.relation) {
    case 'comes':
      return [now(fact.name)];
    case 'goes':
      return [old(fact.name)];
    case 'moved':
      return [old(fact.name), now(fact.name)];
    case 'wrapped':
      return [now(fact.wrapper), now(fact.name)];
    case 'renamed':
    case 'becomes':
    case 'reworded':
    case 'parameterRenamed':
    case 'returns':
    case 'parameterType':
    case 'default':
      return [old(fact.from), now(fact.to)];
    case 'parameter':
      return [fact.change === 'added' ? now(fact.name) : old(fact.name)];
    case 'version':
      return [...(fact.from === null ? [] : [old(fact.from)]), ...(fact.to === null ? [] : [now(fact.to)])];
    default:
      return [];
  }
}
