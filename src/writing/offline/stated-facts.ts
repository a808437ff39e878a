import type { StatedFact, Thing } from '../draft.ts';
import type { Named, Statement } from './outline.ts';
import { type Saying, sayWith } from './phrase-book.ts';

const comes = (thing: Thing, names: string[]): StatedFact[] =>
  names.map((name) => ({ relation: 'comes', thing, name }));
const goes = (thing: Thing, names: string[]): StatedFact[] =>
  names.map((name) => ({ relation: 'goes', thing, name }));
const within = (symbol: string | null): StatedFact[] =>
  symbol === null ? [] : [{ relation: 'within', name: symbol }];
const named = (names: Named[], relation: 'comes' | 'goes'): StatedFact[] =>
  names.map(({ kind, name }) => ({ relation, thing: kind, name }));
const becomes = (from: string, to: string): StatedFact[] => [{ relation: 'becomes', from, to }];

type FileStatus = Extract<StatedFact, { relation: 'file' }>['status'];
const file = (path: string, status: FileStatus, from: string | null = null): StatedFact[] => [
  { relation: 'file', path, status, from },
];

/** How many of something there are in these files; of nothing nothing is said. */
function counted(
  of: 'additions' | 'deletions' | 'files' | 'tests',
  paths: string[],
  value: number,
): StatedFact[] {
  return value === 0 ? [] : [{ relation: 'count', of, name: null, paths, value }];
}

interface Extent {
  paths: string[];
  additions: number;
  deletions: number;
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
  removedFile: ({ path, lines, names }) => [
    ...file(path, 'removed'),
    ...counted('deletions', [path], lines),
    ...named(names, 'goes'),
  ],
  movedFile: ({ path, from }) => file(path, 'renamed', from),
  manyFiles: ({ status, paths, lines }) => [
    // From where each came is not said.
    ...(status === 'moved' ? [] : paths.flatMap((path) => file(path, status))),
    ...counted('files', paths, paths.length),
    ...counted(status === 'removed' ? 'deletions' : 'additions', paths, lines),
  ],
  copiedFile: ({ path, from }) => file(path, 'copied', from),
  binaryFile: ({ path, status }) => [...file(path, 'binary'), ...file(path, status)],
  modeChanged: ({ path, isExecutable }) => file(path, isExecutable ? 'executable' : 'notExecutable'),
  submodule: ({ path }) => file(path, 'submodule'),

  defines: ({ names }) => named(names, 'comes'),
  explains: ({ quote }) => comes('remark', [quote]),
  removes: ({ names }) => named(names, 'goes'),
  usersMustChange: nothing,
  movesSymbols: ({ names, from, to }) =>
    names.map(({ kind, name }) => ({ relation: 'moved', thing: kind, name, fromFile: from, toFile: to })),
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
  returns: ({ names, before, after }) =>
    names.map((of) => ({ relation: 'returns', of, from: before, to: after })),
  resigned: ({ before, after }) => becomes(before, after),
  replaced: ({ symbol, before, after }) => [...becomes(before, after), ...within(symbol)],
  checks: ({ symbol, conditions }) => [...comes('condition', conditions), ...within(symbol)],
  dropsCheck: ({ symbol, condition }) => [...goes('condition', [condition]), ...within(symbol)],
  raises: ({ symbol, message }) => [...comes('error', [message]), ...within(symbol)],
  calls: ({ symbol, names, instead }) => [
    ...comes('call', names),
    ...goes('call', instead),
    ...within(symbol),
  ],
  remarks: ({ symbol, quote }) => [...comes('remark', [quote]), ...within(symbol)],
  addsLines: ({ symbol, lines }) => [...comes('line', lines), ...within(symbol)],
  dropsLines: ({ symbol, lines }) => [...goes('line', lines), ...within(symbol)],
  reworked: ({ path, names, additions, deletions }) => [
    ...linesOf({ paths: [path], additions, deletions }),
    ...names.flatMap(within),
  ],
  dependencies: ({ changes }) =>
    changes.flatMap(({ name, change, from, to }) => {
      if (change === 'removed') return goes('dependency', [name]);
      const version: StatedFact[] =
        from !== null || to !== null ? [{ relation: 'version', of: name, from, to }] : [];
      return change === 'added' ? [...comes('dependency', [name]), ...version] : version;
    }),
  dependenciesIn: nothing,
  lockOnly: linesOf,
  setting: ({ kind, change, names }) =>
    change === 'changed' ? [] : change === 'added' ? comes(kind, names) : goes(kind, names),
  tests: ({ count, names, paths }) => [...comes('test', names), ...counted('tests', paths, count)],
  testsGone: ({ names }) => goes('test', names),
  testsChanged: filesOf,
  sections: ({ headings }) => comes('heading', headings),
  addsText: ({ quote }) => comes('text', [quote]),
  rewordedText: ({ before, after }) => becomes(before, after),
  docsChanged: filesOf,
  alsoIn: ({ paths }) => counted('files', paths, paths.length),
  smaller: filesOf,
  generated: filesOf,

  publicApiRemoved: nothing,
  reliersBreak: nothing,
  publicApiChanged: nothing,
  callersFollow: nothing,
  closedToAdditions: nothing,
  openedToAdditions: nothing,
  minimumVersion: ({ transitions }) =>
    transitions.map(({ subject, from, to }) => ({ relation: 'version', of: subject, from, to })),
  fallbackRemoved: nothing,
  mustBeSet: nothing,
  defaultChanged: ({ transitions }) =>
    transitions.map(({ subject, from, to }) => ({ relation: 'default', of: subject, from, to })),
  reliersGetAnother: nothing,
  schemaMigration: nothing,
  migrationNeeded: nothing,
  settingRemoved: nothing,
  majorUpgrade: nothing,
  mayBreak: nothing,
  newErrors: ({ messages }) => comes('error', messages),
  settingAdded: nothing,
  dangerousCall: nothing,
  reasonGiven: ({ quote }) => comes('remark', [quote]),
  untested: nothing,
  testsRemoved: ({ names }) => goes('test', names),
  passedOver: nothing,
  authenticationTouched: nothing,
  cryptographyTouched: nothing,
  concurrency: nothing,
  performanceSensitive: nothing,
  userVisibleText: nothing,

  titled: nothing,
  authorSays: nothing,
  nobodySays: nothing,
  closes: nothing,
  extent: ({ place, ...extent }) => [
    ...filesOf(extent),
    ...(place === null ? [] : [{ relation: 'mostUnder', folder: place } as const]),
  ],
  nothingToRead: nothing,
  unseen: nothing,
};

/** What a statement says, once more, for a program to look up in the lines. */
export const factsIn = (statement: Statement): StatedFact[] => sayWith(facts, statement);

const judgements = new Set<Statement['say']>([
  'usersMustChange',
  'reliersBreak',
  'callersFollow',
  'migrationNeeded',
  'mayBreak',
  'mustBeSet',
  'reliersGetAnother',
]);

/** What it means, and is no claim about lines. */
export const isJudgement = ({ say }: Statement): boolean => judgements.has(say);
