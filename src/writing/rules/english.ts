import type { Noun } from './lead.ts';
import { code, codeNames, listsIn, type RulePhrases } from './phrases.ts';

const { listOf, turnsOf } = listsIn({
  comma: ', ',
  more: (count) => ` and ${count} more`,
});

const list = (names: string[]): string => listOf(codeNames(names, 3));

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function nounFor(noun: Noun, { length }: string[]): string {
  const word = noun === 'name' ? 'public name' : noun;
  return length === 1 ? word : `${word}${noun === 'class' ? 'es' : 's'}`;
}

const inFiles = ({ length }: string[]): string => (length > 1 ? ` in ${length} files` : '');

const unread = {
  lock: 'lock file',
  generated: 'generated file',
  vendored: 'vendored file',
  binary: 'binary file',
  submodule: 'submodule',
  tooLarge: 'large file',
};

export const english: RulePhrases = {
  facts: {
    option: ({ names }, doc = '') => `New ${names.length > 1 ? 'options' : 'option'} ${list(names)}${doc}`,
    added: ({ main, noun, names }, doc = '') => {
      const [first = '', ...others] = names;
      if (main === null) return `New ${nounFor(noun, names)} ${list(names)}${doc}`;
      const also = others.length > 0 ? `; also ${list(others)}` : '';
      return `New ${nounFor(main, [first])} ${code(first)}${doc}${also}`;
    },
    removed: ({ noun, names, isWhole }) =>
      isWhole
        ? `Removed ${nounFor(noun, names)} ${list(names)}`
        : `Removes public names, for example ${names.slice(0, 3).map(code).join(', ')}`,
    renamed: ({ from, to }) => `Renamed ${code(from)} to ${code(to)}`,
    deprecated: ({ names }, doc = '') => `${list(names)} ${names.length > 1 ? 'are' : 'is'} deprecated${doc}`,
    parameter: ({ change, names, of }) => {
      const what = `arameter${names.length > 1 ? 's' : ''} ${names.map(code).join(', ')}`;
      return change === 'removed'
        ? `P${what} removed from ${code(of)}`
        : `Required p${what} added to ${code(of)}`;
    },
    parameterType: ({ of, from, to }) => `${code(of)} takes ${code(to)} instead of ${code(from)}`,
    returns: ({ of, from, to }) => `${code(of)} returns ${code(to)} instead of ${code(from)}`,
    default: ({ of, name, from, to }) =>
      `Default of ${code(name)}${of === null ? '' : ` in ${code(of)}`}: ${code(from)} → ${code(to)}`,
    permission: ({ names }) => `Workflow permission added: ${list(names)}`,
    skippedTest: ({ names }) => `Tests newly use ${list(names)}`,
    tests: () => 'Tests only',
    documentation: () => 'Documentation only',
    build: () => 'Build and CI only',
    dependencies: () => 'Dependencies only',
    formatting: () => 'Formatting only',
    comments: () => 'Comments only',
    renames: ({ turns }) => `Renames only: ${turnsOf(turns)}`,
    moves: ({ turns }) =>
      turns.length > 0 ? `Moves only: ${turnsOf(turns)}` : 'Moves only, otherwise unchanged',
  },
  headlines: {
    edit: ({ from, to, of }) => {
      if (from === '') return `Add ${code(to)} to ${code(of)}`;
      if (to === '') return `Remove ${code(from)} from ${code(of)}`;
      return `Change ${code(from)} to ${code(to)} in ${code(of)}`;
    },
    file: ({ change, path }) => `${change === 'added' ? 'Add' : 'Remove'} ${code(path)}`,
    fix: ({ of }) => `Fix ${code(of)}`,
  },
  beforeScope: '',
  stop: '.',
  sameHunk: (places, names) =>
    names.names.length === 1
      ? `The edit below is made ${places === 1 ? 'once more' : `${places} more times`} in ${listOf(names)}.`
      : `The edit below is made in ${places} more places: ${listOf(names)}.`,
  sameEdits: {
    rename: ({ from, to, files }) => `${code(from)} renamed to ${code(to)}${inFiles(files)}.`,
    replacement: ({ from, to, files }) => `The same edit${inFiles(files)}: ${code(from)} → ${code(to)}.`,
  },
  moved: (what, from, to) =>
    `${listOf(what)} moved ${from === to ? `within ${code(to)}` : `from ${code(from)} to ${code(to)}`}, otherwise unchanged.`,
  fileMoved: (from, to, isEdited) =>
    `${code(from)} is now ${code(to)}${isEdited ? '' : ', otherwise unchanged'}.`,
  filesMoved: (files) => `${files} files moved or renamed.`,
  removedTests: (tests) => `Removed tests: ${listOf(tests)}.`,
  assertion: (test, from, to) => `Assertion${test ? ` of ${code(test)}` : ''}: ${code(from)} → ${code(to)}.`,
  alsoAdded: (what) => `Also added: ${listOf(what)}.`,
  alsoRemoved: (what) => `Also removed: ${listOf(what)}.`,
  otherFiles: (files) => `Other changed files: ${listOf(files)}.`,
  unread: (files) => `Not read: ${files.map(([why, count]) => plural(count, unread[why])).join(', ')}.`,
  madeExecutable: (files) => `Made executable: ${listOf(files)}.`,
  noLongerExecutable: (files) => `No longer executable: ${listOf(files)}.`,
};
