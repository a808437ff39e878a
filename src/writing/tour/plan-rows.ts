import type { RowKind } from '../../domain/article.ts';
import type { FileKind } from '../../domain/file-kinds.ts';
import { likeness } from '../../reading/compare/likeness.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type Caption, weightOf } from './captions.ts';
import { toldOfDocument } from './document-captions.ts';
import type { Piece } from './pieces.ts';
import { spansOf } from './plan-stops.ts';
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

const mostRows = 5;
/** A row has room for so many things that are certain. */
const mostCaptions = 2;
const mostDocuments = 4;
const mostSameEdits = 4;
const mostTests = 12;
const mostEvidence = 6;

const rowKinds: Record<FileKind, RowKind> = {
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

export interface RowSource {
  files: FileFacts[];
  pieces: Piece[];
  sameEdits: SameEdit[];
  ranking: Ranking;
  prove: Prove;
}

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
  const proven = sameEdits.filter(({ from, to, places }) =>
    prove({ caption: captionOf(from, to), evidence: places.slice(0, mostEvidence) }),
  );
  return proven.slice(0, mostSameEdits).map(({ from, to, times, places }) => {
    const paths = new Set(places.map(({ fileName }) => fileName));
    return {
      kind: 'sameEdit',
      captions: [captionOf(from, to)],
      times,
      files: files.filter(({ path }) => paths.has(path)),
      evidence: places.slice(0, mostEvidence),
    };
  });
}

const captionOf = (from: string, to: string): Caption =>
  from === '' ? { kind: 'sameAddition', text: to } : { kind: 'sameEdit', from, to };

const piecesIn = (file: FileFacts, { pieces }: RowSource): Piece[] =>
  pieces.filter((piece) => piece.file === file);

const placesIn = (files: FileFacts[]): Evidence[] =>
  files.flatMap(({ place }) => place ?? []).slice(0, mostEvidence);

/** Up to two things that are certain; of what is less, one. */
function rowOf(file: FileFacts, candidates: Told[], { prove }: RowSource): PlannedRow {
  const proven = candidates.filter((one) => prove(one));
  // Of two ways to tell of the whole file, the first that holds says more.
  const keyOf = ({ caption }: Told): string =>
    caption.kind === 'newFile' || caption.kind === 'removedFile' ? caption.kind : JSON.stringify(caption);
  const said = [...Map.groupBy(proven, keyOf).values()].flatMap(([one]) => one ?? []);
  const certain = said.filter(({ caption }) => weightOf(caption) >= leastCertain).slice(0, mostCaptions);
  const changed: Told = { caption: { kind: 'changed', path: file.path }, evidence: [] };
  const [first = proven[0] ?? changed, second] = certain;
  const told = second && prove(first, second) ? [first, second] : [first];
  return {
    kind: rowKinds[file.kind],
    captions: told.map(({ caption }) => caption),
    times: null,
    files: [file],
    evidence: told.flatMap(({ evidence }) => evidence),
  };
}

/** The most important files by themselves; those that are left, by their names. */
function fileRows(files: FileFacts[], source: RowSource): PlannedRow[] {
  const most = files.length === mostRows + 1 ? mostRows + 1 : mostRows;
  const rows = files
    .slice(0, most)
    .map((file) => rowOf(file, toldOfFile(file, piecesIn(file, source), source.ranking), source));
  const left = files.slice(most);
  if (left.length === 0) return rows;
  return [
    ...rows,
    {
      kind: 'other',
      captions: [{ kind: 'moreFiles', paths: left.slice(0, 12).map(({ path }) => path) }],
      times: null,
      files: left,
      evidence: placesIn(left),
    },
  ];
}

/** One row for what is newly tested, and for tests that changed or went. */
function testRows(all: FileFacts[], told: ReadonlySet<string>, source: RowSource): PlannedRow[] {
  const files = all.filter(({ kind, tests }) => kind === 'test' || tests.length > 0);
  if (files.every(({ path }) => told.has(path)) && files.every(({ kind }) => kind === 'test')) return [];
  const own = files.filter(({ kind }) => kind === 'test');
  if (files.length === 0) return [];
  const named = namedTests(files, source);
  if (named)
    return [{ kind: 'test', captions: [named.caption], times: null, files: own, evidence: named.evidence }];
  if (own.every(({ changes }) => changes.length > 0 && changes.every(({ kind }) => kind === 'rewrapped'))) {
    const [first] = own;
    return first
      ? [{ ...rowOf(first, toldOfFile(first, [], source.ranking), source), kind: 'test', files: own }]
      : [];
  }
  const untold = own.filter(({ path }) => !told.has(path)).slice(0, mostTestFiles);
  const rows = untold.map((file) =>
    rowOf(file, toldOfFile(file, piecesIn(file, source), source.ranking), source),
  );
  const [last] = rows.slice(-1);
  const left = own.filter((file) => !told.has(file.path) && !untold.includes(file));
  if (last && left.length > 0) last.files = [...last.files, ...left];
  return rows;
}

