import type { FileKind } from '../../domain/file-kinds.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import { captionByName } from './caption-by-name.ts';
import type { Caption } from './captions/caption.ts';
import { weightOf } from './captions/captions.ts';
import type { RowKind } from './excerpt/excerpt-form.ts';
import type { Piece } from './pieces.ts';
import type { Prove, Told } from './prove-captions.ts';
import type { Ranking } from './rank-pieces.ts';
import { leastCertain, toldOfFile } from './row-captions.ts';
import type { SameEdit } from './same-edits.ts';

export interface PlannedRow {
  kind: RowKind;
  captions: Caption[];
  times: number | null;
  files: FileFacts[];
  evidence: Evidence[];
}

/** What rows are made of. */
export interface RowSource {
  files: FileFacts[];
  pieces: Piece[];
  sameEdits: SameEdit[];
  ranking: Ranking;
  lines: DiffLines;
  prove: Prove;
}

/** A row has room for so many things that are certain. */
const mostCaptions = 2;

export const rowKinds: Record<FileKind, RowKind> = {
  source: 'source',
  test: 'test',
  documentation: 'documentation',
  build: 'build',
  configuration: 'build',
  manifest: 'build',
  lock: 'generated',
  generated: 'generated',
  vendored: 'vendored',
  binary: 'other',
};

export const piecesIn = (file: FileFacts, { pieces }: RowSource): Piece[] =>
  pieces.filter((piece) => piece.file === file);

/** What is told of a file in a row of its own. */
export const rowOfFile = (file: FileFacts, source: RowSource): PlannedRow =>
  rowOf(file, toldOfFile(file, piecesIn(file, source), source.ranking), source);

/** That a file as a whole came, went, or stands elsewhere. */
export function becameOf(file: FileFacts): Told[] {
  const { path, previousPath, status } = file;
  const evidence = file.place ? [file.place] : [];
  if (status === 'renamed' && previousPath !== null)
    return [{ caption: { kind: 'renamedFile', path, from: previousPath }, evidence }];
  const nothing = { path, names: [], hasMore: false };
  if (status === 'removed') return [{ caption: { kind: 'removedFile', ...nothing }, evidence }];
  return status === 'added'
    ? [{ caption: { kind: 'newFile', ...nothing, doc: null, from: null }, evidence }]
    : [];
}

/** Up to two things that are certain; of what is less, one. */
export function rowOf(file: FileFacts, candidates: Told[], { prove }: RowSource): PlannedRow {
  const isCertain = ({ caption }: Told): boolean => weightOf(caption) >= leastCertain;
  // Of two ways to tell of the whole file, the first that holds says more.
  const keyOf = ({ caption }: Told): string =>
    caption.kind === 'newFile' || caption.kind === 'removedFile' ? caption.kind : JSON.stringify(caption);
  const said = new Set<string>();
  const [certain, other] = candidates
    .values()
    .filter((one) => isCertain(one) && !said.has(keyOf(one)) && prove(one) && said.add(keyOf(one)))
    .take(mostCaptions);
  const changed: Told = { caption: captionByName([file]), evidence: file.place ? [file.place] : [] };
  const first = certain ?? candidates.find((one) => !isCertain(one) && prove(one)) ?? changed;
  const second = other && prove(first, other) ? [other] : [];
  const became = becameOf(file).filter(
    (one) => first.caption.kind !== one.caption.kind && first !== changed && prove(one, first),
  );
  // That a file is new or has another place is said whatever else there is to say.
  const told = became.length > 0 ? [...became, first] : [first, ...second];
  return {
    kind: rowKinds[file.kind],
    captions: told.map(({ caption }) => caption),
    times: null,
    files: [file],
    evidence: told.flatMap(({ evidence }) => evidence),
  };
}
