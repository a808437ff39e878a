import { createHash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type CloneProblem, isRepositoryName } from '../../domain/repositories.ts';
import type { Clone } from '../git-runner/run-git.ts';

export type PassedOver = Extract<CloneProblem, 'borrows' | 'leadsOutside' | 'unreadable'>;

/**
 * Finds `owner/name` or `owner/name.git` in any case. If several match, it always returns the same one, because they
 * share an id.
 */
export async function findClone(
  root: string,
  owner: string,
  name: string,
  onPassedOver?: (clone: Clone, reason: PassedOver) => void,
): Promise<Clone | null> {
  for await (const clone of clonesNamed(root, owner, name)) {
    const reason = await whyPassedOver(clone);
    if (!reason) return clone;
    onPassedOver?.(clone, reason);
  }
  return null;
}

export async function* listClones(root: string): AsyncGenerator<Clone> {
  for (const owner of (await entries(root)).filter(isRepositoryName)) {
    for await (const clone of clonesOf(root, owner)) if (!(await whyPassedOver(clone))) yield clone;
  }
}

async function* clonesNamed(root: string, owner: string, name: string): AsyncGenerator<Clone> {
  if (!isRepositoryName(owner) || !isRepositoryName(name)) return;
  for (const folder of (await entries(root)).filter((candidate) => isSameName(candidate, owner)))
    yield* clonesOf(root, folder, name);
}

async function* clonesOf(root: string, owner: string, wanted?: string): AsyncGenerator<Clone> {
  for (const folder of await entries(join(root, owner))) {
    const name = folder.replace(/\.git$/, '');
    if (!(wanted === undefined ? isRepositoryName(name) : isSameName(name, wanted))) continue;
    const gitFolder = await gitFolderOf(join(root, owner, folder));
    if (gitFolder) yield { owner, name, gitFolder };
  }
}

async function entries(folder: string): Promise<string[]> {
  return ((await unlessMissing(readdir(folder))) ?? []).sort();
}

const isSameName = (found: string, wanted: string): boolean => found.toLowerCase() === wanted.toLowerCase();

/** A clone contains its git folder, and a mirror is one. A `.git` file may point anywhere and is not followed. */
export async function gitFolderOf(folder: string): Promise<string | null> {
  for (const candidate of [join(folder, '.git'), folder]) {
    const gitFolder = await unlessMissing(realpath(candidate));
    if (gitFolder && (await unlessMissing(isGitFolder(gitFolder)))) return gitFolder;
  }
  return null;
}

async function isGitFolder(folder: string): Promise<boolean> {
  const [head, objects, refs] = await Promise.all([
    lstat(join(folder, 'HEAD')),
    lstat(join(folder, 'objects')),
    lstat(join(folder, 'refs')),
  ]);
  return head.isFile() && objects.isDirectory() && refs.isDirectory();
}

/** Clones that borrow or link to objects are skipped, because those may belong to a private repository. */
export async function whyPassedOver(clone: Clone): Promise<PassedOver | null> {
  const alternates = join(clone.gitFolder, 'objects', 'info', 'alternates');
  if ((await unlessMissing(lstat(alternates))) !== null) return 'borrows';
  const leads = await unlessMissing(leadsOutside(clone.gitFolder));
  if (leads === null) return 'unreadable';
  return leads ? 'leadsOutside' : null;
}

/** Null if it is missing or inaccessible. Other errors, such as of an overloaded system, must not look like that. */
async function unlessMissing<Found>(looking: Promise<Found>): Promise<Found | null> {
  try {
    return await looking;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'ELOOP') return null;
    throw error;
  }
}

const readByGit = new Set(['HEAD', 'objects', 'packed-refs', 'refs', 'shallow']);

/** Other requests wait at most this long; a packed clone takes a tenth of it. */
const sliceMs = 1;

/**
 * Whether anything that git reads of a clone is a link out of it, where a private repository may be, or a pipe or
 * device that would block git. Everything is checked each time, because the time of a folder does not show changes
 * below it, and without the thread pool, which would take five times as long. The result holds for the refs read next;
 * later reads use the commit ids found there.
 */
async function leadsOutside(gitFolder: string): Promise<boolean> {
  const folders = new Set([gitFolder]);
  let sliceEnd = performance.now() + sliceMs;
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      if (folder === gitFolder && !readByGit.has(entry.name)) continue;
      if (entry.isFile()) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.add(path);
      else {
        const target = entry.isSymbolicLink() ? targetWithin(gitFolder, path) : null;
        if (!target) return true;
        if (target.isFolder) folders.add(target.path);
      }
    }
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + sliceMs;
    }
  }
  return false;
}

/** Git may remove a folder meanwhile, as when packing; then it contains no links. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Null for a target outside of the clone, and for a missing one, which may appear anywhere later. */
function targetWithin(gitFolder: string, link: string): { path: string; isFolder: boolean } | null {
  try {
    const path = realpathSync(link);
    const kind = lstatSync(path);
    const isInside = path.startsWith(gitFolder + sep) && (kind.isFile() || kind.isDirectory());
    return isInside ? { path, isFolder: kind.isDirectory() } : null;
  } catch {
    return null;
  }
}

export interface PrivateRepository {
  fullName: string;
  visibleTo: string[];
}

/** The ids of the users who may see a clone; null if it is public. A link to a private clone is private too. */
export const readPrivacy =
  (root: string, privateRepositories: PrivateRepository[]) =>
  async (clone: Clone, isMissing = false): Promise<Set<number> | null> => {
    const about = await Promise.all(privateRepositories.map((entry) => isClonePrivate(root, entry, clone)));
    // If a private clone is missing as well, it may be the same one under another name.
    if (isMissing && about.includes('unknown')) return new Set();
    const entries = privateRepositories.filter((_, index) => about[index] === true);
    if (entries.length === 0) return null;
    return new Set(entries.flatMap(({ visibleTo }) => visibleTo.map(localId)));
  };

/** Returns `unknown` if the private clone is not found. */
async function isClonePrivate(
  root: string,
  { fullName }: PrivateRepository,
  clone: Clone,
): Promise<boolean | 'unknown'> {
  if (fullName.toLowerCase() === `${clone.owner}/${clone.name}`.toLowerCase()) return true;
  const [owner = '', name = ''] = fullName.split('/');
  let isFound = false;
  for await (const { gitFolder } of clonesNamed(root, owner, name)) {
    if (gitFolder === clone.gitFolder) return true;
    isFound = true;
  }
  return isFound ? false : 'unknown';
}

/** Clones have no ids, so their id is 53 bits of SHA-256 of the lower-cased name. */
export function localId(name: string): number {
  const digest = createHash('sha256').update(name.toLowerCase()).digest();
  return Number(digest.readBigUInt64BE(0) >> 11n);
}
