import type { FileFacts, SymbolChange } from '../../reading/facts.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import { type Caption, weightOf } from './captions.ts';
import { captionsOf } from './find-captions.ts';
import type { Piece } from './pieces.ts';
import type { Ranking } from './rank-pieces.ts';
import { narrowEdit } from './same-edits.ts';
import { weightOfDeed } from './what-lines-do.ts';
import { wholeFile } from './whole-file.ts';

/** A row has room for so many things that are certain. */
const mostCaptions = 2;
const mostNames = 5;
/** Of so many things one will hold. */
const mostTried = 6;
const longestEdit = 60;

/** What a row says of a file: what happened to it as a whole, what is certain, or what its weightiest edit is. */
export function captionsOfFile(
  file: FileFacts,
  pieces: Piece[],
  ranking: Ranking,
  lines: DiffLines,
): Caption[] {
  const whole = wholeFile(file);
  if (whole) return [whole];
  const became = file.changes.filter(({ kind }) => kind !== 'rewrapped' && kind !== 'moved');
  if (became.length === 0 && file.changes.length > 0) {
    const moved = movesOf(file);
    return moved.length > 0 ? moved : [{ kind: 'layout', path: file.path }];
  }
  const renamed: Caption[] =
    file.status === 'renamed' && file.previousPath !== null
      ? [{ kind: 'renamedFile', path: file.path, from: file.previousPath }]
      : [];
  return [...renamed, ...withinFile(file, pieces, ranking, lines)];
}

function withinFile(file: FileFacts, pieces: Piece[], ranking: Ranking, _lines: DiffLines): Caption[] {
  const certain = pieces
    .flatMap((piece) => captionsOf(piece, ranking.newNames).slice(0, 1))
    .filter((caption) => weightOf(caption) >= 5)
    .sort((one, other) => weightOf(other) - weightOf(one));
  const found = mergeRemoved(certain);
  return found.length > 0 ? found.slice(0, mostTried) : lessCertain(file, pieces);
}

/** Where nothing is certain: its weightiest edit, else where it was made. */
function lessCertain(file: FileFacts, pieces: Piece[]): Caption[] {
  const found: Caption[] = [];
  const units = pieces.flatMap((piece) => piece.units.map((unit) => ({ unit, piece })));
  const news = units.filter(({ unit: { deed } }) => weightOfDeed[deed] > 1);
  if (news.length === 0) {
    if (units.length === 0) return [...found, ...movesOf(file).slice(0, 1)];
    const isImports = units.every(({ unit: { deed } }) => deed === 'import' || deed === 'closing');
    found.push(
      isImports ? { kind: 'onlyImports', path: file.path } : { kind: 'onlyComments', path: file.path },
    );
    return found;
  }
  const heavy = news.toSorted((one, other) => weightOfDeed[other.unit.deed] - weightOfDeed[one.unit.deed]);
  for (const { unit, piece } of heavy) {
    const edit = narrowEdit(unit);
    if (edit && edit.from.length <= longestEdit && edit.to.length <= longestEdit)
      found.push({ kind: 'edit', within: piece.name, ...edit });
  }
  const names = [...new Set(pieces.flatMap(({ name }) => name ?? []))];
  if (names.length > 0) found.push({ kind: 'places', names: names.slice(0, mostNames) });
  for (const { unit, piece } of heavy) {
    const { change, before, after } = unit;
    const text = (after ?? before ?? '').replace(/[\s,;{([]+$/, '');
    if (text.length > longestEdit || !/\p{L}{2}/u.test(text)) continue;
    if (change.kind === 'added') found.push({ kind: 'newLine', within: piece.name, text });
    if (change.kind === 'removed') found.push({ kind: 'goneLine', within: piece.name, text });
  }
  return found.slice(0, mostTried);
}

/** What was removed is told in one go. */
function mergeRemoved(captions: Caption[]): Caption[] {
  const removed = captions.filter((caption) => caption.kind === 'removedDeclarations');
  const [first] = removed;
  if (!first || removed.length < 2) return captions;
  const names = removed.filter(({ thing }) => thing === first.thing).flatMap((caption) => caption.names);
  const rest = captions.filter((caption) => caption.kind !== 'removedDeclarations');
  return [...rest, { ...first, names: names.slice(0, mostNames) }];
}

function movesOf(file: FileFacts): Caption[] {
  const moved = file.symbols.filter(
    (symbol): symbol is SymbolChange & { movedFrom: object; movedTo: object } =>
      symbol.change === 'moved' && symbol.movedFrom !== null && symbol.movedTo !== null,
  );
  return moved
    .flatMap(({ kind: thing, name, isPublic, movedFrom, movedTo }): Caption[] => {
      if (movedFrom.fileName === movedTo.fileName) return [];
      return movedTo.fileName === file.path
        ? [{ kind: 'movedHere', thing, name, isPublic, from: movedFrom.fileName, to: movedTo.fileName }]
        : [{ kind: 'movedAway', thing, name, from: movedFrom.fileName, to: movedTo.fileName }];
    })
    .slice(0, mostCaptions);
}
