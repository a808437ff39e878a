import type { ChangeType } from '../domain/articles.ts';
import type { KindedFile } from './classify-file.ts';
import type { FileKind, PullRequestText } from './facts.ts';
import type { FileDiff } from './file-diff.ts';

/**
 * The type of a change by its author's words, else the host's labels, else the kinds of its files. Null if none is
 * certain.
 */
export const readChangeType = (text: PullRequestText, files: Pick<KindedFile, 'kind'>[]): ChangeType | null =>
  namedChangeType(text) ?? typeOfFiles(text.title, files);

export const namedChangeType = ({
  title,
  commitMessages,
  labels,
}: Omit<PullRequestText, 'body'>): ChangeType | null =>
  prefixType(title) ?? typeOfCommits(commitMessages) ?? labelType(labels);

const typeOfKind: Partial<Record<FileKind, ChangeType>> = {
  documentation: 'DOCS',
  test: 'TEST',
  build: 'BUILD',
  manifest: 'BUILD',
  lock: 'BUILD',
};

export function fileChangeType(file: FileDiff, kind: FileKind, whole: ChangeType | null): ChangeType | null {
  const ofKind = typeOfKind[kind];
  if (ofKind) return ofKind;
  const isMoved = file.status === 'renamed' && file.additions + file.deletions === 0 && !file.isBinary;
  return isMoved ? 'REFACTOR' : whole;
}

const namesOf: [ChangeType, string[]][] = [
  ['FEAT', ['feat', 'feature', 'features', 'enhancement', 'new feature', 'feature request']],
  ['FIX', ['bug', 'bugs', 'fix', 'bugfix', 'bug fix', 'regression', 'hotfix']],
  [
    'REFACTOR',
    ['refactor', 'refactoring', 'refactors', 'cleanup', 'code quality', 'tech debt', 'technical debt'],
  ],
  ['DOCS', ['doc', 'docs', 'documentation']],
  ['TEST', ['test', 'tests', 'testing']],
  ['PERF', ['perf', 'performance', 'optimization']],
  ['BUILD', ['build', 'ci', 'ci cd', 'dependency', 'dependencies', 'deps', 'github actions', 'packaging']],
  ['CHORE', ['chore', 'housekeeping', 'maintenance', 'release']],
];

const typeOfName = new Map(namesOf.flatMap(([type, names]) => names.map((name) => [name, type])));

const headingsOf: [ChangeType | null, string[]][] = [
  ['FEAT', ['added', 'new', 'new features', 'features added']],
  ['FIX', ['fixed', 'fixes', 'bugfixes', 'bug fixes', 'bugs fixed']],
  ['PERF', ['performance improvements']],
  ['REFACTOR', ['code refactoring', 'refactorings']],
  ['DOCS', ['documentation updates', 'documentation changes', 'documentation improvements']],
  ['BUILD', ['builds', 'build system', 'build process updates', 'build process updates ci']],
  ['CHORE', ['chores']],
  [null, ['other', 'others', 'other changes', 'misc', 'miscellaneous', 'miscellaneous changes']],
];

const typeOfHeading = new Map(headingsOf.flatMap(([type, names]) => names.map((name) => [name, type])));

/** The type that a heading of a changelog means, null if it means none; absent for a heading with a meaning of its own. */
export function headingChangeType(heading: string): ChangeType | null | undefined {
  const name = plainNameOf(heading);
  return typeOfName.get(name) ?? typeOfHeading.get(name);
}

/** Whether a heading says less than a type, although it means none. */
export const isVagueHeading = (heading: string): boolean =>
  /^(?:enhancements|improvements|changed|updates|updated|general)$/.test(plainNameOf(heading));

/** Whether a heading of a changelog says that what is below it breaks. */
export const isBreakingHeading = (heading: string): boolean =>
  /^(?:breaking|break changes|breaking (?:api )?changes|(?:backwards? )?incompatible changes|backwards? incompatibilities)$/.test(
    plainNameOf(heading),
  );

