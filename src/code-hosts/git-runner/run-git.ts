import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, currentClient, type Share } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { abortedRead, type GitSpawner, type KeptQuery, NoResponse } from './git-spawner.ts';

export interface GitPaths {
  path: string;
  isolatedFolders: string;
}

export interface GitRunner extends GitPaths {
  spawner: GitSpawner;
  /** Aborted when the caller gives up; absent if the result is cached for all callers. */
  signal?: AbortSignal | undefined;
}

const quickMs = 60_000;

interface GitOptions {
  timeoutMs?: number;
  input?: string;
  nothingCode?: number;
  /** The index of a checkout, for commands that read its files. */
  indexFile?: string;
}

/**
 * Runs git on an untrusted clone and yields its output. The configuration of a clone can name programs to run (diff
 * drivers, filters, hooks, file-system monitors, upload-pack) and files to include, and no option of git disables all
 * of it. So git runs in an isolated folder that links only to the refs of the clone, reads its objects through the
 * environment, and gets no other variables. A reader that stops early stops git.
 */
export async function* streamGit(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  { timeoutMs = quickMs, input = '', nothingCode = 0, indexFile }: GitOptions = {},
): AsyncGenerator<Buffer, void> {
  const { command, options } = await prepare(git, clone, parameters, timeoutMs);
  if (indexFile) Object.assign(command.environment, { GIT_INDEX_FILE: indexFile });
  const { code, signal, complaint } = yield* git.spawner.run({ ...command, input }, options);
  if (code === 0 || code === nothingCode) return;
  if (git.signal?.aborted) throw abortedRead();
  if (signal === 'SIGKILL') throw gitTooSlow(clone, timeoutMs);
  if (/^spawn git E(?:NOENT|ACCES)/.test(complaint)) throw noGit(complaint);
  const how = code ?? signal ?? 'an error';
  throw new UnreadableClone(clone, new Error(`git ${parameters[0]} ended with ${how}: ${complaint}`));
}

/**
 * Queries a reused git. Only for commands that read objects by id, because everything else may have changed since git
 * started.
 */
export async function* queryGit<Piece>(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  {
    timeoutMs = quickMs,
    response,
  }: { timeoutMs?: number; response: (query: KeptQuery) => AsyncGenerator<Piece, void> },
): AsyncGenerator<Piece, void> {
  const { command, options } = await prepare(git, clone, parameters, timeoutMs);
  const began = performance.now();
  try {
    yield* git.spawner.query(command, { ...options, isLast: clone.isTemporary === true }, response);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    if (git.signal?.aborted) throw abortedRead();
    if (performance.now() - began > timeoutMs) throw gitTooSlow(clone, timeoutMs);
    throw new UnreadableClone(clone, error);
  }
}

async function prepare(git: GitRunner, clone: Clone, parameters: string[], timeoutMs: number) {
  const turn = turnAtClone(git, clone, timeoutMs);
  const isolated = await prepareIsolatedGitFolder(git, clone);
  return {
    command: {
      parameters: ['--no-pager', ...parameters],
      cwd: isolated,
      environment: environment(git, clone, isolated),
      isYielding: turn.client.isAnonymous,
    },
    options: { timeoutMs, ...turn, signal: git.signal },
  };
}

/**
 * A page of a list reads a clone twice at once, and a pull request three times. Slow commands leave slots for quick
 * ones, a clone for other clones, a client for other clients, and anonymous clients for users. Reads shared by all
 * clients run once per clone.
 */
function turnAtClone({ signal }: GitRunner, { gitFolder }: Clone, timeoutMs: number) {
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

const mostQuick = { kind: 'quick', all: 8, ofClone: 3, forUser: 5, anonymous: 2 };
const mostSlow = { kind: 'slow', all: 5, ofClone: 2, forUser: 4, anonymous: 1 };

const sharedRead = (gitFolder: string): Client => ({
  key: `all readers of ${gitFolder}`,
  order: 0,
  isAnonymous: false,
  beginSlowWork: () => {},
  letNextBegin: () => {},
  endTurn: () => {},
});

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

export function isolatedGitFolder(git: GitPaths, clone: Clone): string {
  return join(git.isolatedFolders, createHash('sha256').update(clone.gitFolder).digest('hex').slice(0, 32));
}

/**
 * The folder is kept, so that later uses need no disk space. Git requires a HEAD but never reads it, so it may point to
 * a missing branch.
 */
async function prepareIsolatedGitFolder(git: GitRunner, clone: Clone): Promise<string> {
  const isolated = isolatedGitFolder(git, clone);
  try {
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
    const message = `Cannot write to ${git.isolatedFolders}. Free some disk space or correct its permissions, then try again.`;
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

function gitTooSlow(clone: Clone, timeoutMs: number): Failure {
  return new Failure(
    'HOST_TIMEOUT',
    `Reading the clone of ${calledClone(clone)} took longer than ${timeoutMs / 1000} s. Try again.`,
  );
}

const noGit = (cause: string): Failure =>
  new Failure('HOST_ERROR', 'git cannot be run. Install git, or add it to PATH, then try again.', { cause });

export class UnreadableClone extends Failure {
  constructor(clone: Clone, cause: unknown) {
    const remedy = clone.isPartial
      ? 'It is a partial clone. Fetch the missing files with git fetch --refetch --no-filter, then try again; ' +
        'or pipe the diff: git diff BASE...HEAD | pullquote explain -'
      : 'Check it with git fsck, then try again.';
    super('HOST_ERROR', `The clone of ${calledClone(clone)} could not be read.`, { remedy, cause });
  }
}

/** A repository that git reads: a clone of the operator, or one fetched for a pull request. */
export interface Clone {
  owner: string;
  name: string;
  gitFolder: string;
  /** The ref of the default branch if HEAD names another one. */
  defaultRef?: string;
  isPartial?: boolean;
  isTemporary?: boolean;
}

export const calledClone = ({ owner, name }: Pick<Clone, 'owner' | 'name'>): string =>
  [owner, name].filter(Boolean).join('/') || 'this folder';

export const bareGitEnvironment = {
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
};

/** Older versions of git silently connect to other addresses than the given ones. */
export const oldestToFetch = '2.37';

export function isTooOldToFetch(printed: string): boolean {
  const numbersOf = (text: string): number[] => /(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  const [major = 0, minor = 0] = numbersOf(printed);
  const [oldestMajor = 0, oldestMinor = 0] = numbersOf(oldestToFetch);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
