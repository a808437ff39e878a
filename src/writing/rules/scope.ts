import { commentSigns } from '../../reading/comment-signs.ts';
import { isLayout } from '../../reading/compare/units.ts';
import type { DependencyChange, Evidence, FileFacts } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { readHunkLines } from '../../reading/hunk-lines.ts';
import { hasChangedString } from '../../reading/symbols/hide-text.ts';
import { rulesFor } from '../../reading/symbols/rules-for.ts';
import type { ArticleSource } from '../articles.ts';
import { changedDiffLines } from './pieces.ts';

export type ScopeFact = {
  evidence: Evidence[];
  files: string[];
  change: 'added' | 'removed' | 'changed';
} & (
  | { kind: 'tests'; added: string[] }
  | { kind: 'dependencies'; changes: DependencyChange[] }
  | { kind: 'renames' | 'moves'; turns: { from: string; to: string }[] }
  | { kind: 'documentation' | 'build' | 'formatting' | 'comments' }
);

interface ReadFile {
  facts: FileFacts;
  diff: FileDiff;
}

export function scopeOf(source: ArticleSource): ScopeFact | null {
  const { facts, diff } = source;
  const byPath = new Map(diff.map((file) => [file.path, file]));
  const files = facts.files.flatMap((file): ReadFile[] => {
    const own = byPath.get(file.path);
    return own ? [{ facts: file, diff: own }] : [];
  });
  if (files.length === 0 || files.length !== diff.length) return null;
  const dependencies = onlyDependencies(files);
  if (dependencies) return dependencies;
  if (files.some(({ facts: { skipped, isSubmodule } }) => skipped !== null || isSubmodule)) return null;
  return onlyRenamedFiles(files) ?? ofOneKind(files) ?? ofLines(files);
}

function about(files: ReadFile[]): Pick<ScopeFact, 'files' | 'change' | 'evidence'> {
  const [status, ...others] = new Set(files.map(({ diff }) => diff.status));
  return {
    evidence: files.flatMap(({ facts: { place } }) => place ?? []).slice(0, 5),
    files: files.map(({ facts: { path } }) => path),
    change: others.length === 0 && (status === 'added' || status === 'removed') ? status : 'changed',
  };
}

function onlyRenamedFiles(files: ReadFile[]): ScopeFact | null {
  const isPure = ({ diff }: ReadFile): boolean => diff.status === 'renamed' && diff.hunks.length === 0;
  if (!files.every(isPure)) return null;
  const turns = files.map(({ diff }) => ({ from: diff.previousPath ?? '', to: diff.path }));
  const nameIn = (path: string): string => path.split('/').at(-1) ?? path;
  const isMove = turns.every(({ from, to }) => nameIn(from) === nameIn(to));
  return { kind: isMove ? 'moves' : 'renames', turns, ...about(files), evidence: [] };
}

const outputPlace =
  /(?:^|\/)(?:dist|build|out|generated|gen|tests?|testdata|fixtures?|__\w+__|snapshots?)\/|snapshot|\.snap\b|\bgolden\b|\bexpected\b/i;

function ofOneKind(files: ReadFile[]): ScopeFact | null {
  const [kind, ...others] = new Set(files.map(({ facts }) => facts.kind));
  if (others.length > 0) return null;
  const shared = about(files);
  if (kind === 'build') return { kind, ...shared };
  if (kind === 'test') {
    const tests = files.flatMap(({ facts }) => facts.tests.filter(({ change }) => change === 'added'));
    const evidence = tests.slice(0, 10).map((test) => test.evidence);
    const added = tests.map(({ name }) => name);
    return { kind: 'tests', ...shared, added, ...(tests.length > 0 && { evidence }) };
  }
  if (kind !== 'documentation' || files.some(({ facts }) => outputPlace.test(facts.path))) return null;
  return { kind, ...shared };
}

/** Changes that only update versions of dependencies; lock files follow from the manifests. */
function onlyDependencies(files: ReadFile[]): ScopeFact | null {
  const read = files.filter(({ facts }) => facts.kind !== 'lock');
  const changes = read.flatMap(({ facts }) => facts.dependencies);
  const isOnly = ({ facts, diff }: ReadFile): boolean =>
    facts.dependencies.length > 0 &&
    diff.status === 'modified' &&
    changedDiffLines(diff).every(({ text }) => facts.dependencies.some((one) => namesDependency(text, one)));
  if (changes.length === 0 || changes.some(({ name }) => platform.test(name)) || !read.every(isOnly))
    return null;
  const unique = [...new Map(changes.map((one) => [`${one.name} ${one.from} ${one.to}`, one])).values()];
  const isKnown = ({ change, from, to }: DependencyChange): boolean =>
    change === 'added' || change === 'removed' || (from !== null && to !== null && from !== to);
  if (!unique.every(isKnown)) return null;
  const evidence = unique.slice(0, 20).map((one) => one.evidence);
  return { kind: 'dependencies', changes: unique, ...about(files), evidence };
}

const platform = /^(?:go|java|node|php|python|ruby|rust)$/i;

const indirect = /^\s*(?:require\s+)?[\w./~-]+ v\S+ \/\/ indirect$/;

const namesDependency = (line: string, { name, from, to }: DependencyChange): boolean =>
  indirect.test(line) || [name, from, to].some((part) => part !== null && part !== '' && line.includes(part));

const longestLine = 1_000;

const directive =
  /go:\w|\+build|nolint|eslint|@ts-|type:|noqa|pragma|istanbul|[cv]8 ignore|prettier|biome-|clippy|rustfmt|webpack|@vite|@jsx|@flow|@internal|@deprecated|deprecated:|#cgo|coding[:=]|shellcheck|pylint|mypy|ruff:|fmt:|isort|sorbet|frozen_string|^#!|#region|swagger|@\w+\s+\{/i;

function ofLines(files: ReadFile[]): ScopeFact | null {
  const lines = files.flatMap(({ diff }) => changedDiffLines(diff));
  const isCode = ({ facts: { kind } }: ReadFile): boolean => kind === 'source' || kind === 'test';
  if (!files.every(isCode) || lines.some(({ text }) => text.length > longestLine)) return null;
  const shared = about(files);
  const isModified = files.every(({ diff }) => diff.status === 'modified' && diff.hunks.length > 0);
  if (isModified && files.every(isLaidOut)) return { kind: 'formatting', ...shared };
  const units = files.flatMap(({ facts }) => facts.changes);
  const isComments =
    isModified &&
    units.length > 0 &&
    units.every(({ of }) => of === 'comment') &&
    !lines.some(({ text }) => directive.test(text));
  return isComments ? { kind: 'comments', ...shared } : null;
}

function isLaidOut({ facts: { changes, language }, diff }: ReadFile): boolean {
  const rules = rulesFor(language);
  if (!rules || changes.length === 0 || !changes.every((change) => isLayout(change, language))) return false;
  const hunks = readHunkLines(diff.hunks, commentSigns(language));
  return !hunks.some((hunk) => hasChangedString(hunk, rules));
}
