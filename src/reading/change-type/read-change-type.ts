import { type ChangeType, changeTypes } from '../../domain/change-types.ts';
import type { PullRequestText } from '../facts.ts';
import { hidePrefixes, prefixType } from './conventional-prefix.ts';
import { scoreChangeTypes } from './score-change-types.ts';
import type { KindedFile } from './shape-features.ts';

/**
 * Says what kind of change a pull request is. Where the title has a conventional prefix, its author has said it, and
 * that stands even if the diff looks different: a diff shows the means, only the author knows the purpose. Everything
 * else is judged by the words and the shape of the change, with the weights of change-type-table.json.
 */
export function readChangeType(text: PullRequestText, files: KindedFile[]): ChangeType {
  return prefixType(text.title) ?? judgeChangeType(hidePrefixes(text), files);
}

function judgeChangeType(text: PullRequestText, files: KindedFile[]): ChangeType {
  const scores = scoreChangeTypes(text, files);
  const best = scores.indexOf(Math.max(...scores));
  return changeTypes[best] ?? 'CHORE';
}
