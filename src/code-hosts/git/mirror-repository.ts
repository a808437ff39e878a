import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import { nameHiddenInLine } from '../../domain/text.ts';
import type { TemporaryFolders } from '../fetched/fetch-by-git.ts';
import {
  environmentOf,
  type GitNetwork,
  groupMemoryBytes,
  isOutOfMemory,
  withDiskQuota,
} from '../fetched/run-network-git.ts';
import type { GitSpawner } from '../git-runner/git-spawner.ts';
import { isTooOldToFetch, oldestToFetch } from '../git-runner/run-git.ts';
import { cloneNameFor, mirrorFolder, refusedPath } from './added-clones.ts';

/** A host that repositories may be mirrored from: its name, with the port unless it is 443. */
export interface MirrorHost {
  host: string;
  mayBePrivate: boolean;
}

export interface MirrorOptions {
  searchPath: string;
  spawner: GitSpawner;
  mirrors: string;
  unfinished: TemporaryFolders;
  isAllowed: boolean;
  hosts: MirrorHost[];
  mostBytes: number;
  networkForGit: (rules: { origin: string; mayBePrivate: boolean }) => Promise<GitNetwork>;
}

const longestMs = 2 * 60 * 60 * 1000;

export function readMirrorAddress(
  { isAllowed, hosts }: Pick<MirrorOptions, 'isAllowed' | 'hosts'>,
  location: string,
  fullName: string | null,
): { owner: string; name: string; clone: { address: string } } {
  if (!isAllowed)
    throw refusedPath(
      'This service does not mirror repositories: set GIT_CLONE=true, or clone the repository on the server and paste the path of the clone.',
    );
  const hasScheme = /^[a-z][a-z\d+.-]*:/i.test(location) && !/^[\w.-]+:\d+\//.test(location);
  const url = URL.parse(hasScheme ? location : `https://${location}`);
  // Git also accepts "name@host:path" and "ext::command", which are not URLs.
  if (url?.protocol !== 'https:' || !/^[\x21-\x7e]+$/.test(location) || location.includes('::'))
    throw refusedPath('Enter an https URL, such as https://github.com/acme/rocket, or the path of a clone.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refusedPath('Paste the plain URL, without a user name, password, ? or #.');
  if (!hosts.some(({ host }) => host === url.host))
    throw refusedPath(
      `Repositories are mirrored only from ${hosts.map(({ host }) => host).join(', ')}. Add ${url.host} to GIT_CLONE_HOSTS to allow it.`,
    );
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '');
  const [name = '', owner = ''] = path.split('/').filter(Boolean).toReversed();
  return { ...cloneNameFor(fullName, { owner, name }), clone: { address: `${url.origin}${path}.git` } };
}

interface MirrorSignals {
  signal: AbortSignal;
  onProgress: (done: number) => void;
}

/** Fetches a mirror into a draft folder and moves it into place once it is complete. */
export async function makeMirror(
  options: MirrorOptions,
  { id, address }: { id: string; address: string },
  { signal, onProgress }: MirrorSignals,
): Promise<void> {
  const folder = await options.unfinished.make();
  try {
    const gitFolder = join(folder, 'mirror.git');
    await mkdir(gitFolder);
    const run = openRunner(options, { gitFolder, address, signal });
    const version = await run(['version']);
    if (isTooOldToFetch(version))
      throw new Failure(
        'HOST_ERROR',
        `Mirroring needs git ${oldestToFetch} or newer. Update git on the server.`,
      );
    await run(['init', '--quiet', '--bare', '--template=']);
    const head = await findHead(run, address);
    await run([...fetchAll, '--progress', address, allRefs], onProgress);
    await run(['symbolic-ref', 'HEAD', head]);
    await run(['config', 'remote.origin.url', address]);
    await rm(join(gitFolder, 'trusted.pem'), { force: true });
    signal.throwIfAborted();
    const finished = mirrorFolder(options.mirrors, id);
    // The finished folder may be left by a process that was killed before it could end its job.
    await rm(finished, { recursive: true, force: true });
    await rename(gitFolder, finished);
  } finally {
    await options.unfinished.remove(folder);
  }
}

