import type { Facts } from '../../reading/facts.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { type PlannedPoint, planPoints } from './plan-points.ts';
import { type PlannedRow, planRows } from './plan-rows.ts';
import { planStops, type Stop } from './plan-stops.ts';
import type { Prove } from './prove-captions.ts';
import type { Ranking } from './rank-pieces.ts';
import { sameEditsOf } from './same-edits.ts';

/** What an article shows of a diff, before any language comes in. */
export interface Tour {
  stops: Stop[];
  rows: PlannedRow[];
  points: PlannedPoint[];
}

/** Beyond so many files, the least important ones are told by their names. */
const mostFilesRead = 400;

export function planTour(facts: Facts, title: string, lines: DiffLines, prove: Prove): Tour {
  const read = facts.files.filter(({ skipped }) => skipped === null).slice(0, mostFilesRead);
  const pieces = read.flatMap((file) => piecesOf(file, lines));
  const sameEdits = sameEditsOf(pieces);
  const repeated = new Set(sameEdits.flatMap(({ units }) => [...units]));
  const ranking: Ranking = { title, newNames: namesOf(pieces), isRepeated: (unit) => repeated.has(unit) };
  const stops = planStops(pieces, ranking, lines, prove);
  const rows = planRows({ files: facts.files, pieces, sameEdits, ranking, lines, prove }, stops);
  return { stops, rows, points: planPoints(facts, namesIn(stops), prove) };
}

/** What the change declares, by name. */
function namesOf(pieces: Piece[]): Map<string, Piece> {
  const names = new Map<string, Piece>();
  for (const piece of pieces) {
    if (piece.isTest) continue;
    for (const symbol of [piece.symbol, ...piece.members])
      if (symbol?.change === 'added' && symbol.name.length > 2) names.set(symbol.name, piece);
  }
  return names;
}

/** What captions of the stops say of declarations and defaults. */
const namesIn = (stops: Stop[]): Set<string> =>
  new Set(
    stops.flatMap(({ beats }) =>
      beats.flatMap(({ told }) =>
        told.flatMap(({ caption }) => {
          switch (caption.kind) {
            case 'removedDeclarations':
              return caption.names.map((name) => name.split('.').at(-1) ?? name);
            case 'defaultValue':
            case 'newParameter':
            case 'removedParameter':
            case 'parameterType':
            case 'returnType':
            case 'value':
              return [caption.of.split('.').at(-1) ?? caption.of];
            case 'renamed':
              return [caption.from];
            default:
              return [];
          }
        }),
      ),
    ),
  );
