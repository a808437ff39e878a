import { readdir, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { savingToken } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import type { GitSpawner } from '../git-runner/git-spawner.ts';
import { bareGitEnvironment, type Clone, oldestToFetch } from '../git-runner/run-git.ts';
import { basicOf, type HostCaller, limited, withoutToken } from '../http/host-api.ts';
import { tokenName } from '../http/host-client.ts';
import type { RateLimits } from '../http/rate-limits.ts';

export interface GitNetwork {
  environment: Record<string, string>;
  configuration: Record<string, string>;
  certificates: string | null;
}

export interface NetworkGit {
  id: string;
  name: string;
  searchPath: string;
  web: string;
  gitUser: string;
  mostBytes: number;
  spawner: GitSpawner;
  network: () => Promise<GitNetwork>;
  limits: RateLimits;
  freeBytes?: (folder: string) => Promise<number>;
}

export const timeoutMs = 5 * 60 * 1000;

/** Git keeps responses such as an endless list of refs in memory. Two processes of a fetch use much of it. */
export const groupMemoryBytes = 256 * 1024 * 1024;

export const isOutOfMemory = (complaint: string): boolean => /out of memory/i.test(complaint);

/** Settings that make git stay below the limit where it can choose how much memory to use. */
const sparingMemory = {
  'core.bigFileThreshold': '16m',
  'core.deltaBaseCacheLimit': '32m',
  'core.packedGitLimit': '64m',
  'core.packedGitWindowSize': '8m',
  'pack.deltaCacheSize': '16m',
  'pack.threads': '1',
  'pack.windowMemory': '32m',
};

/** The message of git for a rejected token, because it would prompt for a user name and password. */
const tokenRefused = /could not read Username|Authentication failed/;

/** The server serves only commits that refs name, or lacks the object. */
const idsRefused = /not our ref|unadvertised object/;

export async function runNetworkGit(
  options: NetworkGit,
  clone: Clone,
  parameters: string[],
  caller: HostCaller,
  input = '',
): Promise<string> {
  const { gitFolder } = clone;
  const who = tokenName(caller);
  const seconds = options.limits.secondsLeft(who, 'git');
  if (seconds > 0) throw limited(options.name, seconds, caller.isService);
  const command = {
    parameters,
    cwd: gitFolder,
    environment: await environmentOf(options, gitFolder, caller.token),
    input,
    groupMemoryBytes,
  };
  const shares = [{ of: 'fetch', most: 4 }];
  const printed: Buffer[] = [];
  const filled = await withDiskQuota(gitFolder, options, async (noRoom) => {
    const signal = AbortSignal.any([caller.signal, noRoom]);
    const running = options.spawner.run(command, { timeoutMs, shares, signal });
    for (;;) {
      const { done, value } = await running.next();
      if (done) return value;
      printed.push(value);
    }
  });
  if ('exceeded' in filled) throw filled.exceeded === 'disk' ? withoutRoom() : tooMuch(options.mostBytes);
  const { done } = filled;
  if (done.code === 0) return Buffer.concat(printed).toString();
  const complaint = withoutToken(done.complaint, caller.token, options.gitUser);
  const { replaceToken, ...rest } = caller;
  const another =
    tokenRefused.test(complaint) && caller.token !== null && (await replaceToken?.(caller.token));
  if (another) return runNetworkGit(options, clone, parameters, { ...rest, token: another }, input);
  if (tokenRefused.test(complaint) && caller.token !== null && !caller.isService)
    throw tokenRefusedToGit(options, complaint);
  const [, status] = /returned error: (\d+)/.exec(complaint) ?? [];
  // Git does not print headers, such as the time to wait.
  if (options.limits.note(who, 'git', { status: Number(status), headers: {}, message: complaint }))
    throw limited(options.name, options.limits.secondsLeft(who, 'git'), caller.isService);
  if (idsRefused.test(complaint)) throw new IdsRefused(complaint);
  throw failureOfGit(parameters[0], { ...done, complaint });
}

/** Git gets the token only through its environment, because every user of the machine can see parameters. */
export async function environmentOf(
  { searchPath, web, gitUser, network }: Pick<NetworkGit, 'searchPath' | 'web' | 'gitUser' | 'network'>,
  gitFolder: string,
  token: string | null,
): Promise<Record<string, string>> {
  const { environment, configuration, certificates } = await network();
  const trusted = join(gitFolder, 'trusted.pem');
  if (certificates !== null) await writeFile(trusted, certificates);
  const settings = Object.entries({
    'http.followRedirects': 'false',
    'gc.auto': '0',
    'core.hooksPath': '/dev/null',
    ...sparingMemory,
    ...(token !== null && {
      [`http.${web}/.extraHeader`]: `Authorization: Basic ${basicOf(gitUser, token)}`,
    }),
    ...configuration,
  });
  return {
    ...bareGitEnvironment,
    PATH: searchPath,
    GIT_DIR: gitFolder,
    GIT_ALLOW_PROTOCOL: new URL(web).protocol.slice(0, -1),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...(certificates !== null && { GIT_SSL_CAINFO: trusted }),
    ...environment,
  };
}

const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

function tooMuch(mostBytes: number): Failure {
  const most = mebibytes(mostBytes);
  return new Failure('UNREADABLE', `The files of this pull request exceed the limit of ${most} MiB.`);
}

/**
 * Does not call the pull request too large: only its branches are known to be, if its commits cannot be fetched by id.
 */
export function tooMuchOfRefs(hostName: string, mostBytes: number): Failure {
  const most = mebibytes(mostBytes);
  return new Failure(
    'HOST_ERROR',
    `${hostName} does not let git fetch the commits of this pull request by id, and the history of its branches exceeds the limit of ${most} MiB. Try again later, or ask the operator of ${hostName} to allow fetching by id (uploadpack.allowAnySHA1InWant).`,
  );
}

function withoutRoom(): Failure {
  return new Failure(
    'STORAGE_FULL',
    "The service's disk is too full to fetch a pull request of this size. Try again later.",
  );
}

export function gitTooOld(version: string): Failure {
  return new Failure(
    'HOST_ERROR',
    `This pull request needs git ${oldestToFetch} or newer on the server. Ask your administrator to update git.`,
    { cause: new Error(version.trim()) },
  );
}

function failureOfGit(
  name: string | undefined,
  { code, signal, complaint }: { code: number | null; signal: string | null; complaint: string },
): Failure {
  const cause = new Error(`git ${name} ended with ${code ?? signal}: ${complaint}`);
  if (signal === 'SIGKILL') {
    return new Failure('HOST_TIMEOUT', 'Fetching this pull request took too long. Try again later.', {
      cause,
    });
  }
  if (isOutOfMemory(complaint)) {
    const most = `${mebibytes(groupMemoryBytes)} MiB`;
    const message = `Fetching this pull request takes git more than ${most} of memory.`;
    return new Failure('HOST_ERROR', message, { cause });
  }
  if (code === null && complaint.includes('ENOENT')) {
    return new Failure(
      'HOST_ERROR',
      'This pull request needs git on the server. Ask your administrator to install it.',
      { cause },
    );
  }
  return new Failure('HOST_ERROR', notFetched, { cause });
}

/** Some tokens may use the API but not fetch by git. */
function tokenRefusedToGit({ id, name }: NetworkGit, complaint: string): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    `${name} does not let this token read code with git: it was revoked or lacks that permission. Send another one, or save one with ${savingToken(id)}.`,
    { cause: new Error(`git fetch was refused: ${complaint}`) },
  );
}