/** Whether the author says that only dependencies change. */
export function isDependencyUpdate(title: string): boolean {
  const [, word, scope = ''] = prefix.exec(title) ?? [];
  return word !== undefined && (word.toLowerCase() === 'deps' || dependencies.test(scope));
}

// Only these introductions are ignored: "area/docs" and "component: build" say where a change is made, not its type.
const introduction = /^(?:type|kind|category|changelog|pr|semver|c|t) (?=.)/;

function labelType(labels: string[]): ChangeType | null {
  const types = new Set(labels.flatMap((label) => typeOfName.get(plainNameOf(label)) ?? []));
  const [type = null] = types;
  return types.size === 1 ? type : null;
}

const plainNameOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/:[a-z_]+:/g, ' ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(introduction, '');

const wholes: [ChangeType, FileKind[]][] = [
  ['DOCS', ['documentation']],
  ['TEST', ['test']],
  ['BUILD', ['build', 'lock']],
];

const upgrade = /^(?:bump|update|upgrade)\b/i;

/** The type of a change of which only the kinds of files are known. */
export function typeOfKinds(title: string, kinds: readonly FileKind[]): ChangeType | null {
  const isUpgrade = upgrade.test(title) && kinds.includes('lock');
  if (isUpgrade && kinds.every((kind) => kind === 'lock' || kind === 'manifest')) return 'BUILD';
  return typeOfFiles(
    title,
    kinds.map((kind) => ({ kind })),
  );
}

// A release may change only a changelog, and an upgrade of a tool only documents, so their files say nothing about the
// type.
const versions =
  /\b(?:re-?leas\w+|bump\w*|upgrade\w*|change-?logs?|dependenc(?:y|ies)|versions?|v?\d+\.\d+\.\d+)\b/i;

export function typeOfFiles(title: string, files: Pick<KindedFile, 'kind'>[]): ChangeType | null {
  if (files.length === 0 || versions.test(title)) return null;
  const whole = wholes.find(([, kinds]) => files.every(({ kind }) => kinds.includes(kind)));
  return whole?.[0] ?? null;
}

const prefixesOf: [ChangeType, string[]][] = [
  ['FEAT', ['feat', 'feature']],
  ['FIX', ['fix', 'bugfix']],
  ['REFACTOR', ['refactor']],
  ['DOCS', ['docs', 'doc']],
  ['TEST', ['test', 'tests']],
  ['PERF', ['perf']],
  ['BUILD', ['build', 'ci', 'deps']],
  ['CHORE', ['chore', 'style']],
];
const typeOfPrefix = new Map(prefixesOf.flatMap(([type, names]) => names.map((name) => [name, type])));

const prefixes = `(?:${[...typeOfPrefix.keys(), 'revert'].join('|')})`;
const prefix = new RegExp(`^\\s*(?:(${prefixes})(?:\\(([^)]*)\\))?!?:|\\[(${prefixes})\\]:?)\\s+`, 'i');

const dependencies = /^(?:.*[^a-z])?(?:deps|dependencies)\b/i;
const building = /^(?:build|ci)$/i;

function prefixWordType(title: string): ChangeType | null {
  const [, word, , inBrackets] = prefix.exec(title) ?? [];
  return typeOfPrefix.get((word ?? inBrackets ?? '').toLowerCase()) ?? null;
}

function prefixType(title: string): ChangeType | null {
  const type = prefixWordType(title);
  const scope = prefix.exec(title)?.[2] ?? '';
  // Some authors write chore(deps) where others write build(deps), so the scope counts for more than the prefix.
  if (type && (dependencies.test(scope) || (type === 'CHORE' && building.test(scope)))) return 'BUILD';
  return type;
}

function typeOfCommits(messages: string[]): ChangeType | null {
  const types = new Set(messages.filter((message) => !/^Merge\b/.test(message)).map(prefixType));
  const [type = null] = types;
  return types.size === 1 ? type : null;
}
