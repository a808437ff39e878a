import type { DependencyChange } from '../../reading/facts.ts';
import type { ChangeFact, Noun } from './lead.ts';
import {
  bareVersion,
  code,
  firstOf,
  type ManyTimes,
  type Names,
  type RulePhrases,
  type ShownRisk,
} from './phrases.ts';
import type { ScopeFact } from './scope.ts';

const nouns: Record<Noun, [one: string, several: string]> = {
  function: ['function', 'functions'],
  method: ['method', 'methods'],
  constructor: ['constructor', 'constructors'],
  class: ['class', 'classes'],
  module: ['module', 'modules'],
  type: ['type', 'types'],
  constant: ['constant', 'constants'],
  field: ['field', 'fields'],
  error: ['error', 'errors'],
  exception: ['exception', 'exceptions'],
  name: ['public name', 'public names'],
};

const nounFor = (noun: Noun, count: number): string => nouns[noun][count === 1 ? 0 : 1];

const listOf = ({ names, more }: Names): string =>
  `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;

/** Names up to three, then how many more there are. */
const list = (names: string[], most = 3): string => listOf(firstOf(names.map(code), most));

function added(
  { main, noun, names }: Extract<ChangeFact, { kind: 'added' | 'removed' }>,
  doc: string,
): string {
  const [first = '', ...others] = names;
  if (main === null) return `New ${nounFor(noun, names.length)} ${list(names)}${doc}`;
  return `New ${nounFor(main, 1)} ${code(first)}${doc}${others.length > 0 ? `; also ${list(others)}` : ''}`;
}

function lead(fact: ChangeFact, doc = fact.quotation ? `: “${fact.quotation.text}”` : ''): string {
  switch (fact.kind) {
    case 'option':
    case 'command':
      return `New ${fact.kind}${fact.names.length > 1 ? 's' : ''} ${list(fact.names)}${doc}`;
    case 'added':
      return added(fact, doc);
    case 'removed':
      return `Removed ${nounFor(fact.noun, fact.names.length)} ${list(fact.names)}`;
    case 'renamed':
      return `Renamed ${code(fact.from)} to ${code(fact.to)}`;
    case 'deprecated':
      return `Deprecated ${list(fact.names)}${doc}`;
    case 'parameter':
      return fact.change === 'removed'
        ? `Parameter${fact.names.length > 1 ? 's' : ''} ${fact.names.map(code).join(', ')} removed from ${code(fact.of)}`
        : `Required parameter${fact.names.length > 1 ? 's' : ''} ${fact.names.map(code).join(', ')} added to ${code(fact.of)}`;
    case 'returns':
      return `${code(fact.of)} returns ${code(fact.to)} instead of ${code(fact.from)}`;
    case 'default': {
      const of = fact.of === null ? '' : ` in ${code(fact.of)}`;
      return `Default of ${code(fact.name)}${of}: ${code(fact.from)} → ${code(fact.to)}`;
    }
  }
}

function risk(fact: ShownRisk): string {
  if (fact.kind === 'permission') return `Workflow permission added: ${list(fact.names)}`;
  if (fact.kind === 'skippedTest') return `Tests newly use ${list(fact.names)}`;
  return lead(fact);
}

const turnsOf = (turns: { from: string; to: string }[]): string => {
  const shown = turns.slice(0, 3).map(({ from, to }) => `${code(from)} → ${code(to)}`);
  return shown.join(', ') + (turns.length > 3 ? ` and ${turns.length - 3} more` : '');
};

const version = ({ name, change, from, to }: DependencyChange): string => {
  if (change === 'added') return `${code(name)}${to ? ` ${bareVersion(to)}` : ''} added`;
  if (change === 'removed') return `${code(name)} removed`;
  return from && to ? `${code(name)} ${bareVersion(from)} → ${bareVersion(to)}` : `${code(name)} changed`;
};

const versions = (changes: DependencyChange[], most: number): string =>
  listOf({ names: changes.slice(0, most).map(version), more: changes.length - most });

const scopes = {
  tests: 'Tests only',
  documentation: 'Documentation only',
  build: 'Build and CI only',
  formatting: 'Formatting only',
  comments: 'Comments only',
  noPublicChange: 'No exported name or signature changes',
};

function scope(fact: ScopeFact): string {
  if (fact.kind === 'dependencies') return `Dependencies only: ${versions(fact.changes, 5)}`;
  if (fact.kind === 'renames') return `Renames only: ${turnsOf(fact.turns)}`;
  if (fact.kind === 'moves')
    return fact.turns.length > 0 ? `Moves only: ${turnsOf(fact.turns)}` : 'Moves only, otherwise unchanged';
  return scopes[fact.kind];
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const where = ({ times, files }: ManyTimes): string => {
  const lines = times === null ? '' : plural(times, 'line');
  if (files > 1) return lines === '' ? `${files} files` : `${lines} of ${files} files`;
  return lines === '' ? 'several lines' : lines;
};

export const english: RulePhrases = {
  scope,
  lead,
  risk,
  headline(fact) {
    switch (fact.kind) {
      case 'optional':
        return `New parameter ${list(fact.names)} of ${code(fact.of)}`;
      case 'edit':
        if (fact.from === '') return `Add ${code(fact.to)} to ${code(fact.of ?? '')}`;
        if (fact.to === '') return `Remove ${code(fact.from)} from ${code(fact.of ?? '')}`;
        return `Change ${code(fact.from)} to ${code(fact.to)}${fact.of === null ? '' : ` in ${code(fact.of)}`}`;
      case 'file':
        return `${fact.change === 'added' ? 'Add' : 'Remove'} ${code(fact.path)}`;
      case 'branch':
      case 'fix':
      case 'converted':
      case 'parts':
      case 'noPublicChange':
        return null;
      case 'tests':
        return fact.added.length > 0 ? `New tests: ${list(fact.added, 1)}` : 'Tests only';
      case 'documentation':
      case 'build':
      case 'formatting':
      case 'comments':
        return `${scope(fact)} (${fact.files.length === 1 ? code(fact.files[0] ?? '') : `${fact.files.length} files`})`;
      case 'dependencies':
      case 'renames':
      case 'moves':
        return scope(fact);
      default:
        return lead(fact, '');
    }
  },
  stop: '.',
  sameEdit: (places, names) =>
    names.names.length === 1
      ? `The edit below is made ${places === 1 ? 'once more' : `${places} more times`} in ${listOf(names)}.`
      : `The edit below is made in ${places} more places: ${listOf(names)}.`,
  renamed: ({ from, to, times, files }) =>
    `${code(from)} renamed to ${code(to)}${files > 1 ? ` in ${files} files` : ''}${times === null ? '' : ` (${plural(times, 'occurrence')})`}.`,
  replaced: (edit) => `The same edit in ${where(edit)}: ${code(edit.from)} → ${code(edit.to)}.`,
  addedOften: (edit) => `Added in ${where(edit)}: ${code(edit.to)}.`,
  removedOften: (edit) => `Removed from ${where(edit)}: ${code(edit.from)}.`,
  moved: (what, from, to) =>
    `${listOf(what)} moved ${from === to ? `within ${code(to)}` : `from ${code(from)} to ${code(to)}`}, otherwise unchanged.`,
  fileMoved: (from, to, isEdited) =>
    isEdited ? `${code(from)} is now ${code(to)}.` : `${code(from)} is now ${code(to)}, otherwise unchanged.`,
  filesMoved: (files) => `${files} files moved or renamed.`,
  removedTests: (tests) => `Removed tests: ${listOf(tests)}.`,
  assertion: ({ test, from, to }) =>
    `Assertion${test ? ` of ${code(test)}` : ''}: ${code(from)} → ${code(to)}.`,
  alsoAdded: (what) => `Also added: ${listOf(what)}.`,
  alsoChanged: (what) => `Also changed: ${listOf(what)}.`,
  alsoRemoved: (what) => `Also removed: ${listOf(what)}.`,
  changedTests: (tests) => `Tests edited: ${listOf(tests)}.`,
  documentation: (files) => `Documentation edited: ${listOf(files)}.`,
  tooLong: (files) => `Left out for length: ${listOf(files)}.`,
  nothingButLayout: (files) => `Comments, imports or layout only: ${listOf(files)}.`,
  dependencies: (changes, most) => `Dependencies: ${versions(changes, most)}.`,
  unread: ({ locks, generated, vendored, binary, submodules, tooLarge }) => {
    const kinds = [
      locks > 0 ? plural(locks, 'lock file') : '',
      generated > 0 ? plural(generated, 'generated file') : '',
      vendored > 0 ? plural(vendored, 'vendored file') : '',
      binary > 0 ? plural(binary, 'binary file') : '',
      submodules > 0 ? plural(submodules, 'submodule') : '',
      tooLarge > 0 ? `${plural(tooLarge, 'file')} too large to read` : '',
    ];
    return `Not read: ${kinds.filter(Boolean).join(', ')}.`;
  },
  executable: (files, isExecutable) => `${isExecutable ? 'Made' : 'No longer'} executable: ${listOf(files)}.`,
};
