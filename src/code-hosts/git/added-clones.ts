import { lstat, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import { type CloneProblem, isRepositoryName } from '../../domain/repositories.ts';
import type { Clone, GitRunner } from '../git-runner/run-git.ts';
import {
  gitFolderOf,
  type PassedOver,
  type PrivateRepository,
  readPrivacy,
  whyPassedOver,
} from './find-clone.ts';
import { describeClone } from './own-clone.ts';

export interface AddedClone {
  id: string;
  owner: string;
  name: string;
  /** The git folder of an operator's clone; null for a mirror made by the service. */
  folder: string | null;
  /** The real path of the folder in GIT_ROOTS under which the clone was added; null if it was not stored. */
  root: string | null;
  defaultRef: string | null;
  /** The only user who may see the clone; null if all users may. */
  onlyFor: { host: string; hostUserId: number } | null;
}

export const mirrorFolder = (mirrors: string, id: string): string => join(mirrors, `${id}.git`);

/** Checked on each use, because the folder may have been moved or replaced by a link since it was added. */
export async function locateAdded(
  { id, owner, name, folder, root, defaultRef }: AddedClone,
  { roots, mirrors }: { roots: string[]; mirrors: string },
): Promise<{ clone: Clone; problem: CloneProblem | null }> {
  const gitFolder = folder ?? mirrorFolder((await realPathOf(mirrors)) ?? mirrors, id);
  const clone = { owner, name, gitFolder, ...(defaultRef !== null && { defaultRef }) };
  const isAllowed = folder === null || (root === null ? await rootOf(folder, roots) : isWithin(folder, root));
  return { clone, problem: isAllowed ? await cloneProblem(clone) : 'outsideRoots' };
}

async function cloneProblem(clone: Clone): Promise<CloneProblem | null> {
  const { gitFolder } = clone;
  const real = await realPathOf(gitFolder);
  if (real !== null && real !== gitFolder) return 'replaced';
  const found = await gitFolderOf(gitFolder);
  if (found === null) return 'missing';
  return found === gitFolder ? whyPassedOver(clone) : 'replaced';
}

const realPathOf = (path: string): Promise<string | null> => realpath(path).catch(() => null);

/** The real path of the first root that contains a real path. */
export async function rootOf(path: string, roots: string[]): Promise<string | null> {
  const real = await Promise.all(roots.map(realPathOf));
  return real.find((root) => root !== null && isWithin(path, root)) ?? null;
}

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

const mostOffered = { clones: 50, depth: 3, ms: 1_000 };

/** Searches level by level, so that a large folder hides no clone above it. Links are not followed. */
export async function findClonesIn(
  roots: string[],
  isWanted: (gitFolder: string) => Promise<boolean>,
): Promise<string[]> {
  const until = performance.now() + mostOffered.ms;
  const found: string[] = [];
  let level = (await Promise.all(roots.map(realPathOf))).filter((root) => root !== null);
  for (let depth = 0; depth <= mostOffered.depth; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if (found.length >= mostOffered.clones || performance.now() > until) return found;
      const gitFolder = await gitFolderOf(folder);
      if (gitFolder && (await isWanted(gitFolder))) found.push(folder);
      if (gitFolder) continue;
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      // A file `.git` marks a worktree or a submodule.
      if (entries.some(({ name }) => name === '.git')) continue;
      const below = entries.filter((one) => one.isDirectory() && !/^\.|^node_modules$/.test(one.name));
      next.push(...below.map(({ name }) => join(folder, name)).sort());
    }
    level = next;
  }
  return found;
}

interface ClonePath {
  path: string;
  fullName: string | null;
  identity: { host: string; hostUserId: number };
}

interface InspectOptions {
  git: GitRunner;
  roots: string[];
  /** The folder in GIT_REPOS and its private clones, which stay private under every name. */
  root: string;
  privateRepositories: PrivateRepository[];
}

