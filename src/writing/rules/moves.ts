import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { code } from './phrases.ts';
import { fewestMoved, fullName, placeOf } from './pieces.ts';
import { named, type Told } from './told.ts';

/** What is in another place, otherwise as it was. */
export interface Move {
  /** Names of what moved; none for lines without a name, and for a whole file. */
  names: string[];
  from: string;
  to: string;
  isFile: boolean;
  /** Whether a file that moved is in other ways not as it was. */
  isEdited: boolean;
  size: number;
  evidence: Evidence[];
}

export function movesIn(files: FileFacts[], diff: Map<string, FileDiff>): Move[] {
  const moves = new Map<string, Move>();
  const moveBetween = (from: string, to: string): Move => {
    const known = moves.get(`${from}\0${to}`) ?? {
      names: [],
      from,
      to,
      isFile: false,
      isEdited: false,
      size: 0,
      evidence: [],
    };
    moves.set(`${from}\0${to}`, known);
    return known;
  };
  for (const { path, symbols } of files)
    for (const symbol of symbols) {
      const { change, movedFrom, isEdited, evidence } = symbol;
      if (change !== 'moved' || !movedFrom || isEdited || evidence.side !== 'new') continue;
      if (!isSameText(textsAt(movedFrom, diff), textsAt(evidence, diff))) continue;
      const move = moveBetween(movedFrom.fileName, path);
      move.names.push(fullName(symbol));
      move.evidence.push(movedFrom, evidence);
      move.size += evidence.endLine - evidence.startLine + 1;
    }
  for (const { changes } of files)
    for (const { kind, new: place, counterpart } of changes) {
      if (kind !== 'moved' || !place || !counterpart || place.fileName === counterpart.fileName) continue;
      const move = moveBetween(counterpart.fileName, place.fileName);
      if (move.names.length > 0) continue;
      move.size += place.endLine - place.startLine + 1;
      if (move.evidence.length < 10) move.evidence.push(counterpart, place);
    }
  const found = [...moves.values()].filter(({ names, size }) => names.length > 0 || size >= fewestMoved);
  return [...found, ...files.flatMap(fileMove)].sort((one, other) => other.size - one.size);
}

/** Lines of the diff without their indentation; none unless all of them changed. */
function textsAt({ fileName, side, startLine, endLine }: Evidence, diff: Map<string, FileDiff>): string[] {
  const changed = side === 'old' ? 'removed' : 'added';
  const own = (diff.get(fileName)?.hunks ?? []).flatMap((hunk) =>
    linesOf(hunk).filter((line) => {
      const { line: at } = placeOf(line);
      return line.side === changed && at >= startLine && at <= endLine;
    }),
  );
  return own.length === endLine - startLine + 1 ? own.map(({ text }) => text.trim()) : [];
}

const isSameText = (one: string[], other: string[]): boolean =>
  one.length > 0 && one.join('\n') === other.join('\n');

function fileMove({ path, previousPath, status, additions, deletions, place }: FileFacts): Move[] {
  if (status !== 'renamed' || previousPath === null) return [];
  const isEdited = additions + deletions > 0;
  return [
    {
      names: [],
      from: previousPath,
      to: path,
      isFile: true,
      isEdited,
      size: 0,
      evidence: place ? [place] : [],
    },
  ];
}

export const toldOfMove = ({ names, from, to, isFile, isEdited, evidence }: Move): Told => ({
  say: (phrases) => {
    if (isFile) return phrases.fileMoved(from, to, isEdited);
    return names.length > 0
      ? phrases.moved(named(names.map(code), 6), from, to)
      : phrases.partMoved(from, to);
  },
  evidence,
});
