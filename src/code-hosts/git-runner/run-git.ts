import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import { type Client, currentClient, type Share } from '../../domain/semaphore.ts';
import { abortedRead, type GitSpawner } from './git-spawner.ts';
import { type Asked, NoAnswer } from './kept-gits.ts';

/** Where git was found, and where it may keep the folders that it is shown instead of the clones' own. */
export interface GitPaths {
  path: string;
  isolatedFolders: string;
}

export interface GitRunner extends GitPaths {
  spawner: GitSpawner;
  /** Aborted when the caller no longer waits for the result; none where the result is kept for all callers. */
  signal?: AbortSignal | undefined;
}

/** More than anything takes but printing the largest diffs. */
const quickMs = 60_000;

interface GitOptions {
  timeoutMs?: number;
  /** What git reads from its standard input. */
  input?: string;
  /** The exit code with which this command says that there is nothing to print. */
  nothingCode?: number;
}

/**
 * Runs git on a clone without trusting it, and yields what it prints. A clone's configuration can name programs to run (diff
 * drivers, filters, hooks, file-system monitors, upload-pack) and files to include, and no option of git switches all of it
 * off. So git is shown a folder of ours that has only links to the clone's refs, reads the clone's objects through the
 * environment, and gets an environment with nothing else in it. A reader that stops early stops git.
 */
export async function* streamGit(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  { timeoutMs = quickMs, input = '', nothingCode = 0 }: GitOptions = {},
): AsyncGenerator<Buffer, void> {
  const turn = turnOf(git, clone, timeoutMs);
  const isolated = await prepareIsolatedGitFolder(git, clone);
  const command = {
    parameters: ['--no-pager', ...parameters],
    cwd: isolated,
    environment: environment(git, clone, isolated),
    input,
    isYielding: turn.client.isAnonymous,
  };
  const options = { timeoutMs, ...turn, signal: git.signal };
  const { code, signal, complaint } = yield* git.spawner.run(command, options);
  if (code === 0 || code === nothingCode) return;
  if (git.signal?.aborted) throw abortedRead();
  if (signal === 'SIGKILL') throw tooSlow(clone, timeoutMs);
  if (/^spawn git E(?:NOENT|ACCES)/.test(complaint)) throw noGit(complaint);
  const how = code ?? signal ?? 'an error';
  throw new UnreadableClone(clone, new Error(`git ${parameters[0]} ended with ${how}: ${complaint}`));
}

/**
 * Has a question answered by a git that stays for further ones: only for commands that read objects by their ids, because
 * what it has once seen of anything else may have changed.
 */
export async function* queryGit<Piece>(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  {
    timeoutMs = quickMs,
    answer,
  }: { timeoutMs?: number; answer: (asked: Asked) => AsyncGenerator<Piece, void> },
): AsyncGenerator<Piece, void> {
  const turn = turnOf(git, clone, timeoutMs);
  const isolated = await prepareIsolatedGitFolder(git, clone);
  const command = {
    parameters: ['--no-pager', ...parameters],
    cwd: isolated,
    environment: environment(git, clone, isolated),
    isYielding: turn.client.isAnonymous,
  };
  const options = {
    timeoutMs,
    ...turn,
    signal: git.signal,
    isLast: clone.isTemporary === true,
  };
  const began = performance.now();
  try {
    yield* git.spawner.kept.ask(command, options, answer);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (git.signal?.aborted) throw abortedRead();
    if (performance.now() - began > timeoutMs) throw tooSlow(clone, timeoutMs);
    throw new UnreadableClone(clone, error);
  }
}

/**
 * Of one clone, a page of a list reads twice at once and a pull request three times. Commands that may take minutes leave room for quick
 * ones, those of one clone for those of other clones, those of one client for those of others, and those of anonymous clients for
 * those of users. Reads that all clients share run once for each clone, for no client in particular.
 */
function turnOf({ signal }: GitRunner, { gitFolder }: Clone, timeoutMs: number) {
  const client = signal ? currentClient() : sharedRead(gitFolder);
  const { key, isAnonymous } = client;
  client.beginSlowWork();
  const { kind, all, ofClone, forUser, anonymous } = timeoutMs <= quickMs ? mostQuick : mostSlow;
  const shares: Share[] = [
    { of: kind, most: all },
    { of: `${kind} of ${gitFolder}`, most: ofClone },
    { of: `${kind} for ${key}`, most: isAnonymous ? 1 : forUser },
  ];
  if (isAnonymous) shares.push({ of: `anonymous ${kind}`, most: anonymous });
  return { shares, client };
}

/** Of the eight gits that run at once. An address runs one of each kind. */
const mostQuick = { kind: 'quick', all: 8, ofClone: 3, forUser: 5, anonymous: 2 };
const mostSlow = { kind: 'slow', all: 5, ofClone: 2, forUser: 4, anonymous: 1 };