/** Checks whether a path is a clone that may be shown. Nothing in it is executed. */
export async function inspectClone(
  { git, roots, root, privateRepositories }: InspectOptions,
  { path, fullName, identity }: ClonePath,
): Promise<{
  owner: string;
  name: string;
  clone: { folder: string; root: string; defaultRef: string | null };
}> {
  if (roots.length === 0)
    throw refusedPath(
      'This service does not accept paths. Set GIT_ROOTS to the folder that contains your clones.',
    );
  const outside = () =>
    refusedPath(
      `Paths are accepted only inside ${roots.join(', ')}. Move the clone there, or add its folder to GIT_ROOTS.`,
    );
  const named = resolve(path);
  // Checked before the disk is accessed, so that responses do not reveal what exists elsewhere.
  if (!roots.some((one) => isWithin(named, one)) && !(await rootOf(named, roots))) throw outside();
  const folder = await realPathOf(named);
  if (folder === null)
    throw refusedPath(
      `The folder ${path} does not exist, or this service cannot read it. Check the spelling.`,
    );
  const gitFolder = await gitFolderOf(folder);
  const within = await rootOf(gitFolder ?? folder, roots);
  if (within === null) throw outside();
  if (gitFolder === null) throw refusedPath(await whyNoClone(folder));
  if (gitFolder.includes(`${sep}.git${sep}`))
    throw refusedPath(
      'This is the git folder of a submodule. Clone the repository of the submodule separately, then paste the path of that clone.',
    );
  const unnamed = { owner: '', name: '', gitFolder };
  const reason = await whyPassedOver(unnamed);
  if (reason) throw refusedPath(whyRefused[reason]);
  const { owner, name, defaultRef, foreignFormat } = await describeClone(git, gitFolder, folder);
  if (foreignFormat)
    throw refusedPath(`This clone has ${foreignFormat}, which Pullquote does not support yet.`);
  const clone = { folder: gitFolder, root: within, defaultRef: defaultRef ?? null };
  const found = { ...cloneNameFor(fullName, owner && name ? { owner, name } : folderName(folder)), clone };
  const viewers = await readPrivacy(root, privateRepositories)({ ...unnamed, ...found });
  const isListed = viewers === null || (identity.host === 'git' && viewers.has(identity.hostUserId));
  if (!isListed) throw refusedPath('GIT_PRIVATE does not list you for this clone. Ask your administrator.');
  return found;
}

async function whyNoClone(folder: string): Promise<string> {
  const inside = await lstat(join(folder, '.git')).catch(() => null);
  return inside?.isFile()
    ? 'This is a worktree or a submodule: its .git is a file that points elsewhere. Paste the path of the repository itself.'
    : `${folder} is not a git repository. Paste the folder that contains .git, or that of a mirror.`;
}

const whyRefused: Record<PassedOver, string> = {
  borrows:
    'This clone borrows objects from another one (git clone --shared or --reference), which may be private. In it, run git repack -ad and remove .git/objects/info/alternates, then add it again.',
  leadsOutside:
    'This clone has symbolic links in its refs or objects that point outside it, or pipes. Clone it again with git clone, then add the new clone.',
  unreadable:
    'This service cannot read all of this clone. Give read access to the user that runs the service.',
};

/** A clone whose remote has no owner and name is called like its last two folders. */
function folderName(folder: string): { owner: string; name: string } {
  const [owner = '', name = ''] = folder.split(sep).slice(-2);
  return { owner, name: name.replace(/\.git$/, '') };
}

export function cloneNameFor(
  fullName: string | null,
  found: { owner: string; name: string },
): { owner: string; name: string } {
  const [owner = '', name = '', ...more] = fullName?.split('/') ?? [
    found.owner.split('/').at(-1),
    found.name,
  ];
  if (more.length === 0 && isRepositoryName(owner) && isRepositoryName(name)) return { owner, name };
  const message =
    fullName === null
      ? 'The URL or folder does not contain a repository name. Enter a name such as acme/rocket.'
      : 'The name must be an owner and a repository, such as acme/rocket, with only letters, digits, dots, hyphens and underscores.';
  throw new Failure('INVALID_REQUEST', message, { details: [{ field: 'name', problem: message }] });
}

export const refusedPath = (message: string): Failure =>
  new Failure('INVALID_REQUEST', message, { details: [{ field: 'location', problem: message }] });
