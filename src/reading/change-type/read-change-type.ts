import { type ChangeType, changeTypes } from '../../domain/change-types.ts';
import type { FileKind, PullRequestText } from '../facts.ts';
import { hidePrefixes, prefixType } from './conventional-prefix.ts';
import { scoreChangeTypes } from './score-change-types.ts';
import type { KindedFile } from './shape-features.ts';
import { speaksOfSpeed } from './speaks-of-speed.ts';

/**
 * Says what kind of change a pull request is. Where the title has a conventional prefix, its author has said it, and
 * that stands even if the diff looks different: a diff shows the means, only the author knows the purpose. Whoever begins
 * with "Fix" has said it too, unless the fix is one of documents or tests. Everything else is judged by the words and the
 * shape of the change, with the weights of change-type-table.json.
 */
export function readChangeType(text: PullRequestText, files: KindedFile[]): ChangeType {
  const said = prefixType(text.title);
  if (said) return said;
  const isAside = files.every(({ kind }) => kind === 'documentation' || kind === 'test');
  if (fixing.test(text.title) && !isAside) return 'FIX';
  if (documenting.test(text.title)) return 'DOCS';
  return judgeChangeType(hidePrefixes(text), files);
}

/** Code can be documented in its own file: "Document that …" says so. */
const documenting =
  /^(?:[\w:./-]+:\s+)?document(?:s|ed)?\s+(?:an?|how|that|the|what|when|where|which|why)\b/i;

const fixing = /^\W*fix(?:e[sd]|ing)?\b/i;

/** Of nothing but code, no change is one of documents. */
const mayBeDocuments = (kinds: Set<FileKind>): boolean => !kinds.has('source') || kinds.has('documentation');

function judgeChangeType(text: PullRequestText, files: KindedFile[]): ChangeType {
  const scores = scoreChangeTypes(text, files);
  const kinds = new Set(files.map(({ kind }) => kind));
  if (!mayBeDocuments(kinds)) scores[changeTypes.indexOf('DOCS')] = Number.NEGATIVE_INFINITY;
  if ([...kinds].every((kind) => kind === 'documentation') || !speaksOfSpeed(text, files))
    scores[changeTypes.indexOf('PERF')] = Number.NEGATIVE_INFINITY;
  const best = scores.indexOf(Math.max(...scores));
  return changeTypes[best] ?? 'CHORE';
}
