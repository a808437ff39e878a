import type { StatedFact, Thing } from '../draft.ts';
import { isProse } from '../plain-text.ts';
import { dependenciesNamed } from './plan-company.ts';
import { type Extent, type Named, namesPerList, type Saying, type Statement, sayWith } from './statements.ts';

/** The first of a list are named in the sentence; that there are others is said, and not how many. */
const shown = <Item>(items: Item[], fact: (item: Item) => StatedFact[], most = namesPerList): StatedFact[] =>
  items.slice(0, most).flatMap(fact);

/** The first of a list are named in the sentence; the others are counted there, and hold all the same. */
function listed<Item>(items: Item[], fact: (item: Item) => StatedFact[], most: number): StatedFact[] {
  const more = items.slice(most).flatMap(fact);
  return [
    ...shown(items, fact, most),
    ...(more.length > 0 ? [{ relation: 'more', facts: more } as const] : []),
  ];
}

const comes = (thing: Thing, names: string[]): StatedFact[] =>
  shown(names, (name) => [{ relation: 'comes', thing, name }]);
const goes = (thing: Thing, names: string[]): StatedFact[] =>
  shown(names, (name) => [{ relation: 'goes', thing, name }]);
const changes = (thing: Thing, names: string[]): StatedFact[] =>
  shown(names, (name) => [{ relation: 'changes', thing, name }]);
const within = (symbol: string | null): StatedFact[] =>
  symbol === null ? [] : [{ relation: 'within', name: symbol }];
const named = (names: Named[], relation: 'comes' | 'goes'): StatedFact[] =>
  shown(names, ({ kind, name }) => [{ relation, thing: kind, name }]);
const moved = (names: Named[], fromFile: string, toFile: string): StatedFact[] =>
  shown(names, ({ kind, name }) => [{ relation: 'moved', thing: kind, name, fromFile, toFile }]);
const reworded = (from: string, to: string): StatedFact[] => [{ relation: 'reworded', from, to }];
const becomes = (from: string, to: string): StatedFact[] => [{ relation: 'becomes', from, to }];

type FileStatus = Extract<StatedFact, { relation: 'file' }>['status'];
const file = (path: string, status: FileStatus, from: string | null = null): StatedFact[] => [
  { relation: 'file', path, status, from },
];

/** How many of something there are in these files; of nothing nothing is said. */
function counted(
  of: Extract<StatedFact, { relation: 'count' }>['of'],
  paths: string[],
  value: number,
  name: string | null = null,
): StatedFact[] {
  return value === 0 ? [] : [{ relation: 'count', of, name, paths, value }];
}

const linesOf = ({ paths, additions, deletions }: Extent): StatedFact[] => [
  ...counted('additions', paths, additions),
  ...counted('deletions', paths, deletions),
];
const filesOf = (extent: Extent): StatedFact[] => [
  ...linesOf(extent),
  ...counted('files', extent.paths, extent.paths.length),
];

const nothing = (): StatedFact[] => [];

