import type { ChangeType } from '../../domain/change-types.ts';
import type { PullRequestText } from '../facts.ts';

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

const words = `(?:${[...typeOfWord.keys(), 'revert'].join('|')})`;
const prefix = new RegExp(`^\\s*(?:(${words})(?:\\(([^)]*)\\))?!?:|\\[(${words})\\]:?)\\s+`, 'i');

/** Wherever such a prefix may stand in a longer text: at the start of a line, of a list item, or of a quotation. */
const prefixesInText = new RegExp(`(^[ \\t>*+-]*|["'“\`])${words}(?:\\([^)\\n]{0,200}\\))?!?:[ \\t]+`, 'gim');

const dependencies = /^(?:.*[^a-z])?(?:deps|dependencies)\b/i;
const building = /^(?:build|ci)$/i;

/** What the word of the prefix says, whatever its scope is. */
export function prefixWordType(title: string): ChangeType | null {
  const [, word, , inBrackets] = prefix.exec(title) ?? [];
  return typeOfWord.get((word ?? inBrackets ?? '').toLowerCase()) ?? null;
}

/** What the author called the change, in the way of conventional commits; null where that is none of our types. */
export function prefixType(title: string): ChangeType | null {
  const type = prefixWordType(title);
  const scope = prefix.exec(title)?.[2] ?? '';
  // One author's chore(deps) is the other's build(deps): the scope says more than the word.
  if (type && (dependencies.test(scope) || (type === 'CHORE' && building.test(scope)))) return 'BUILD';
  return type;
}

/** What all commits are called, where each has a prefix and they agree. Merges are nobody's change. */
export function typeOfCommits(messages: string[]): ChangeType | null {
  const types = new Set(messages.filter((message) => !/^Merge\b/.test(message)).map(prefixType));
  const [type = null] = types;
  return types.size === 1 ? type : null;
}

/** The same text as if its author had not known of conventional commits: neither type nor scope is left anywhere. */
export function hidePrefixes(text: PullRequestText): PullRequestText {
  return {
    title: hideIn(text.title.replace(prefix, '')),
    body: text.body === null ? null : hideIn(text.body),
    commitMessages: text.commitMessages.map(hideIn),
    labels: [],
  };
}

const hideIn = (text: string): string => text.replace(prefixesInText, '$1');
