import type { ChangeType } from '../../domain/change-types.ts';
import type { FileKind, PullRequestText } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';
import { prefixType } from './conventional-prefix.ts';

interface KindedFile {
  file: FileDiff;
  kind: FileKind;
}

/** What a title says it does, by its own words; the first that fits decides. */
const words: [ChangeType, RegExp][] = [
  [
    'FIX',
    /\b(?:fix(?:e[sd])?|bugs?|crash(?:es)?|regressions?|broken|incorrect|wrong|leak|prevent|handle|avoid|ensure)\b/i,
  ],
  [
    'PERF',
    /\b(?:faster|perf(?:ormance)?|speed|optimi[sz]e[sd]?|cach(?:e|ing)|reduce (?:memory|allocations))\b/i,
  ],
  [
    'REFACTOR',
    /\b(?:refactor\w*|clean ?up|simplif\w+|rename[sd]?|extract|move|reorgani[sz]e|split|rewrite|deduplicate)\b/i,
  ],
  ['TEST', /\b(?:tests?|testing|coverage|fixtures?|snapshots?|flaky)\b/i],
  ['DOCS', /\b(?:docs?|documentation|readme|typos?|comments?|changelog|guide|examples?)\b/i],
  [
    'BUILD',
    /\b(?:ci|build|bump|upgrade|dependabot|workflow|actions?|docker|dependenc(?:y|ies)|webpack|rollup)\b/i,
  ],
  ['FEAT', /\b(?:add(?:s|ed)?|support|implement\w*|introduce[sd]?|allow|enable|new|expose|provide)\b/i],
];

/** Kinds of files of which a whole change can be made, and what it then is. */
const wholes: [ChangeType, FileKind[]][] = [
  ['DOCS', ['documentation']],
  ['TEST', ['test']],
  ['BUILD', ['build', 'lock', 'manifest']],
];

/** What kind of change a pull request is: as its author says, else by what it is made of, else by its words. */
export function readChangeType(text: PullRequestText, files: KindedFile[]): ChangeType {
  const said = prefixType(text.title);
  if (said) return said;
  const kinds = new Set(files.map(({ kind }) => kind));
  for (const [type, made] of wholes) {
    if (kinds.size > 0 && [...kinds].every((kind) => made.includes(kind))) return type;
  }
  for (const [type, pattern] of words) if (pattern.test(text.title)) return type;
  const additions = files.reduce((sum, { file }) => sum + file.additions, 0);
  const deletions = files.reduce((sum, { file }) => sum + file.deletions, 0);
  if (files.some(({ file, kind }) => kind === 'source' && file.status === 'added')) return 'FEAT';
  return deletions > additions ? 'REFACTOR' : 'CHORE';
}

/** What a change to one file is, within the whole. */
export function fileChangeType(file: FileDiff, kind: FileKind, whole: ChangeType): ChangeType {
  if (kind === 'documentation') return 'DOCS';
  if (kind === 'test') return 'TEST';
  if (kind === 'build' || kind === 'manifest' || kind === 'lock') return 'BUILD';
  if (file.status === 'renamed' && file.additions + file.deletions === 0) return 'REFACTOR';
  return whole;
}