/**
 * Fetches new objects and then updates all refs in one transaction, so that a failure changes none. Must not run twice
 * at once.
 */
export async function refreshMirror(
  options: MirrorOptions,
  { id, address }: { id: string; address: string },
  signal: AbortSignal,
): Promise<void> {
  const gitFolder = mirrorFolder(options.mirrors, id);
  // After a backup is restored, the list exists but no mirrors.
  if (!existsSync(gitFolder)) return makeMirror(options, { id, address }, { signal, onProgress: () => {} });
  await removeLeftovers(gitFolder);
  const run = openRunner(options, { gitFolder, address, signal });
  const fetchNew = (more: string[]) => run([...fetchAll, '--quiet', '--prune', ...more, address, allRefs]);
  try {
    const head = await findHead(run, address);
    // Older versions did not store where a mirror comes from.
    await run(['config', 'remote.origin.url', address]);
    if ((await run(['symbolic-ref', 'HEAD'])).trim() !== head) {
      // The former default branch may be gone upstream, but HEAD must lead to a commit at all times.
      if ((await run(['for-each-ref', head])) === '') await run(['update-ref', head, 'HEAD']);
      await run(['symbolic-ref', 'HEAD', head]);
    }
    await fetchNew(['--atomic']).catch(async (error: unknown) => {
      // One transaction cannot replace a branch "a" by "a/b". All objects have been fetched by then.
      if (!isRefConflict(error)) throw error;
      await fetchNew([]);
    });
    // Packing needs the space twice, because git writes all objects again before it removes the old ones. Refs and
    // objects stay readable meanwhile, and if packing fails.
    const packing = openRunner(
      { ...options, mostBytes: 2 * options.mostBytes },
      { gitFolder, address, signal },
    );
    await packing(['-c', 'gc.auto=6700', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet']).catch(
      () => {},
    );
  } finally {
    await rm(join(gitFolder, 'trusted.pem'), { force: true });
  }
}

/** Git never removes the locks of a process that was killed. */
async function removeLeftovers(gitFolder: string): Promise<void> {
  for (const name of await readdir(gitFolder, { recursive: true }))
    if (/^objects\/(?:.+\/)?tmp_[^/]*$|\.lock$/.test(name))
      await rm(join(gitFolder, name), { recursive: true, force: true });
}

const isRefConflict = (error: unknown): boolean =>
  error instanceof Failure && error.cause instanceof Error && error.cause.message.includes('cannot lock ref');

async function findHead(run: (parameters: string[]) => Promise<string>, address: string): Promise<string> {
  const printed = await run(['ls-remote', '--symref', address, 'HEAD']);
  const [, head] = /^ref: (refs\/heads\/[^\s\p{Cc}]+)\tHEAD$/mu.exec(printed) ?? [];
  if (head) return head;
  throw new Failure(
    'UNREADABLE',
    `${address} is not a git repository or has no commits yet. Check the URL, or add the repository once it has commits.`,
  );
}

const allRefs = '+refs/*:refs/*';

const fetchAll = [
  'fetch',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
];

function openRunner(
  { searchPath, spawner, hosts, mostBytes, networkForGit }: MirrorOptions,
  { gitFolder, address, signal }: { gitFolder: string; address: string; signal: AbortSignal },
) {
  const { origin, host } = new URL(address);
  // The setting may have changed since the URL was accepted.
  const allowed = hosts.find((one) => one.host === host);
  const network = () => {
    if (!allowed)
      throw refusedPath(`Mirroring from ${host} is no longer allowed: GIT_CLONE_HOSTS does not list it.`);
    return networkForGit({ origin, mayBePrivate: allowed.mayBePrivate });
  };
  return async (parameters: string[], onProgress?: (done: number) => void): Promise<string> => {
    const environment = await environmentOf(
      { searchPath, web: origin, gitUser: '', network },
      gitFolder,
      null,
    );
    const command = {
      parameters,
      cwd: gitFolder,
      environment,
      input: '',
      groupMemoryBytes,
      showsProgress: onProgress !== undefined,
    };
    const printed: string[] = [];
    const fill = async (noRoom: AbortSignal) => {
      const shares = [{ of: 'mirror', most: 2 }];
      const running = spawner.run(command, {
        timeoutMs: longestMs,
        shares,
        signal: AbortSignal.any([signal, noRoom]),
      });
      for (;;) {
        const { done, value } = await running.next();
        if (done) return value;
        if (onProgress) readProgress(value.toString(), onProgress);
        else printed.push(value.toString());
      }
    };
    const filled = await withDiskQuota(gitFolder, { mostBytes }, fill);
    signal.throwIfAborted();
    if ('exceeded' in filled) throw filled.exceeded === 'disk' ? diskFull() : mirrorTooLarge(mostBytes);
    if (filled.done.code === 0) return printed.join('');
    throw whyNotMirrored(address, filled.done);
  };
}

/** Receiving is most of the work, the rest happens locally. Messages of the server begin with "remote:". */
function readProgress(printed: string, onProgress: (done: number) => void): void {
  for (const line of printed.split(/[\r\n]+/)) {
    const [, step, percent] = /^(Receiving objects|Resolving deltas): +(\d+)%/.exec(line) ?? [];
    if (step)
      onProgress(
        step === 'Receiving objects'
          ? Math.floor(Number(percent) * 0.8)
          : 80 + Math.floor(Number(percent) * 0.19),
      );
  }
}

const diskFull = (): Failure =>
  new Failure(
    'STORAGE_FULL',
    'The server does not have enough disk space for this repository. Free some, then try again.',
  );

const mirrorTooLarge = (mostBytes: number): Failure =>
  new Failure(
    'PAYLOAD_TOO_LARGE',
    `This repository is larger than the limit of ${Math.round(mostBytes / 1024 / 1024)} MiB for mirrors. Raise GIT_CLONE_MIB, or clone it on the server and paste the path of the clone.`,
  );

const mostOfReason = 300;

function whyNotMirrored(
  address: string,
  { code, signal, complaint }: { code: number | null; signal: string | null; complaint: string },
): Failure {
  const options = { cause: new Error(`git ended with ${code ?? signal}: ${complaint}`) };
  if (signal === 'SIGKILL')
    return new Failure('HOST_TIMEOUT', `Mirroring ${address} took too long. Try again later.`, options);
  if (code === null)
    return new Failure('HOST_ERROR', 'git cannot be run. Install git on the server.', options);
  if (isOutOfMemory(complaint))
    return new Failure(
      'PAYLOAD_TOO_LARGE',
      `Mirroring ${address} takes git more than ${groupMemoryBytes / 1024 / 1024} MiB of memory. Clone it on the server and paste the path of the clone.`,
      options,
    );
  if (/error: 3\d\d/.test(complaint))
    return new Failure('INVALID_REQUEST', `${address} redirects to another URL. Paste that URL.`, options);
  if (/could not read Username|Authentication failed|error: 40[134]|not found/i.test(complaint))
    return new Failure(
      'REPOSITORY_NOT_FOUND',
      `There is no public repository at ${address}. Check the spelling. If it is private, clone it on the server and paste the path of the clone.`,
      options,
    );
  const reason = nameHiddenInLine(complaint.trim().split('\n').at(-1) ?? '').slice(0, mostOfReason);
  return new Failure(
    'HOST_ERROR',
    `${address} could not be fetched. Check the URL, or try again later. git says: ${reason}`,
    options,
  );
}

/** Removes mirrors that are on no list, such as those of processes that were killed. */
export async function removeUnlisted(mirrors: string, listIds: () => Promise<string[]>): Promise<void> {
  const found = (await readdir(mirrors).catch(() => [])).filter((name) => name.endsWith('.git'));
  if (found.length === 0) return;
  // The list is read after the folders, because a mirror is listed before its folder is made.
  const listed = new Set((await listIds()).map((id) => `${id}.git`));
  for (const name of found.filter((one) => !listed.has(one)))
    await rm(join(mirrors, name), { recursive: true, force: true });
}
