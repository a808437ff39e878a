import type { Evidence } from '../../reading/facts.ts';
import type { DiffLines, PlacedLine } from './diff-lines.ts';

/** What a sentence cites of one file: the lines, with the changed blocks that they belong to. */
export interface CitedFile {
  path: string;
  previousPath: string | null;
  lines: PlacedLine[];
  /** What git prints above the hunks that are cited. */
  headings: string[];
}

/** What a sentence rests on. It grows where something is found a few lines further on. */
export interface Citation {
  evidence: Evidence[];
  files: CitedFile[];
}

/** References that point to nothing that changed are none. */
export const validReferences = (references: Evidence[], lines: DiffLines): Evidence[] =>
  references.filter((one) => pointsToChange(one, lines));

/** The lines that references point to, with the blocks around them. */
export function cite(evidence: Evidence[], lines: DiffLines): Citation {
  const byFile = Map.groupBy(evidence, ({ fileName }) => fileName);
  return { evidence, files: [...byFile].map(([path, some]) => citedFile(path, some, lines)) };
}

const numberOn = ({ oldLine, newLine }: PlacedLine, side: Evidence['side']): number | null =>
  side === 'old' ? oldLine : newLine;

export const isCited = (line: PlacedLine, { startLine, endLine, side }: Evidence): boolean => {
  const number = numberOn(line, side);
  return number !== null && number >= startLine && number <= endLine;
};

/** Whether all lines are in one hunk and at least one of them changed. */
function pointsToChange(reference: Evidence, lines: DiffLines): boolean {
  const { fileName, startLine, endLine, side } = reference;
  const count = endLine - startLine + 1;
  if (!(count >= 1)) return false;
  const cited = lines.of(fileName).filter((line) => isCited(line, reference));
  const changed = side === 'old' ? 'removed' : 'added';
  return (
    cited.length === count &&
    cited.every(({ hunk }) => hunk === cited[0]?.hunk) &&
    cited.some((line) => line.side === changed)
  );
}

function citedFile(path: string, evidence: Evidence[], lines: DiffLines): CitedFile {
  const all = lines.of(path);
  const cited = all.filter((line) => evidence.some((one) => isCited(line, one)));
  const blocks = new Set(cited.map(({ block }) => block).filter((block) => block !== null));
  const hunks = new Set(cited.map(({ hunk }) => hunk));
  const file = lines.file(path);
  return {
    path,
    previousPath: file?.previousPath ?? null,
    lines: all.filter(
      (line) => (line.block !== null && blocks.has(line.block)) || evidence.some((one) => isCited(line, one)),
    ),
    headings: [...hunks].flatMap((hunk) => file?.hunks[hunk]?.heading ?? []).filter((text) => text !== ''),
  };
}

/** A reference to one line, on the side where it changed, or as it reads now. */
export function referenceTo(path: string, { oldLine, newLine }: PlacedLine): Evidence | null {
  const line = newLine ?? oldLine;
  if (line === null) return null;
  return { fileName: path, startLine: line, endLine: line, side: newLine === null ? 'old' : 'new' };
}