const facts: Saying<StatedFact[]> = {
  newFile: ({ path, lines }) => [...file(path, 'added'), ...counted('additions', [path], lines)],
  removedFile: ({ path, lines }) => [...file(path, 'removed'), ...counted('deletions', [path], lines)],
  linked: ({ target }) => comes('line', [target]),
  movedFile: ({ path, from }) => file(path, 'renamed', from),
  manyFiles: ({ status, paths, lines }) => [
    // From where each came is not said.
    ...(status === 'moved' ? [] : paths.flatMap((path) => file(path, status))),
    ...counted('files', paths, paths.length),
    ...counted('changedLines', paths, lines),
  ],
  copiedFile: ({ path, from }) => file(path, 'copied', from),
  binaryFile: ({ path, status }) => [...file(path, 'binary'), ...file(path, status)],
  modeChanged: ({ path, isExecutable }) => file(path, isExecutable ? 'executable' : 'notExecutable'),
  submodule: ({ path }) => file(path, 'submodule'),
  counts: ({ names, ...extent }) => [...linesOf(extent), ...names.flatMap(within)],
  alsoIn: ({ paths, isPart }) => (isPart ? [] : counted('files', paths, paths.length)),
  importsOnly: ({ paths }) => counted('files', paths, paths.length),
  wordsOnly: linesOf,
  smaller: filesOf,
  unread: ({ kind: _, folder: __, event, ...extent }) => [
    ...filesOf(extent),
    ...extent.paths.flatMap((path) =>
      event === 'edited' ? [] : file(path, event === 'moved' ? 'renamed' : event),
    ),
  ],
  lockOnly: linesOf,

  defines: ({ names }) => named(names, 'comes'),
  explains: ({ quote }) => comes('remark', [quote]),
  removes: ({ names }) => named(names, 'goes'),
  movesHere: ({ names, from, to }) => moved(names, from, to),
  movesAway: ({ names, from, to }) => moved(names, from, to),
  movesWithin: ({ names, path }) => moved(names, path, path),
  wraps: ({ names, wrapper }) =>
    shown(names, ({ kind, name }) => [{ relation: 'wrapped', thing: kind, name, wrapper }]),
  renames: ({ kind, from, to }) => [{ relation: 'renamed', thing: kind, from, to }],
  parameters: ({ name: of, required, optional, gone }) => {
    const each = (names: string[], change: 'added' | 'removed', isOptional: boolean): StatedFact[] =>
      names.map((name) => ({ relation: 'parameter', of, name, change, isOptional }));
    return [
      ...each(required, 'added', false),
      ...each(optional, 'added', true),
      ...each(gone, 'removed', false),
    ];
  },
  parameterType: ({ of, name, from, to }) => [{ relation: 'parameterType', of, name, from, to }],
  parameterDefault: ({ name: of, from, to }) => [{ relation: 'default', of, from, to }],
  returns: ({ names, from, to }) => names.map((of) => ({ relation: 'returns', of, from, to })),
  resigned: ({ from, to }) => becomes(from, to),
  value: ({ name: of, from, to }) => [{ relation: 'default', of, from, to }],

  replaced: ({ symbol, from, to }) => [...becomes(from, to), ...within(symbol)],
  replacedOften: ({ from, to, count, path }) => [
    ...becomes(from, to),
    ...(count === null ? [] : counted('places', [path], count, to)),
  ],
  addedOften: ({ text, count, path }) => [
    { relation: 'changes', thing: 'line', name: text },
    ...(count === null ? [] : counted('places', [path], count, text)),
  ],
  reformatted: ({ paths }) => [{ relation: 'reformatted' }, ...counted('files', paths, paths.length)],
  checksDifferently: ({ symbol, from, to }) => [...becomes(from, to), ...within(symbol)],
  raises: ({ symbol, message }) => [...comes('error', [message]), ...within(symbol)],
  remarks: ({ symbol, quote }) => [...comes('remark', [quote]), ...within(symbol)],
  rewords: ({ symbol, from, quote }) => [
    ...(from === '' ? comes('remark', [quote]) : reworded(from, quote)),
    ...within(symbol),
  ],
  lines: ({ symbol, added, removed }) => [
    ...comes('line', added),
    ...goes('line', removed),
    ...within(symbol),
  ],

  dependencies: ({ change, changes: all }) =>
    listed(
      all,
      ({ name, from, to }) => {
        if (change === 'removed') return goes('dependency', [name]);
        const version: StatedFact[] =
          from !== null || to !== null ? [{ relation: 'version', of: name, from, to }] : [];
        return change === 'added' ? [...comes('dependency', [name]), ...version] : version;
      },
      dependenciesNamed,
    ),
  dependenciesMoved: ({ names, from, to }) =>
    listed(
      names,
      (name) => [{ relation: 'moved', thing: 'dependency', name, fromFile: from, toFile: to }],
      dependenciesNamed,
    ),
  setting: ({ kind, change, names }) =>
    ({ added: comes, removed: goes, changed: changes })[change](kind, names),
  tests: ({ names }) => shown(names, (name) => [{ relation: 'comes', thing: 'test', name }], 3),
  testsGone: ({ names }) => shown(names, (name) => [{ relation: 'goes', thing: 'test', name }], 3),
  testsRenamed: ({ from, to }) => [{ relation: 'renamed', thing: 'test', from, to }],
  testsMoved: ({ names, from, to }) =>
    shown(names, (name) => [{ relation: 'moved', thing: 'test', name, fromFile: from, toFile: to }], 3),
  sections: ({ headings }) => comes('heading', headings),
  addsText: ({ quote }) => comes('text', [quote]),
  dropsText: ({ quote }) => goes('text', [quote]),
  rewordsText: ({ from, to }) => (isProse(from) && isProse(to) ? reworded(from, to) : becomes(from, to)),
  changelog: ({ section, quote }) => [
    ...comes('text', [quote]),
    ...(section === null ? [] : [{ relation: 'under' as const, heading: section }]),
  ],

  publicApiRemoved: ({ names }) =>
    shown(names, ({ kind, name }) => [{ relation: 'goes', thing: kind, name }], 3),
  publicApiRenamed: ({ kind, from, to }) => [{ relation: 'renamed', thing: kind, from, to }],
  reliersBreak: nothing,
  publicApiChanged: ({ names }) =>
    shown(names, ({ kind, name }) => [{ relation: 'changes', thing: kind, name }], 3),
  callersFollow: nothing,
  closedToAdditions: nothing,
  openedToAdditions: nothing,
  minimumVersion: ({ transitions }) =>
    transitions.map(({ subject, from, to }) => ({ relation: 'version', of: subject, from, to })),
  frameworksDropped: nothing,
  fallbackRemoved: nothing,
  defaultChanged: ({ transitions }) =>
    transitions.map(({ subject, from, to }) => ({ relation: 'default', of: subject, from, to })),
  reliersGetAnother: nothing,
  schemaMigration: nothing,
  migrationNeeded: nothing,
  settingRemoved: ({ kind, subjects }) =>
    shown(subjects, (name) => [{ relation: 'goes', thing: kind, name }], 3),
  majorUpgrade: ({ transitions }) =>
    transitions.map(({ subject, from, to }) => ({ relation: 'version', of: subject, from, to })),
  mayBreak: nothing,
  dangerousCall: nothing,
  lookWhereFrom: nothing,

  titled: nothing,
  authorSays: nothing,
  commitSays: nothing,
  commentSays: nothing,
  commitsTitled: nothing,
  nobodySays: nothing,
  closes: nothing,
  extent: ({ added, removed, ...extent }) => [
    ...filesOf(extent),
    ...[added, removed].flatMap((paths) => counted('files', paths, paths.length)),
    ...added.flatMap((path) => file(path, 'added')),
    ...removed.flatMap((path) => file(path, 'removed')),
  ],
  nothingToRead: nothing,
};

/** What a statement says, once more, for a program to look up in the lines. */
export const factsIn = (statement: Statement): StatedFact[] => sayWith(facts, statement);

const judgements = new Set<Statement['say']>([
  'reliersBreak',
  'callersFollow',
  'migrationNeeded',
  'mayBreak',
  'reliersGetAnother',
  'lookWhereFrom',
]);

/** What it means, and is no claim about lines. */
export const isJudgement = ({ say }: Statement): boolean => judgements.has(say);
