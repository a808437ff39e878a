import type { FileFacts } from '../../reading/facts.ts';
import type { Caption } from './captions/caption.ts';
import { weightOf } from './captions/captions.ts';
import type { Piece, PieceUnit } from './pieces.ts';
import type { Told } from './prove-captions.ts';
import type { Ranking } from './rank-pieces.ts';
import { narrowEdit } from './same-edits.ts';
import { spansOf, spansOfUnit } from './spans.ts';
import { toldOfPlaces } from './told-of-places.ts';
import { isNews, weightOfDeed } from './what-lines-do.ts';
import { captionsOfWhole } from './whole-file.ts';

const mostNames = 5;
/** Of so many things one will hold. */
const mostTried = 8;
const fewStatements = 3;
const longestEdit = 60;
const longestLine = 80;
/** Of lines that are longer together, none is told for the others. */
const longestLines = 120;
const mostLines = 3;
/** What weighs less is no news by itself. */
export const leastCertain = 5;

/** What a row may say of a file, what says most first: of the file as a whole, what is certain, or its weightiest edit. */
export function toldOfFile(file: FileFacts, pieces: Piece[], ranking: Ranking): Told[] {
  const evidence = pieces.flatMap((piece) => spansOf(piece).slice(0, 2)).slice(0, mostNames);
  const all = (captions: Caption[]): Told[] =>
    captions.map((caption) => ({
      caption,
      evidence: evidence.length > 0 || !file.place ? evidence : [file.place],
    }));
  const whole = captionsOfWhole(file);
  if (whole.length > 0) return all(whole);
  const became = file.changes.filter(({ kind }) => kind !== 'rewrapped' && kind !== 'moved');
  if (became.length === 0 && file.changes.length > 0) {
    const moved = movesOf(file);
    return moved.length > 0 ? moved : all([{ kind: 'layout' }]);
  }
  const renamed: Caption[] =
    file.status === 'renamed' && file.previousPath !== null
      ? [{ kind: 'renamedFile', path: file.path, from: file.previousPath }]
      : [];
  const certain = certainOf(pieces, ranking);
  return [...all(renamed), ...certain, ...lessCertain(file, pieces, ranking)].slice(0, mostTried);
}

function certainOf(pieces: Piece[], ranking: Ranking): Told[] {
  return pieces
    .flatMap((piece) =>
      ranking
        .certain(piece)
        .slice(0, 1)
        .map((caption) => ({ caption, evidence: spansOf(piece) })),
    )
    .filter(({ caption }) => weightOf(caption) >= leastCertain)
    .sort((one, other) => weightOf(other.caption) - weightOf(one.caption));
}

/** Where nothing is certain: its weightiest edit, else where it was made, else a line of it. */
function lessCertain(file: FileFacts, pieces: Piece[], ranking: Ranking): Told[] {
  const units = pieces.flatMap((piece) => piece.units.map((unit) => ({ unit, piece })));
  const news = units
    .filter(({ unit }) => isNews(unit))
    .sort((one, other) => weightOfDeed[other.unit.deed] - weightOfDeed[one.unit.deed]);
  if (news.length === 0) return withoutNews(file, pieces);
  const edits = news
    .values()
    .flatMap(({ unit, piece }) => (ranking.isRepeated(unit) ? [] : editOf(unit, piece)))
    .take(2);
  const places = toldOfPlaces(pieces, mostNames);
  const lines = linesOf(news);
  // Of a few statements one says more than where they stand.
  return news.length <= fewStatements ? [...edits, ...lines, ...places] : [...edits, ...places, ...lines];
}

function editOf(unit: PieceUnit, { name: within }: Piece): Told[] {
  const edit = narrowEdit(unit);
  if (!edit || edit.from.length > longestEdit || edit.to.length > longestEdit) return [];
  return [{ caption: { kind: 'edit', within, ...edit }, evidence: spansOfUnit(unit) }];
}

