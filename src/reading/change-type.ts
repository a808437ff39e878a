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

// A release may change only a changelog, and an upgrade of a tool only documents, so their files say nothing about the
// type.
const versions =
  /\b(?:re-?leas\w+|bump\w*|upgrade\w*|change-?logs?|dependenc(?:y|ies)|versions?|v?\d+\.\d+\.\d+)\b/i;

function typeOfFiles(title: string, files: Pick<KindedFile, 'kind'>[]): ChangeType | null {
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
