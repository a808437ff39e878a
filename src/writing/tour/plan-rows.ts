import type { FileKind } from '../../domain/file-kinds.ts';
import { changelogName } from '../../reading/changelog-name.ts';
import type { FileFacts } from '../../reading/facts.ts';
import type { PlacedLine } from '../verify/diff-lines.ts';
import { newPassages } from '../verify/facts/new-passages.ts';
import { captionByName } from './caption-by-name.ts';
import type { Caption } from './captions/caption.ts';
import { toldOfDocument } from './document-captions.ts';
import type { Told } from './prove-captions.ts';
import { toldOfFile } from './row-captions.ts';
import { type PlannedRow, piecesIn, type RowSource, rowKinds, rowOf, rowOfFile } from './row-of-file.ts';
import { citedIn, isBareRow, joinAlike, rowsByName } from './rows-by-name.ts';
import { testRows } from './test-rows.ts';

const mostRows = 5;
/** Of so many files enough will have something to tell. */
const mostTried = 30;
const mostDocuments = 4;
const mostPassages = 3;
const mostSameEdits = 4;
const mostEvidence = 6;

/** What no stop tells: edits that were made often, each remaining file, the tests and the documents. */
export function planRows(source: RowSource, told: ReadonlySet<string>): PlannedRow[] {
  const rows = sameEditRows(source);
  const isToldByThem = (file: FileFacts): boolean => {
    const units = piecesIn(file, source).flatMap((piece) => piece.units);
    return (
      units.length > 0 &&
      units.every(source.ranking.isRepeated) &&
      rows.some(({ files }) => files.includes(file))
    );
  };
  const left = source.files.filter((file) => !isToldByThem(file));
  const ofKinds = (...kinds: FileKind[]): FileFacts[] =>
    left.filter(({ path, kind }) => kinds.includes(kind) && !told.has(path));
  const single = [
    ...fileRows(ofKinds('source', 'configuration', 'build', 'manifest'), source),
    ...testRows(left, told, source),
    ...documentRows(ofKinds('documentation'), source),
    ...folderRows(ofKinds('lock', 'generated', 'vendored', 'binary')),
  ];
  return [...rows, ...single];
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
    return isRead ? documentRow(file, source) : rowOf(file, toldOfFile(file, [], source.ranking), source);
  });
  return [...rows, ...rowsByName('documentation', files.slice(mostDocuments))];
}

/** Of a few passages each is told; of more, the first and how many others are new. */
function documentRow(file: FileFacts, source: RowSource): PlannedRow {
  const told = toldOfDocument(file, piecesIn(file, source));
  const row = rowOf(file, told, source);
  const isPassage = ({ caption: { kind } }: Told): boolean => kind === 'written' || kind === 'reworded';
  const [first, ...others] = told.filter((one) => isPassage(one) && source.prove(one));
  if (!first || row.captions[0] !== first.caption) return row;
  const news = newPassages(file.path, source.lines);
  const besides = (shown: Told[]): Told[] => {
    const isTold = ({ newLine }: PlacedLine): boolean =>
      shown.some(({ evidence }) => evidence.some((one) => one.side === 'new' && one.startLine === newLine));
    const count = news.filter((line) => !isTold(line)).length;
    const isList = changelogName.test(file.path);
    const more = { path: file.path, told: news.length - count, count, isList };
    return count === 0 ? shown : [...shown, { caption: { kind: 'morePassages', ...more }, evidence: [] }];
  };
  const isFew = others.length < mostPassages && news.length <= mostPassages;
  const said = [isFew ? others : [], []]
    .map((some) => besides([first, ...some]))
    .find((some) => source.prove(first, ...some.slice(1))) ?? [first];
  return {
    ...row,
    captions: said.map(({ caption }) => caption),
    evidence: said.flatMap(({ evidence }) => evidence),
  };
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
      evidence: citedIn(some),
    };
  });
}
