import type { FileKind } from '../../domain/article.ts';
import { indentedLanguages } from '../../reading/compare/units.ts';
import type { DependencyChange, Facts, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';

const written: ReadonlySet<FileKind> = new Set(['lock', 'generated', 'vendored']);

const ownVersion = /^\s*["']?version["']?\s*[:=]\s*["']?v?\d/i;

/** Whether nothing in a change needs explaining: only what programs wrote, other versions of the same, or another layout. */
export function isTrivial({ files }: Pick<Facts, 'files'>, diff: FileDiff[]): boolean {
  const diffs = new Map(diff.map((file) => [file.path, file]));
  return files.length > 0 && files.every((file) => isTrivialFile(file, diffs.get(file.path)));
}

function isTrivialFile(file: FileFacts, diff: FileDiff | undefined): boolean {
  if (written.has(file.kind)) return true;
  if (file.status !== 'modified' || file.skipped !== null || !diff) return false;
  if (isOnlyRewrapped(file)) return true;
  return file.kind === 'manifest' && hasOnlyVersions(file.dependencies, diff);
}

/** Where the depth of a line decides what it belongs to, another layout may be another program. */
const isOnlyRewrapped = ({ changes, language }: FileFacts): boolean =>
  language !== null &&
  !indentedLanguages.has(language) &&
  changes.length > 0 &&
  changes.every(({ kind }) => kind === 'rewrapped');

const version = /^["']?\s*(?:[:=@~^<>!]+|\s)\s*["']?[~^<>=!v\s]*\d[\w.+~^<>=*, -]*["']?,?$/;

/** Whether a line gives a version to a name, and does nothing else. */
function isVersionOf(name: string, text: string): boolean {
  const key = text.trim().replace(/^["']/, '');
  return key.startsWith(name) && version.test(key.slice(name.length));
}

/** Whether the lines that changed are versions, of what is needed or of the package itself. */
function hasOnlyVersions(dependencies: DependencyChange[], { hunks }: FileDiff): boolean {
  if (!dependencies.every(({ change }) => change === 'changed')) return false;
  const isNamed = ({ text }: DiffLine) =>
    ownVersion.test(text) || dependencies.some(({ name }) => isVersionOf(name, text));
  const changed = hunks.flatMap((hunk) => linesOf(hunk).filter(({ side }) => side !== 'context'));
  return changed.length > 0 && changed.every(isNamed);
}
