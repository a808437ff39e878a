import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { code, firstNames, type RuleSentence } from './phrases.ts';
import { fullName, isChanged, isIn, lineOfPiece } from './pieces.ts';

export interface Move {
  names: string[];
  from: string;
  to: string;
  isEdited: boolean;
  size: number;
  evidence: Evidence[];
}

type Diffs = ReadonlyMap<string, FileDiff>;

export function movesIn(files: FileFacts[], diff: Diffs): Move[] {
  const moves = new Map<string, Move>();
  for (const { path, symbols } of files)
    for (const symbol of symbols) {
      const { change, movedFrom, isEdited, evidence } = symbol;
      if (change !== 'moved' || !movedFrom || isEdited || evidence.side !== 'new') continue;
      if (!isSameText(textsAt(movedFrom, diff), textsAt(evidence, diff))) continue;
      const from = movedFrom.fileName;
      const key = `${from}\0${path}`;
      const move = moves.get(key) ?? { names: [], from, to: path, isEdited: false, size: 0, evidence: [] };
      moves.set(key, move);
      move.names.push(fullName(symbol));
      move.evidence.push(movedFrom, evidence);
      move.size += evidence.endLine - evidence.startLine + 1;
    }
  const all = [...moves.values(), ...files.flatMap(fileMove)];
  return all.sort((one, other) => other.size - one.size);
}

function textsAt(span: Evidence, diff: Diffs): string[] {
  const { fileName, startLine, endLine } = span;
  const lines = (diff.get(fileName)?.hunks ?? []).flatMap(linesOf);
  const own = lines.filter((line) => isChanged(line) && isIn(line, span));
  return own.length === endLine - startLine + 1 ? own.map(({ text }) => text.trim()) : [];
}

const isSameText = (one: string[], other: string[]): boolean =>
  one.length > 0 && one.join('\n') === other.join('\n');

function fileMove({ path, previousPath, status, additions, deletions, place }: FileFacts): Move[] {
  if (status !== 'renamed' || previousPath === null) return [];
  const isEdited = additions + deletions > 0;
  return [{ names: [], from: previousPath, to: path, isEdited, size: 0, evidence: place ? [place] : [] }];
}

export const sentenceOfMove = ({ names, from, to, isEdited, evidence }: Move): RuleSentence => ({
  say: (phrases) =>
    names.length > 0
      ? phrases.moved(firstNames(names.map(code), 6), from, to)
      : phrases.fileMoved(from, to, isEdited),
  evidence,
});

/** Names declared on removed and on added lines: qualified, and also without their qualifier. */
export type DeclaredNames = Record<Evidence['side'], Set<string>>;

const declaration =
  /\b(?:class|const|def|enum|fn|fun|func|function|interface|let|module|static|struct|trait|type|val|var)\s+(?:mut\s+|self\.|\([^)]*\)\s*)?([\w$]+)/;

export function declaredNames(files: FileFacts[], diff: Diffs): DeclaredNames {
  const names: DeclaredNames = { old: new Set(), new: new Set() };
  const add = (side: Evidence['side'], name: string): void => {
    names[side].add(name).add(`.${lastName(name)}`);
  };
  for (const { path, ranges, kind } of files) {
    if (kind === 'documentation') continue;
    const changed = { old: new Map<number, string>(), new: new Map<number, string>() };
    for (const hunk of diff.get(path)?.hunks ?? [])
      for (const line of linesOf(hunk)) {
        if (!isChanged(line)) continue;
        const { side, line: at } = lineOfPiece(line);
        changed[side].set(at, line.text);
        const [, name] = declaration.exec(line.text) ?? [];
        if (name) add(side, name);
      }
    for (const { side, name, startLine } of ranges)
      if (changed[side].get(startLine)?.includes(lastName(name))) add(side, name);
  }
  return names;
}

export const lastName = (name: string): string => name.split(/\.|::| › /).at(-1) ?? name;
