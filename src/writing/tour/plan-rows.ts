import type { RowKind } from '../../domain/article.ts';
import type { FileKind } from '../../domain/file-kinds.ts';
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
const mostTests = 8;
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
  const single = rest.filter(({ kind }) => ['source', 'configuration', 'build', 'manifest'].includes(kind));
  return [
    ...sameEditRows(source),
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

function evidenceOf(file: FileFacts, source: RowSource): Evidence[] {
  const spans = piecesIn(file, source).flatMap(spansOf).slice(0, mostEvidence);
  return spans.length > 0 ? spans : placesIn([file]);
}

/** Up to two things that are certain; of what is less, one. */
function rowOf(file: FileFacts, candidates: Told[], { prove }: RowSource): PlannedRow {
  const proven = candidates.filter(prove);
  const certain = proven.filter(({ caption }) => weightOf(caption) >= leastCertain).slice(0, mostCaptions);
  const changed: Told = { caption: { kind: 'changed', path: file.path }, evidence: placesIn([file]) };
  const told = certain.length > 0 ? certain : [proven[0] ?? changed];
  return {
    kind: rowKinds[file.kind],
    captions: told.map(({ caption }) => caption),
    times: null,
    files: [file],
    evidence: told.flatMap(({ evidence }) => evidence).slice(0, 2 * mostEvidence),
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
  const files = all.filter((file) => (file.kind === 'test' && !told.has(file.path)) || file.tests.length > 0);
  if (files.length === 0) return [];
  const tests = files.flatMap((file) => file.tests);
  const named = (change: 'added' | 'removed') =>
    [...new Set(tests.filter((test) => test.change === change).map(({ name }) => name))].slice(0, mostTests);
  const renamed = tests.flatMap(({ change, name, previousName }) =>
    change === 'renamed' && previousName !== null ? [{ from: previousName, to: name }] : [],
  );
  const evidence = [
    ...tests.map((test) => test.evidence),
    ...files.flatMap((file) => evidenceOf(file, source)),
  ].slice(0, 24);
  const isProven = (some: Partial<Tests>): boolean =>
    source.prove({ caption: { kind: 'tests', ...noTests, ...some }, evidence });
  const added = named('added').filter((name) => isProven({ added: [name] }));
  const removed = named('removed').filter((name) => isProven({ removed: [name] }));
  const known = new Set(tests.map(({ name }) => name));
  const changed = [
    ...new Set(
      files
        .flatMap((file) => piecesIn(file, source))
        .flatMap(({ name, symbol }) => (name !== null && symbol === null && isTest(name) ? [name] : [])),
    ),
  ].filter((name) => !known.has(name.split(/\.| › /).at(-1) ?? name) && isProven({ changed: [name] }));
  const captions: Caption[] =
    added.length + removed.length + renamed.length + changed.length > 0
      ? [
          {
            kind: 'tests',
            added,
            removed,
            changed: changed.slice(0, mostTests / 2),
            renamed: renamed.filter((one) => isProven({ renamed: [one] })).slice(0, mostTests / 2),
          },
        ]
      : [{ kind: 'moreFiles', paths: files.slice(0, 6).map(({ path }) => path) }];
  const own = files.filter(({ path, kind }) => kind === 'test' && !told.has(path));
  return [{ kind: 'test', captions, times: null, files: own, evidence }];
}

type Tests = Omit<Extract<Caption, { kind: 'tests' }>, 'kind'>;

const noTests: Tests = { added: [], changed: [], removed: [], renamed: [] };

const isTest = (name: string): boolean => /test|spec|should/i.test(name);

function documentRows(files: FileFacts[], source: RowSource): PlannedRow[] {
  const rows = files
    .slice(0, mostDocuments)
    .map((file) =>
      rowOf(
        file,
        file.changes.length > 0 && file.status !== 'removed'
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
