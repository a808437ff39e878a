import { detachText } from '../domain/text.ts';
import type { DependencyChange, FileFacts } from './facts.ts';
import type { FileDiff } from './file-diff.ts';
import { pathParts } from './file-places.ts';
import { type SideLine, sidesOf } from './hunk-lines.ts';

interface Locked {
  name: string;
  version: string;
  line: SideLine;
}

type Reader = (lines: SideLine[]) => Locked[];

/** Reads formats in which a line names a package, and the first version below it belongs to that package. */
const namedAbove =
  (name: RegExp, version: RegExp): Reader =>
  (lines) => {
    const found: Locked[] = [];
    let current: string | null = null;
    for (const line of lines) {
      const [, named] = name.exec(line.text) ?? [];
      if (named !== undefined) current = named;
      const [, versioned] = version.exec(line.text) ?? [];
      if (versioned === undefined || current === null) continue;
      found.push({ name: current, version: versioned, line });
      current = null;
    }
    return found;
  };

const namedOnOneLine =
  (pattern: RegExp): Reader =>
  (lines) =>
    lines.flatMap((line) => {
      const [, name, version] = pattern.exec(line.text) ?? [];
      return name && version ? [{ name, version, line }] : [];
    });

const toml = namedAbove(/^name = "([^"]{1,200})"/, /^version = "([^"]{1,80})"/);
const npm = namedAbove(
  /^\s*"(?:[^"]{0,300}node_modules\/)?((?:@[\w.~-]+\/)?[\w.~-]+)": \{$/,
  /^\s*"version": "([^"]{1,80})"/,
);

const readers: Record<string, Reader> = {
  'package-lock.json': npm,
  'npm-shrinkwrap.json': npm,
  'yarn.lock': namedAbove(
    /^"?((?:@[\w.~-]+\/)?[\w.~-]+)@[^:]{1,80}.*:$/,
    /^ {2}version:? "?([^"\s]{1,80})"?$/,
  ),
  'pnpm-lock.yaml': namedOnOneLine(/^ {2}'?\/?((?:@[\w.~-]+\/)?[\w.~-]+)[@/](\d[^:('_\s]{0,79})[^:]*:/),
  'cargo.lock': toml,
  'uv.lock': toml,
  'poetry.lock': toml,
  'go.sum': namedOnOneLine(/^(\S{1,200}) (v[^\s/]{1,80}) h1:/),
  'gemfile.lock': namedOnOneLine(/^ {4}([\w.-]{1,100}) \(([^()\s]{1,80})\)$/),
  'composer.lock': namedAbove(/^\s*"name": "([\w.-]+\/[\w.-]+)",/, /^\s*"version": "([^"]{1,80})"/),
};

/** Whether the versions of a lock file are known: its format is supported, and its lines are in the diff. */
export const isReadLock = ({ path, place }: Pick<FileFacts, 'path' | 'place'>): boolean =>
  place !== null && isKnownLock(path);

const isKnownLock = (path: string): boolean => Object.hasOwn(readers, pathParts(path).name);

/** The versions that the hunks of a lock file pin for the first time. */
export function lockedIn(file: FileDiff): Pick<DependencyChange, 'name' | 'from' | 'to'>[] {
  const read = readers[pathParts(file.path).name];
  if (!read || !isKnownLock(file.path)) return [];
  const [gone, come] = (['old', 'new'] as const).map((side) =>
    versionsByName(file.hunks.flatMap((hunk) => read(sidesOf(hunk)[side]))),
  ) as [Versions, Versions];
  return [...new Set([...gone.keys(), ...come.keys()])].flatMap((name) => {
    const [had, has] = [gone.get(name) ?? [], come.get(name) ?? []];
    const [from, to] = [had.filter((one) => !has.includes(one)), has.filter((one) => !had.includes(one))];
    const turns = Math.max(from.length, to.length);
    return Array.from({ length: turns }, (_, at) => ({ name, from: from[at] ?? null, to: to[at] ?? null }));
  });
}

type Versions = Map<string, string[]>;

/** Unchanged lines count, because a second version of a package may be added. */
function versionsByName(locked: Locked[]): Versions {
  const versions: Versions = new Map();
  for (const { name, version } of locked) {
    const known = versions.get(name) ?? [];
    if (!known.includes(version)) versions.set(name, [...known, detachText(version)]);
  }
  return versions;
}

export interface DependencyTable {
  items: {
    name: string;
    from: string | null;
    to: string | null;
    direct: boolean;
    fileName: string;
    development?: true;
  }[];
  total: number;
}

const mostListed = 200;

/** `==1.2` in requirements of Python means the version 1.2. */
const bareVersion = (version: string | null): string | null => version?.replace(/^==?\s*/, '') ?? null;

/** Dependencies with a new version: those of manifests first, then those that only lock files pin. */
export function dependencyTable(files: FileFacts[], diff: FileDiff[]): DependencyTable | null {
  const direct = files.flatMap(({ path, dependencies }) =>
    dependencies
      .filter(({ change }) => change !== 'moved')
      .map(({ name, from, to, isForDevelopment }) => ({
        name,
        from: bareVersion(from),
        to: bareVersion(to),
        direct: true,
        fileName: path,
        ...(isForDevelopment && { development: true as const }),
      })),
  );
  const named = new Set(direct.map(({ name }) => name));
  const locks = new Set(files.flatMap(({ path, kind }) => (kind === 'lock' ? path : [])));
  const locked = diff
    .filter(({ path }) => locks.has(path))
    .flatMap((file) => lockedIn(file).map((one) => ({ ...one, direct: false, fileName: file.path })))
    .filter(({ name }) => !named.has(name));
  const keyOf = ({ name, from, to }: DependencyTable['items'][number]): string =>
    JSON.stringify([name, from, to]);
  const all = [
    ...new Map([...direct, ...locked].toReversed().map((one) => [keyOf(one), one])).values(),
  ].toReversed();
  return all.length === 0 ? null : { items: all.slice(0, mostListed), total: all.length };
}