const bare = (text: string): string => text.replace(/[\s,;:{([]+$/, '');

function lineOf(unit: PieceUnit, { name: within }: Piece): Told[] {
  const { change, before, after } = unit;
  const text = (after ?? before ?? '').replace(/[\s,;:{([]+$/, '');
  if (text.length > longestLine || !/^[\p{L}<"'`@$_.#-].*\p{L}{2}/u.test(text)) return [];
  const evidence = spansOfUnit(unit);
  const isOther = bare(before ?? '') !== bare(after ?? '');
  if (change.kind === 'replaced' && !isOther) return [];
  if (change.kind === 'replaced' && before !== null && after !== null && before.length <= longestLine)
    return [{ caption: { kind: 'edit', within, from: bare(before), to: bare(after) }, evidence }];
  if (change.kind === 'added') return [{ caption: { kind: 'newLines', within, texts: [text] }, evidence }];
  return change.kind === 'removed'
    ? [{ caption: { kind: 'goneLines', within, texts: [text] }, evidence }]
    : [];
}

/** Lines that came or went are told where all are: one for several would hide the others. */
function linesOf(news: { unit: PieceUnit; piece: Piece }[]): Told[] {
  const told = news.flatMap(({ unit, piece }) => lineOf(unit, piece));
  const replaced = told.filter(({ caption }) => caption.kind === 'edit').slice(0, mostLines);
  if (replaced.length > 0) return replaced;
  const evidence = told.flatMap((one) => one.evidence);
  const [within, ...others] = new Set(news.map(({ piece }) => piece.name));
  const around = others.length === 0 && within !== undefined ? within : null;
  const textsOf = (kind: 'newLines' | 'goneLines'): string[] =>
    told.flatMap(({ caption }) => (caption.kind === kind ? caption.texts : []));
  const isAll = (texts: string[]): boolean => texts.length === news.length;
  const [came, went] = [textsOf('newLines'), textsOf('goneLines')];
  const isShort = (texts: string[]): boolean => texts.join().length <= longestLines;
  if (isAll(came) && isShort(came))
    return [{ caption: { kind: 'newLines', within: around, texts: came }, evidence }];
  if (isAll(went) && isShort(went))
    return [{ caption: { kind: 'goneLines', within: around, texts: went }, evidence }];
  const entries = news.flatMap(({ unit: { change, after } }) => (change.kind === 'added' && after) || []);
  const [key, ...otherKeys] = new Set(entries.map((text) => /^[\w.-]+(?=\s*[:=])/.exec(text)?.[0]));
  return isAll(entries) && entries.length > 1 && key !== undefined && otherKeys.length === 0
    ? [
        {
          caption: { kind: 'newEntries', within: around, key, texts: entries },
          evidence: news.flatMap(({ unit }) => spansOfUnit(unit)),
        },
      ]
    : [];
}

function withoutNews(file: FileFacts, pieces: Piece[]): Told[] {
  const units = pieces.flatMap((piece) => piece.units);
  const evidence = pieces.flatMap(spansOf).slice(0, mostNames);
  if (units.length === 0) return movesOf(file);
  const isImports = units.every(({ deed }) => deed === 'import' || deed === 'closing' || deed === 'layout');
  const caption: Caption = { kind: isImports ? 'onlyImports' : 'onlyComments' };
  return [{ caption, evidence }];
}

function movesOf({ path, symbols }: FileFacts): Told[] {
  return symbols
    .flatMap(({ change, kind: thing, name, movedFrom, movedTo }): Told[] => {
      if (change !== 'moved' || !movedFrom || !movedTo || movedFrom.fileName === movedTo.fileName) return [];
      const isHere = movedTo.fileName === path;
      const [from, to] = [movedFrom.fileName, movedTo.fileName];
      return [
        {
          caption: { kind: isHere ? 'movedHere' : 'movedAway', thing, name, from, to },
          evidence: [isHere ? movedTo : movedFrom],
        },
      ];
    })
    .slice(0, 2);
}