const mostTestFiles = 2;

/** Tests that came, changed, were renamed or went, by what they are called. */
function namedTests(files: FileFacts[], source: RowSource): Told | null {
  const tests = files.flatMap((file) => file.tests.map((test) => ({ test, file })));
  const pieces = files.flatMap((file) => piecesIn(file, source));
  const changed = pieces.filter(
    ({ name, symbol, isNew, isFunction, file, units }) =>
      name !== null &&
      (isFunction || name.includes(' › ')) &&
      symbol === null &&
      !isNew &&
      file.status === 'modified' &&
      /test|spec|should| › /i.test(name) &&
      units.some(({ change: { kind } }) => kind !== 'removed') &&
      !tests.some(({ test }) => name.includes(test.name)),
  );
  const evidence = [
    ...tests.map(({ test }) => test.evidence),
    ...changed.flatMap((piece) => spansOf(piece).slice(0, 1)),
  ].slice(0, mostTestEvidence);
  const isProven = (some: Partial<Tests>): boolean =>
    source.prove({ caption: { kind: 'tests', ...noTests, ...some }, evidence });
  const names = (change: 'added' | 'removed'): TestName[] =>
    unique(tests.filter(({ test }) => test.change === change).map(({ test, file }) => nameOfTest(test, file)))
      .filter((name) => isProven({ [change]: [name] }))
      .slice(0, mostTests);
  const caption: Tests = {
    added: names('added'),
    removed: names('removed'),
    changed: [...new Set(changed.flatMap(({ name }) => name ?? []))]
      .filter((name) => isProven({ changed: [name] }))
      .slice(0, mostTests / 2),
    renamed: tests
      .flatMap(({ test: { change, name, previousName } }) =>
        change === 'renamed' && previousName !== null ? [{ from: previousName, to: name }] : [],
      )
      .filter((one) => likeness(one.from, one.to) >= leastAlike && isProven({ renamed: [one] }))
      .slice(0, mostTests / 2),
  };
  const isEmpty = Object.values(caption).every((some) => some.length === 0);
  return isEmpty ? null : { caption: { kind: 'tests', ...caption }, evidence };
}

const mostTestEvidence = 24;
/** Of two names that have less in common, one is not the other under a new name. */
const leastAlike = 0.5;

type Tests = Omit<Extract<Caption, { kind: 'tests' }>, 'kind'>;
type TestName = Tests['added'][number];

const noTests: Tests = { added: [], changed: [], removed: [], renamed: [] };

const unique = (names: TestName[]): TestName[] => [...new Map(names.map((one) => [one.path, one])).values()];

/** What a test is called, with what it belongs to where the file says that. */
function nameOfTest({ name, evidence }: FileFacts['tests'][number], { ranges }: FileFacts): TestName {
  const around = ranges.filter(
    (range) =>
      range.side === evidence.side &&
      range.startLine <= evidence.startLine &&
      range.endLine >= evidence.endLine &&
      range.name.endsWith(` › ${name}`),
  );
  return { name, path: around.sort((one, other) => other.startLine - one.startLine)[0]?.name ?? name };
}

function documentRows(files: FileFacts[], source: RowSource): PlannedRow[] {
  const rows = files
    .slice(0, mostDocuments)
    .map((file) =>
      rowOf(
        file,
        file.changes.some(({ kind }) => kind !== 'rewrapped') && file.status !== 'removed'
          ? toldOfDocument(file, piecesIn(file, source))
          : toldOfFile(file, [], source.ranking),
        source,
      ),
    );
  const left = files.slice(mostDocuments);
  if (left.length === 0) return rows;
  const paths = left.slice(0, 12).map(({ path }) => path);
  return [
    ...rows,
    {
      kind: 'documentation',
      captions: [{ kind: 'moreFiles', paths }],
      times: null,
      files: left,
      evidence: placesIn(left),
    },
  ];
}

/** What a program wrote, or others did: one row a folder. */
function folderRows(files: FileFacts[]): PlannedRow[] {
  const folderOf = ({ path, kind }: FileFacts): string =>
    `${kind} ${path.split('/').slice(0, -1).slice(0, 2).join('/')}`;
  return [...Map.groupBy(files, folderOf).values()].map((some) => {
    const kind = some[0]?.kind ?? 'binary';
    const what = kind === 'lock' || kind === 'generated' || kind === 'vendored' ? kind : 'binary';
    return {
      kind: rowKinds[kind],
      captions: [{ kind: 'unread', what }],
      times: null,
      files: some,
      evidence: [],
    };
  });
}