const notFetched = 'This pull request could not be fetched with git. Try again later.';

export class IdsRefused extends Failure {
  constructor(complaint: string) {
    super('HOST_ERROR', notFetched, { cause: new Error(`git fetch was refused: ${complaint}`) });
  }
}

const betweenLooksMs = 500;

/** Space on disk that stays free for the database. */
const reserveBytes = 256 * 1024 * 1024;

interface Bounds {
  mostBytes: number;
  freeBytes?: (folder: string) => Promise<number>;
}

/** Runs `fill`, and aborts it when the folder exceeds its limit or the disk is nearly full. */
export async function withDiskQuota<Done>(
  folder: string,
  { mostBytes, freeBytes = freeOnDisk }: Bounds,
  fill: (signal: AbortSignal) => Promise<Done>,
): Promise<{ done: Done } | { exceeded: 'folder' | 'disk' }> {
  const stop = new AbortController();
  let exceeded: 'folder' | 'disk' | null = null;
  const look = async (): Promise<void> => {
    if ((await folderBytes(folder)) > mostBytes) exceeded = 'folder';
    else if ((await freeBytes(folder)) < reserveBytes) exceeded = 'disk';
    if (exceeded) stop.abort();
  };
  await look();
  if (exceeded) return { exceeded };
  const timer = setInterval(() => look().catch(() => {}), betweenLooksMs);
  try {
    const done = await fill(stop.signal);
    await look();
    return exceeded ? { exceeded } : { done };
  } catch (error) {
    if (exceeded) return { exceeded };
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map((entry) =>
      stat(join(folder, entry)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