const sharedRead = (gitFolder: string): Client => ({
  key: `all readers of ${gitFolder}`,
  order: 0,
  isAnonymous: false,
  beginSlowWork: () => {},
});

/** Runs git for an answer that is known to be small; a longer one is an error. */
export async function runGit(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  { maxBytes = 64 * 1024 * 1024, ...options }: GitOptions & { maxBytes?: number } = {},
): Promise<string> {
  const output: Buffer[] = [];
  let size = 0;
  for await (const chunk of streamGit(git, clone, parameters, options)) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new UnreadableClone(clone, new Error(`git ${parameters[0]} printed over ${maxBytes} bytes`));
    }
    output.push(chunk);
  }
  return Buffer.concat(output).toString('utf8');
}

const environment = (git: GitRunner, clone: Clone, isolated: string) => ({
  ...bareGitEnvironment,
  PATH: git.path,
  GIT_DIR: isolated,
  GIT_OBJECT_DIRECTORY: join(clone.gitFolder, 'objects'),
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
});

/** A folder of ours for each clone: for git's eyes, and for what we remember about the clone. */
export function isolatedGitFolder(git: GitPaths, clone: Clone): string {
  return join(git.isolatedFolders, createHash('sha256').update(clone.gitFolder).digest('hex').slice(0, 32));
}

/**
 * It stays from one use to the next, so that later ones need no room on the disk. Git asks for a HEAD and is never told
 * to read it: a link to a branch that is not there will do.
 */
async function prepareIsolatedGitFolder(git: GitRunner, clone: Clone): Promise<string> {
  const isolated = isolatedGitFolder(git, clone);
  try {
    // The link that is made last.
    if (lstatSync(join(isolated, 'HEAD'), { throwIfNoEntry: false })) return isolated;
    await mkdir(join(isolated, 'objects'), { recursive: true });
    await Promise.all(
      ['refs', 'packed-refs', 'shallow'].map((name) =>
        linkOnce(join(clone.gitFolder, name), join(isolated, name)),
      ),
    );
    await linkOnce('refs/heads/none', join(isolated, 'HEAD'));
    return isolated;
  } catch (cause) {
    const message = `${git.isolatedFolders} cannot be written to. Make room on its disk or mend its rights, then try again.`;
    throw new Failure('HOST_ERROR', message, { cause });
  }
}

async function linkOnce(target: string, link: string): Promise<void> {
  try {
    await symlink(target, link);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function tooSlow(clone: Clone, timeoutMs: number): Failure {
  return new Failure(
    'HOST_TIMEOUT',
    `Reading the clone of ${calledClone(clone)} took longer than ${timeoutMs / 1000} s. Try again.`,
  );
}

/** Nothing is wrong with the clone. */
const noGit = (cause: string): Failure =>
  new Failure(
    'HOST_ERROR',
    'The program git cannot be run here. Install git, or put it on the PATH, then try again.',
    { cause },
  );

/** Git failed on a clone. */
export class UnreadableClone extends Failure {
  constructor(clone: Clone, cause: unknown) {
    const remedy = clone.isPartial
      ? 'It leaves files with its remote until they are needed. Get them with git fetch --refetch --no-filter, then try again; ' +
        'or pipe the diff: git diff BASE...HEAD | pullquote explain -'
      : 'Check it with git fsck, then try again.';
    super('HOST_ERROR', `The clone of ${calledClone(clone)} could not be read. ${remedy}`, { cause });
  }
}

/** A repository that git reads here: a clone of the operator's, or what was fetched for one pull request. */
export interface Clone {
  /** Empty where nothing says whose it is; so is the name. */
  owner: string;
  name: string;
  /** The folder that holds HEAD, objects and refs, free of links on the way to it. */
  gitFolder: string;
  /** The ref of its default branch, where HEAD names the branch that somebody works on. */
  defaultRef?: string;
  /** Whether it leaves files with its remote repository until they are needed, as `git clone --filter` makes it. */
  isPartial?: boolean;
  /** Whether it goes once it was read, so that no git stays for further questions about it. */
  isTemporary?: boolean;
}

/** What sentences call it. */
export const calledClone = ({ owner, name }: Pick<Clone, 'owner' | 'name'>): string =>
  [owner, name].filter(Boolean).join('/') || 'this folder';

/** What any git of ours is run with, beside its own: nothing of this machine's configuration, and no prompts. */
export const bareGitEnvironment = {
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
};

/** Since this version git goes to the addresses that it is told and nowhere else; older ones would not say that they do not. */
export const oldestToFetch = '2.37';

/** What git prints as its version says so. */
export function isTooOldToFetch(printed: string): boolean {
  const numbersOf = (text: string): number[] => /(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  const [major = 0, minor = 0] = numbersOf(printed);
  const [oldestMajor = 0, oldestMinor = 0] = numbersOf(oldestToFetch);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
