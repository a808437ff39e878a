import { type ChangeType, changeTypes } from '../../domain/article.ts';
import type { FileKind, PullRequestText } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';
import { changeTypeChances, type KindedFile, leastChance, saidIn } from './change-features.ts';

/**
 * The type of a change, null where none is sure: what its author calls it, then its host, then what its files or first
 * words leave no doubt about, then the learned table.
 */
export function readChangeType(text: PullRequestText, files: KindedFile[]): ChangeType | null {
  return (
    calledType(text) ??
    typeOfFiles(text.title, files) ??
    typeOfWords(text.title, files) ??
    judgeChangeType(hidePrefixes(text), files)
  );
}

const calledType = ({ title, commitMessages, labels }: Omit<PullRequestText, 'body'>): ChangeType | null =>
  prefixType(title) ?? typeOfCommits(commitMessages) ?? labelType(labels);

export const changeTypeByWords = (text: Omit<PullRequestText, 'body'>): ChangeType | null =>
  calledType(text) ?? typeOfWords(text.title, []);

/** What most speaks for, where that is enough. Nothing was done for speed where no word of time or memory is said. */
function judgeChangeType(text: PullRequestText, files: KindedFile[]): ChangeType | null {
  const chances = changeTypeChances(text, files);
  const most = Math.max(...chances);
  const type = changeTypes[chances.indexOf(most)] ?? null;
  if (most < leastChance || (type === 'PERF' && !speaksOfSpeed(text, files))) return null;
  return type;
}

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

// "area/docs" and "component: build" say where a change is made, so that only these introductions are passed over.
const introduction = /^(?:type|kind|category|changelog|pr|semver|c|t) (?=.)/;

export function labelType(labels: string[]): ChangeType | null {
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

const words = [
  'perf(?:ormance|ormant)?|speed(?:s|y|ier|ing|-?ups?)?|fast(?:er|est|path)?|quick(?:er|ly)?',
  'slow(?:s|er|ing|ness)?|optimi[sz]\\w*|bench(?:es|mark\\w*)?|(?:un|pre)?cach(?:e[sd]?|ing)|memoi[sz]\\w*',
  'latency|latencies|throughput|overhead|footprint|contention|memory(?! limit)|(?:de)?alloc(?:s|at\\w*)?',
  '(?:in)?efficien\\w+|expensive|cheap(?:er|ly)?|lazy|lazily|hot[ -]?(?:path|loop)s?|O\\([^)]{1,12}\\)',
];

const speed = new RegExp(`(?<![A-Za-z])(?:${words.join('|')})(?![a-z])|\\d ?(?:ms|µs|ns)\\b`, 'i');

const speaksOfSpeed = (text: PullRequestText, files: KindedFile[]): boolean =>
  [text.title, saidIn(text.body ?? ''), ...text.commitMessages].some((said) => speed.test(said)) ||
  files.some(({ file }) => speed.test(file.path));

const wholes: [ChangeType, FileKind[]][] = [
  ['DOCS', ['documentation']],
  ['TEST', ['test']],
  ['BUILD', ['build', 'lock']],
];

// A release may touch nothing but a changelog, and a new version of a tool nothing but documents.
const versions =
  /\b(?:re-?leas\w+|bump\w*|upgrade\w*|change-?logs?|dependenc(?:y|ies)|versions?|v?\d+\.\d+\.\d+)\b/i;

export function typeOfFiles(title: string, files: KindedFile[]): ChangeType | null {
  if (files.length === 0 || versions.test(title)) return null;
  const whole = wholes.find(([, kinds]) => files.every(({ kind }) => kinds.includes(kind)));
  return whole?.[0] ?? null;
}

const aside =
  /\b(?:ci|builds?|changelogs?|clippy|comments?|docs?|documentation|examples?|flaky|format\w*|links?|lint\w*|readme|spelling|tests?|typos?|types?|warnings?)\b/i;

const openings: [ChangeType, RegExp][] = [
  ['FIX', /^\W*fix(?:e[sd]|ing)?\b/i],
  ['REFACTOR', /^\W*refactor(?:s|ed|ing)?\b/i],
];

const documenting =
  /^(?:[\w:./-]+:\s+)?document(?:s|ed)?\s+(?:an?|how|that|the|what|when|where|which|why)\b|^(?:slightly )?(?:improve|update|clarify) (?:the )?doc(?:s|umentation)\b/i;

const releasing =
  /^(?:prepare |publish )?(?:for )?(?:the )?(?:next )?(?:pre-?)?release(?: v?\d\S*| [\w-]+)?$/i;

/** What the first words of a title call the change, as a prefix would: "Fix …" is a fix, unless of a test or a typo. */
export function typeOfWords(title: string, files: KindedFile[]): ChangeType | null {
  if (releasing.test(title)) return 'CHORE';
  if (documenting.test(title)) return 'DOCS';
  const isOfCode = files.length === 0 || files.some(({ kind }) => kind === 'source');
  if (!isOfCode || aside.test(title)) return null;
  return openings.find(([, opening]) => opening.test(title))?.[0] ?? null;
}

const wordsOf: [ChangeType, string[]][] = [
  ['FEAT', ['feat', 'feature']],
  ['FIX', ['fix', 'bugfix']],
  ['REFACTOR', ['refactor']],
  ['DOCS', ['docs', 'doc']],
  ['TEST', ['test', 'tests']],
  ['PERF', ['perf']],
  ['BUILD', ['build', 'ci', 'deps']],
  ['CHORE', ['chore', 'style']],
];
const typeOfWord = new Map(wordsOf.flatMap(([type, names]) => names.map((name) => [name, type])));

const prefixes = `(?:${[...typeOfWord.keys(), 'revert'].join('|')})`;
const prefix = new RegExp(`^\\s*(?:(${prefixes})(?:\\(([^)]*)\\))?!?:|\\[(${prefixes})\\]:?)\\s+`, 'i');

const prefixesInText = new RegExp(
  `(^[ \\t>*+-]*|["'“\`])${prefixes}(?:\\([^)\\n]{0,200}\\))?!?:[ \\t]+`,
  'gim',
);

const dependencies = /^(?:.*[^a-z])?(?:deps|dependencies)\b/i;
const building = /^(?:build|ci)$/i;

function prefixWordType(title: string): ChangeType | null {
  const [, word, , inBrackets] = prefix.exec(title) ?? [];
  return typeOfWord.get((word ?? inBrackets ?? '').toLowerCase()) ?? null;
}

export function prefixType(title: string): ChangeType | null {
  const type = prefixWordType(title);
  const scope = prefix.exec(title)?.[2] ?? '';
  // One author's chore(deps) is the other's build(deps): the scope says more than the word.
  if (type && (dependencies.test(scope) || (type === 'CHORE' && building.test(scope)))) return 'BUILD';
  return type;
}

function typeOfCommits(messages: string[]): ChangeType | null {
  const types = new Set(messages.filter((message) => !/^Merge\b/.test(message)).map(prefixType));
  const [type = null] = types;
  return types.size === 1 ? type : null;
}

/** The text without types and scopes of conventional commits. */
export function hidePrefixes(text: PullRequestText): PullRequestText {
  return {
    title: hideIn(text.title.replace(prefix, '')),
    body: text.body === null ? null : hideIn(text.body),
    commitMessages: text.commitMessages.map(hideIn),
    labels: [],
  };
}

const hideIn = (text: string): string => text.replace(prefixesInText, '$1');
