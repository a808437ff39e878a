import type { FileFacts } from '../../reading/facts.ts';
import { captionByName } from './caption-by-name.ts';
import type { Caption } from './captions/caption.ts';
import { toldOfDocument } from './document-captions.ts';
import { toldOfFile } from './row-captions.ts';
import { type PlannedRow, piecesIn, type RowSource, rowKinds, rowOf, rowOfFile } from './row-of-file.ts';
import { isBareRow, joinAlike, rowsByName } from './rows-by-name.ts';
import { testRows } from './test-rows.ts';

const mostRows = 5;
/** Of so many files enough will have something to tell. */
const mostTried = 30;
const mostDocuments = 4;
const mostSameEdits = 4;
const mostEvidence = 6;

/** What no stop tells: edits that were made often, each remaining file, the tests and the documents. */
export function planRows(source: RowSource, told: ReadonlySet<string>): PlannedRow[] {
  const rest = source.files.filter(({ path }) => !told.has(path));
  const rows = sameEditRows(source);
  const isToldByThem = (file: FileFacts): boolean => {
    const units = piecesIn(file, source).flatMap((piece) => piece.units);
    return (
      units.length > 0 &&
      units.every(source.ranking.isRepeated) &&
      rows.some(({ files }) => files.includes(file))
    );
  };
  const single = rest.filter(
    (file) => ['source', 'configuration', 'build', 'manifest'].includes(file.kind) && !isToldByThem(file),
  );
  return [
    ...rows,
    ...fileRows(single, source),
    ...testRows(source.files, told, source),
    ...documentRows(
      rest.filter(({ kind }) => kind === 'documentation'),
      source,
    ),
    ...folderRows(rest.filter(({ kind }) => ['lock', 'generated', 'vendored', 'binary'].includes(kind))),
  ];
}

function sameEditRows({ sameEdits, files, prove }: RowSource): PlannedRow[] {
  const rows = sameEdits.values().map(({ from, to, times, places }): PlannedRow => {
    const paths = new Set(places.map(({ fileName }) => fileName));
    const caption: Caption =
      from === '' ? { kind: 'sameAddition', text: to } : { kind: 'sameEdit', from, to };
    return {
      kind: 'sameEdit',
      captions: [caption],
      times,
      files: files.filter(({ path }) => paths.has(path)),
      evidence: places.slice(0, mostEvidence),
    };
  });
  const isProven = ({ captions, evidence }: PlannedRow): boolean =>
    captions.every((caption) => prove({ caption, evidence }));
  return rows.filter(isProven).take(mostSameEdits).toArray();
}

/** The most important files by themselves; those that are left, by their names. */
function fileRows(files: FileFacts[], source: RowSource): PlannedRow[] {
  const most = files.length === mostRows + 1 ? mostRows + 1 : mostRows;
  const telling = files
    .slice(0, mostTried)
    .map((file) => rowOfFile(file, source))
    .filter((row) => !isBareRow(row));
  const rows = joinAlike(telling).slice(0, most);
  const told = new Set(rows.flatMap((row) => row.files));
  return [
    ...rows,
    ...rowsByName(
      'other',
      files.filter((file) => !told.has(file)),
    ),
  ];
}

function documentRows(files: FileFacts[], source: RowSource): PlannedRow[] {
  const rows = files.slice(0, mostDocuments).map((file) => {
    const isRead = file.changes.some(({ kind }) => kind !== 'rewrapped') && file.status !== 'removed';
    const told = isRead ? toldOfDocument(file, piecesIn(file, source)) : toldOfFile(file, [], source.ranking);
    return rowOf(file, told, source);
  });
  return [...rows, ...rowsByName('documentation', files.slice(mostDocuments))];
}

/** What a program wrote, or others did: one row a folder. */
function folderRows(files: FileFacts[]): PlannedRow[] {
  const folderOf = ({ path, kind, status }: FileFacts): string =>
    `${kind} ${status} ${path.split('/').slice(0, -1).slice(0, 2).join('/')}`;
  return [...Map.groupBy(files, folderOf).values()].map((some) => {
    const kind = some[0]?.kind ?? 'binary';
    const what = kind === 'lock' || kind === 'generated' || kind === 'vendored' ? kind : 'binary';
    const status = captionByName(some);
    const became: Caption[] = status.status === 'changed' ? [] : [status];
    return {
      kind: rowKinds[kind],
      captions: [{ kind: 'unread', what }, ...became],
      times: null,
      files: some,
      evidence: [],
    };
  });
}
