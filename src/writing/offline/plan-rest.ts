import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { vendoredDirectories } from '../../reading/well-known-files.ts';
import { lockedVersions } from './locked-versions.ts';
import { type PlannedChange, type Told, tell } from './outline.ts';
import { dependenciesNamed, extentOf, pathsOf, placesOf } from './plan-company.ts';
import { binary, type Context, counts, firstChange } from './plan-file.ts';
import type { FileEvent, Statement } from './statements.ts';

export const unread = ['generated', 'vendored', 'binary'] as const;

/** Files of which only imports change. */
export const importChanges = (files: FileFacts[]): PlannedChange[] =>
  files.length === 0
    ? []
    : [changeOf(files, [tell({ say: 'importsOnly', paths: pathsOf(files) }, placesOf(files))])];

const eventOf = ({ status, additions, deletions }: FileFacts): FileEvent => {
  if (status === 'added' || status === 'removed') return status;
  return status === 'renamed' && additions + deletions === 0 ? 'moved' : 'edited';
};

/** Whether a file has another name and the same lines. */
export const isMoved = (file: FileFacts): boolean => eventOf(file) === 'moved';

/** What is left: what came, went or moved as a whole is not merely edited. */
export function restChanges(files: FileFacts[], context: Context): PlannedChange[] {
  // What was taken out of another file, or put into one, is told with that.
  const groups = Map.groupBy(files, (file) => `${eventOf(file)} ${context.originOf(file) ?? ''}`);
  return [...groups.values()].flatMap((same) => {
    const [one] = same;
    if (!one) return [];
    const [event, other] = [eventOf(one), context.originOf(one)];
    const extent = extentOf(same);
    if (event === 'edited') return [changeOf(same, [tell({ say: 'smaller', ...extent }, placesOf(same))])];
    const [only, ...others] = same;
    if (only && others.length === 0) return [changeOf(same, [counts(only)])];
    const lines = extent.additions + extent.deletions;
    const statement: Statement = { say: 'manyFiles', status: event, paths: extent.paths, lines, other };
    return [changeOf(same, [tell(statement, placesWith(same, other, context))])];
  });
}

/** Where files are seen, and the one that their lines stood in, or stand in now. */
export function placesWith(files: FileFacts[], other: string | null, { diffOf }: Context): Evidence[] {
  const place = other === null ? null : firstChange(diffOf(other));
  return [...placesOf(files), ...(place ? [place] : [])];
}

/** A lock file follows its manifest; by itself it is worth a sentence. */
export function lockChanges(locks: FileFacts[], all: FileFacts[], { diffOf }: Context): PlannedChange[] {
  const hasManifest = all.some(({ kind, dependencies }) => kind === 'manifest' || dependencies.length > 0);
  if (locks.length === 0 || hasManifest) return [];
  const versions = locks.flatMap(({ path }) => lockedVersions(diffOf(path))).slice(0, dependenciesNamed);
  const told =
    versions.length > 0
      ? tell(
          { say: 'dependencies', change: 'changed', changes: versions },
          versions.map(({ evidence }) => evidence),
        )
      : tell({ say: 'lockOnly', ...extentOf(locks) }, placesOf(locks));
  return [changeOf(locks, [told])];
}

export function unreadChanges(
  files: FileFacts[],
  kind: (typeof unread)[number],
  { diffOf }: Context,
): PlannedChange[] {
  // Of what is binary, no line says whether it changes.
  const eventIn = (file: FileFacts): FileEvent => {
    const event = eventOf(file);
    return event === 'moved' && diffOf(file.path)?.isBinary ? 'edited' : event;
  };
  return [...Map.groupBy(files, eventIn)].map(([event, same]) =>
    changeOf(same, [tell(unreadStatement(same, kind, event), placesOf(same))]),
  );
}

function unreadStatement(files: FileFacts[], kind: (typeof unread)[number], event: FileEvent): Statement {
  const [first, ...others] = files;
  const folder = kind === 'vendored' ? vendoredFolderOf(files) : null;
  const whole: Statement = { say: 'unread', kind, event, folder, ...extentOf(files) };
  if (!first || others.length > 0) return whole;
  const { path, previousPath: from } = first;
  if (kind === 'binary' && first.status === 'renamed' && from !== null)
    return { say: 'movedFile', path, from, isEdited: event === 'edited' };
  if (kind === 'binary') return binary(first);
  return first.isSubmodule ? { say: 'submodule', path } : whole;
}

function vendoredFolderOf(files: FileFacts[]): string | null {
  const folders = files.map(({ path }) =>
    path
      .split('/')
      .slice(0, -1)
      .find((folder) => vendoredDirectories.has(folder.toLowerCase())),
  );
  const [first] = folders;
  return first !== undefined && folders.every((folder) => folder === first) ? first : null;
}

/** What is told of some files, under the first of them. */
export function changeOf(files: FileFacts[], told: Told[]): PlannedChange {
  const [first] = files;
  if (!first) throw new Error('Something is told of at least one file.');
  const changeTypes = [...new Set(files.map(({ changeType }) => changeType))];
  return { fileName: first.path, changeTypes, told, fallback: null };
}
