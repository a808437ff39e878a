import type { Facts } from '../../reading/facts.ts';
import { titleWords } from '../../reading/title-words.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import type { Caption } from './captions/caption.ts';
import { captionsOf } from './find-captions.ts';
import { lastPart } from './name-parts.ts';
import { NewNames } from './new-names.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { type PlannedPoint, planPoints } from './plan-points.ts';
import { planRows } from './plan-rows.ts';
import { planStops, type Stop } from './plan-stops.ts';
import type { Prove } from './prove-captions.ts';
import type { Ranking } from './rank-pieces.ts';
import { toldOfFile } from './row-captions.ts';
import type { PlannedRow, RowSource } from './row-of-file.ts';
import { sameEditsOf } from './same-edits.ts';
import { isNews } from './what-lines-do.ts';

/** What an article shows of a diff, before any language comes in. */
export interface Tour {
  stops: Stop[];
  rows: PlannedRow[];
  points: PlannedPoint[];
}

export function planTour(facts: Facts, title: string, lines: DiffLines, prove: Prove): Tour {
  const source = sourceOf(facts, title, lines, prove);
  const stops = planStops(source.pieces, source.ranking, lines, prove);
  if (stops.length === 0) stops.push(...planWholeFile(source));
  const beats = stops.flatMap((stop) => stop.beats);
  const said = beats.flatMap(({ told }) => told.map(({ caption }) => caption));
  const rows = planRows(source, new Set([...beats.map(({ file }) => file.path), ...namedIn(said, source)]));
  const captions = [...said, ...rows.flatMap((row) => row.captions)];
  return { stops, rows, points: planPoints(facts, namesIn(captions), prove) };
}

/** Files that are named as where the same was done, and in which nothing else was. */
function namedIn(captions: Caption[], { pieces }: RowSource): string[] {
  const isAll = (path: string): boolean =>
    pieces.filter(({ file, units }) => file.path === path && units.some(isNews)).length <= 1;
  return captions.flatMap((caption) => (caption.kind === 'same' ? caption.paths.filter(isAll) : []));
}

/** Where nothing can be shown, because all of it was laid out anew or moved, or is not read: the first file is told. */
function planWholeFile({ files, ranking, prove }: RowSource): Stop[] {
  const file = files.find(({ skipped }) => skipped === null) ?? files[0];
  if (!file) return [];
  const evidence = file.place ? [file.place] : [];
  const told = toldOfFile(file, [], ranking).find((one) => prove(one)) ?? {
    caption: { kind: 'inFile', path: file.path },
    evidence,
  };
  return [{ beats: [{ file, told: [told], excerpt: null }] }];
}

/** The rows alone, of files that an article does not tell whose stops somebody else wrote. */
export function planRowsBeside(
  facts: Facts,
  told: ReadonlySet<string>,
  lines: DiffLines,
  prove: Prove,
): PlannedRow[] {
  const files = facts.files.filter(({ path }) => !told.has(path));
  return planRows(sourceOf({ ...facts, files }, '', lines, prove), new Set());
}

function sourceOf(facts: Facts, title: string, lines: DiffLines, prove: Prove): RowSource {
  const read = facts.files.filter(({ skipped }) => skipped === null);
  const pieces = read.flatMap((file) => piecesOf(file, lines));
  const sameEdits = sameEditsOf(pieces, lines);
  const repeated = new Set(sameEdits.flatMap(({ units }) => [...units]));
  const newNames = new NewNames(pieces);
  const certain = new Map<Piece, Caption[]>();
  const ranking: Ranking = {
    title,
    titleWords: titleWords(title),
    isAboutDocuments: facts.changeType === 'DOCS',
    newNames,
    isRepeated: (unit) => repeated.has(unit),
    certain: (piece) => {
      const captions = certain.get(piece) ?? captionsOf(piece, newNames);
      certain.set(piece, captions);
      return captions;
    },
  };
  return { files: facts.files, pieces, sameEdits, ranking, lines, prove };
}

/** What captions say of declarations, defaults and packages. */
const namesIn = (captions: Caption[]): Set<string> => new Set(captions.flatMap(namesOf));

function namesOf(caption: Caption): string[] {
  switch (caption.kind) {
    case 'removedDeclaration':
      return [lastPart(caption.name)];
    case 'defaultValue':
    case 'newParameter':
    case 'removedParameter':
    case 'parameterType':
    case 'returnType':
    case 'value':
      return [lastPart(caption.of)];
    case 'renamed':
      return [caption.from];
    case 'dependencies':
      return caption.changes.map(({ name }) => name);
    default:
      return [];
  }
}
