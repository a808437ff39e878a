import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isRepositoryName } from '../../domain/repository-name.ts';
import { type Clone, type GitRunner, runGit } from '../git-runner/run-git.ts';
import { gitFolderOf } from './find-clone.ts';

/** The repository that somebody stands in. */
export interface OwnClone extends Clone {
  /** The folder whose HEAD says what is checked out: a worktree has one of its own. */
  headFolder: string;
  /** Where its files are checked out, unless it is bare. */
  root: string;
  /** Whether nothing is checked out of it: its HEAD then says which branch is the default one. */
  isBare: boolean;
  /** The way in which it is stored, where that is not one which is read here. */
  foreignFormat: string | null;
  /** The address of its remote repository, with any password in it; null where it has none. */
  origin: string | null;
}

/** The repository that a folder lies in, whether it is a clone, a worktree or a mirror; null outside of one. */
export async function findOwnClone(git: GitRunner, folder: string): Promise<OwnClone | null> {
  for (let at = await realpath(folder); ; at = dirname(at)) {
    const gitFolder = await gitFolderOf(at);
    const found = gitFolder ? { gitFolder, headFolder: gitFolder, isLinked: false } : await followLink(at);
    if (found) return describe(git, found, at);
    if (dirname(at) === at) return null;
  }
}

/** What a worktree or a submodule has in the place of a git folder leads to it: its owner has put it there. */
async function followLink(folder: string) {
  const linked = await readOr(join(folder, '.git'));
  const target = linked === null ? undefined : /^gitdir: (.+?)\s*$/.exec(linked)?.[1];
  if (target === undefined) return null;
  const headFolder = resolve(folder, target);
  const shared = (await readOr(join(headFolder, 'commondir')))?.trim();
  const gitFolder = await gitFolderOf(shared === undefined ? headFolder : resolve(headFolder, shared));
  return gitFolder && { gitFolder, headFolder, isLinked: true };
}

const readOr = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

async function describe(
  git: GitRunner,
  { isLinked, ...folders }: { gitFolder: string; headFolder: string; isLinked: boolean },
  root: string,
): Promise<OwnClone> {
  const unnamed = { ...nameOfClone(null, root), root, ...folders };
  const settings = await readSettings(git, unnamed);
  const origin = settings.get('remote.origin.url') || null;
  // A worktree has files, also where it belongs to a bare clone.
  const isBare = !isLinked && (settings.get('core.bare') ?? String(folders.gitFolder === root)) === 'true';
  const isPartial = [...settings].some(([key, value]) => promises.test(key) && value !== 'false');
  const foreignFormat = foreignOf(settings);
  const clone = { ...unnamed, ...nameOfClone(origin, root), origin, isBare, isPartial, foreignFormat };
  const defaultRef = isBare || foreignFormat ? null : await findDefaultRef(git, clone);
  return defaultRef === null ? clone : { ...clone, defaultRef };
}

/** Named so, git reads the clone's own file and none that it includes, and nothing in it has an effect. */
async function readSettings(git: GitRunner, clone: Clone): Promise<Map<string, string>> {
  const file = join(clone.gitFolder, 'config');
  if ((await readOr(file)) === null) return new Map();
  const options = ['--file', file, '--no-includes', '--null', '--get-regexp'];
  const printed = await runGit(git, clone, ['config', ...options, wantedSettings], { nothingCode: 1 });
  return new Map(
    printed.split('\0').map((entry) => {
      const [key = '', ...value] = entry.split('\n');
      // A key alone says yes.
      return [key, value.length > 0 ? value.join('\n').trim() : 'true'];
    }),
  );
}

const wantedSettings =
  '^(remote\\.origin\\.url|core\\.bare|extensions\\.(objectformat|refstorage|partialclone)|remote\\..*\\.promisor)$';

const promises = /^(?:extensions\.partialclone|remote\..*\.promisor)$/s;

/** Git is shown a folder of ours, which has the formats that every git knows. */
function foreignOf(settings: Map<string, string>): string | null {
  if ((settings.get('extensions.objectformat') ?? 'sha1') !== 'sha1') return 'ids of SHA-256';
  return (settings.get('extensions.refstorage') ?? 'files') !== 'files' ? 'branches in a reftable' : null;
}

/** What others have is newer than what somebody has last merged of it. */
const branches = ['HEAD', 'main', 'master']
  .map((name) => `refs/remotes/origin/${name}`)
  .concat('refs/heads/main', 'refs/heads/master');

/** What branches of a working copy are held against. */
async function findDefaultRef(git: GitRunner, clone: Clone): Promise<string | null> {
  const printed = await runGit(git, clone, ['for-each-ref', '--format=%(refname)', ...branches]);
  const found = new Set(printed.split('\n'));
  return branches.find((ref) => found.has(ref)) ?? null;
}

/**
 * What a clone is called, by the path of its remote repository, else by its folders. Strangers can have chosen both: an address
 * may hold a password, and a folder may be called anything. Only what can name a repository is passed on, and the rest is empty.
 */
export function nameOfClone(origin: string | null, root: string): { owner: string; name: string } {
  const ofRemote = nameIn(pathIn(origin ?? ''));
  return ofRemote.name ? ofRemote : nameIn(lastTwo(root));
}

/** On a host, groups lie in groups; in a file system, only the last folder is an owner. */
function pathIn(address: string): string[] {
  if (/^[\w+.-]+:\/\//.test(address)) {
    const url = URL.parse(address);
    return url?.protocol === 'file:' ? lastTwo(url.pathname) : partsOf(url?.pathname ?? '');
  }
  const [, path] = /^(?:[^/]*@)?(?:\[[^\]/]+\]|[^/:@]+):(.+)$/s.exec(address) ?? [];
  return path === undefined ? lastTwo(address) : partsOf(path);
}

const partsOf = (path: string): string[] => path.split('/').filter(Boolean);

const lastTwo = (path: string): string[] => partsOf(path).slice(-2);

function nameIn(parts: string[]): { owner: string; name: string } {
  const name = parts.at(-1)?.replace(/\.git$/, '') ?? '';
  if (!isRepositoryName(name)) return { owner: '', name: '' };
  const groups = parts.slice(0, -1);
  return { owner: groups.every(isRepositoryName) ? groups.join('/') : '', name };
}
