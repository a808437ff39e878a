import type { DependencyChange } from '../../reading/facts.ts';

/** The first of some names, as Markdown, and how many more there are. */
export interface Names {
  names: string[];
  more: number;
}

/** An edit that was made many times, as a caption tells it. */
export interface ManyTimes {
  from: string;
  to: string;
  times: number | null;
  files: number;
}

export interface Assertion {
  test: string | null;
  from: string;
  to: string;
}

/** What is not read, by the number of files. */
export interface UnreadFiles {
  locks: number;
  generated: number;
  vendored: number;
  binary: number;
  submodules: number;
  tooLarge: number;
}

/** The sentences about hunks, tests and what is left, in one language. */
export interface HunkPhrases {
  sameEdit(places: number, where: Names): string;
  renamed(edit: ManyTimes): string;
  replaced(edit: ManyTimes): string;
  addedOften(edit: ManyTimes): string;
  removedOften(edit: ManyTimes): string;
  moved(what: Names, from: string, to: string): string;
  partMoved(from: string, to: string): string;
  fileMoved(from: string, to: string, isEdited: boolean): string;
  filesMoved(files: number): string;
  removedTests(tests: Names): string;
  skipped(test: string): string;
  unskipped(test: string): string;
  assertion(assertion: Assertion): string;
  added(what: Names): string;
  changed(what: Names): string;
  removed(what: Names): string;
  changedTests(tests: Names): string;
  sections(names: Names): string;
  tooLong(files: Names): string;
  nothingButLayout(): string;
  dependencies(changes: DependencyChange[], more: number): string;
  unread(files: UnreadFiles): string;
  executable(isExecutable: boolean): string;
}

/** Text as code; one that has a backtick of its own gets two around it. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const list = ({ names, more }: Names): string => `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;

const where = ({ times, files }: ManyTimes): string => {
  const lines = times === null ? '' : plural(times, 'line');
  if (files > 1) return lines === '' ? `${files} files` : `${lines} of ${files} files`;
  return lines === '' ? 'several lines' : lines;
};

const version = ({ name, change, from, to }: DependencyChange): string => {
  if (change === 'added') return `${code(name)}${to ? ` ${to}` : ''} added`;
  if (change === 'removed') return `${code(name)} removed`;
  if (change === 'moved' || !from || !to) return `${code(name)} moved`;
  return `${code(name)} ${from} → ${to}`;
};

export const english: HunkPhrases = {
  sameEdit: (places, names) =>
    names.names.length === 1
      ? `The same edit ${places === 1 ? 'once more' : `${places} more times`} in ${list(names)}.`
      : `The same edit in ${places} more places: ${list(names)}.`,
  renamed: ({ from, to, times, files }) =>
    `${code(from)} renamed to ${code(to)}${files > 1 ? ` in ${files} files` : ''}${times === null ? '' : ` (${plural(times, 'occurrence')})`}.`,
  replaced: (edit) => `The same edit in ${where(edit)}: ${code(edit.from)} → ${code(edit.to)}.`,
  addedOften: (edit) => `Added in ${where(edit)}: ${code(edit.to)}.`,
  removedOften: (edit) => `Removed from ${where(edit)}: ${code(edit.from)}.`,
  moved: (what, from, to) =>
    `${list(what)} moved ${from === to ? `within ${code(to)}` : `from ${code(from)} to ${code(to)}`}, otherwise unchanged.`,
  partMoved: (from, to) => `Lines moved from ${code(from)} to ${code(to)}, otherwise unchanged.`,
  fileMoved: (from, to, isEdited) =>
    isEdited ? `${code(from)} is now ${code(to)}.` : `${code(from)} is now ${code(to)}, otherwise unchanged.`,
  filesMoved: (files) => `${files} files moved or renamed.`,
  removedTests: (tests) => `Removed tests: ${list(tests)}.`,
  skipped: (test) => `${code(test)} is skipped.`,
  unskipped: (test) => `${code(test)} is no longer skipped.`,
  assertion: ({ test, from, to }) =>
    `Assertion${test ? ` of ${code(test)}` : ''}: ${code(from)} → ${code(to)}.`,
  added: (what) => `Also added: ${list(what)}.`,
  changed: (what) => `Also changed: ${list(what)}.`,
  removed: (what) => `Also removed: ${list(what)}.`,
  changedTests: (tests) => `Tests edited: ${list(tests)}.`,
  sections: (names) => `Documentation edited: ${list(names)}.`,
  tooLong: (files) => `Left out for length: ${list(files)}.`,
  nothingButLayout: () => 'Comments, imports or layout only.',
  dependencies: (changes, more) =>
    `Dependencies: ${changes.map(version).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
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
  executable: (isExecutable) => (isExecutable ? 'Made executable.' : 'No longer executable.'),
};
