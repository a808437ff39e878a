import type { ChangeType } from '../../domain/change-types.ts';
import type { PullRequestText } from '../facts.ts';

const typeOfWord = new Map<string, ChangeType>([
  ['feat', 'FEAT'],
  ['feature', 'FEAT'],
  ['fix', 'FIX'],
  ['refactor', 'REFACTOR'],
  ['docs', 'DOCS'],
  ['doc', 'DOCS'],
  ['test', 'TEST'],
  ['tests', 'TEST'],
  ['perf', 'PERF'],
  ['build', 'BUILD'],
  ['ci', 'BUILD'],
  ['chore', 'CHORE'],
  ['style', 'CHORE'],
]);

const prefix =
  /^\s*(feat|feature|fix|refactor|docs?|tests?|perf|build|ci|chore|style|revert)(?:\([^)]*\))?!?:\s+/i;

/** Wherever such a prefix may stand in a longer text: at the start of a line, of a list item, or of a quotation. */
const prefixesInText =
  /(^[ \t>*+-]*|["'“`])(?:feat|feature|fix|refactor|docs?|tests?|perf|build|ci|chore|style|revert)(?:\([^)\n]{0,200}\))?!?:[ \t]+/gim;

/** What the author called the change, in the way of conventional commits; null where that is none of our types. */
export function prefixType(title: string): ChangeType | null {
  return typeOfWord.get(prefix.exec(title)?.[1]?.toLowerCase() ?? '') ?? null;
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
