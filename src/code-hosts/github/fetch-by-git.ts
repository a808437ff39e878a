import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import type { HostFileSummary } from '../code-host.ts';
import { bareGitEnvironment } from '../git/bare-git-environment.ts';
import type { Clone } from '../git/find-clone.ts';
import type { GitSpawner } from '../git/git-spawner.ts';
import { diffBetween, fileSummariesBetween } from '../git/print-diff.ts';
import { runGit } from '../git/run-git.ts';
import type { GitHubCaller } from './github-client.ts';
import { unlessTooLarge } from './watch-size.ts';
import { basicOf, withoutToken } from './without-token.ts';

/** How git reaches a host: what its environment and its configuration have to say, and which certificates to trust. */
export interface GitNetwork {
  environment: Record<string, string>;
  configuration: Record<string, string>;
  /** As text (PEM); null for those that git trusts anyway. */
  certificates: string | null;
}

interface Options {
  /** Where git is looked for. */
  searchPath: string;
  /** Where folders lie for as long as they are needed. */
  folder: string;
  web: string;
  /** How much may lie there of one pull request. */
  mostBytes: number;
  spawner: GitSpawner;
  network: () => Promise<GitNetwork>;
}

interface Range {
  owner: string;
  name: string;
  base: string;
  head: string;
}

/**
 * What there is between two commits, by way of git. The diff ends what it has begun; files are counted in between. Nothing
 * of it is given away before a last question, when all of it is here.
 */
export type FetchByGit = (
  range: Range,
  caller: GitHubCaller,
) => {
  diff: (lastQuestion: () => Promise<void>) => AsyncGenerator<Buffer, void>;
  fileSummaries: () => Promise<HostFileSummary[]>;
};

/** As long as the largest may take. */
const timeoutMs = 5 * 60 * 1000;

/** Reads what is too large for GitHub to print: the two commits are fetched without their history, and git prints it. */
export function createFetchByGit(options: Options): FetchByGit {
  return (range, caller) => {
    const git = { path: options.searchPath, spawner: options.spawner, signal: caller.signal };
    let fetched: { clone: Clone; standInFolder: string } | null = null;
    return {
      async *diff(lastQuestion) {
        const place = await makePlace(options.folder);
        try {
          const clone = { ...range, gitFolder: join(place, 'fetched.git') };
          const standInFolder = join(place, 'stand-ins');
          await fetchCommits(options, clone, range, caller);
          await fetchFiles(options, { ...git, standInFolder }, clone, range, caller);
          await lastQuestion();
          fetched = { clone, standInFolder };
          yield* diffBetween({ ...git, standInFolder }, clone, range.base, range.head);
        } finally {
          fetched = null;
          await rm(place, { recursive: true, force: true });
        }
      },
      async fileSummaries() {
        if (!fetched) throw new Error('Files are counted while the diff is being read.');
        const { clone, standInFolder } = fetched;
        return fileSummariesBetween({ ...git, standInFolder }, clone, range.base, range.head);
      },
    };
  };
}

/** Named after this process, so that others know whether somebody still needs it. */
async function makePlace(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return mkdtemp(join(folder, `${process.pid}-`));
}

/** Removes what processes that were killed have left behind. */
export async function removeLeftPlaces(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => !isAlive(Number.parseInt(name, 10)));
  await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const fetching = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none'];

async function fetchCommits(
  options: Options,
  clone: Clone,
  { base, head }: Range,
  caller: GitHubCaller,
): Promise<void> {
  await mkdir(clone.gitFolder);
  await run(options, clone, ['init', '--quiet', '--bare', '--template='], caller);
  await run(options, clone, [...fetching, '--depth=1', urlOf(options, clone), base, head], caller);
}

/** Only the files that differ. */
async function fetchFiles(
  options: Options,
  git: Parameters<typeof runGit>[0],
  clone: Clone,
  { base, head }: Range,
  caller: GitHubCaller,
): Promise<void> {
  const parameters = ['diff-tree', '-r', '--raw', '--no-renames', '--abbrev=40', '-z', base, head];
  const ids = new Set<string>();
  for (const field of (await runGit(git, clone, parameters, { timeoutMs })).split('\0')) {
    const [, oldMode, newMode, oldId = '', newId = ''] = /^:(\d+) (\d+) (\w+) (\w+) /.exec(field) ?? [];
    if (isFile(oldMode)) ids.add(oldId);
    if (isFile(newMode)) ids.add(newId);
  }
  if (ids.size === 0) return;
  const input = [...ids, ''].join('\n');
  await run(options, clone, [...fetching, '--stdin', urlOf(options, clone)], caller, input);
}

/** Neither absent on this side nor a submodule. */
const isFile = (mode: string | undefined): boolean =>
  mode !== undefined && mode !== '000000' && mode !== '160000';

const urlOf = ({ web }: Options, { owner, name }: Clone): string => `${web}/${owner}/${name}.git`;

async function run(
  options: Options,
  { gitFolder }: Clone,
  parameters: string[],
  caller: GitHubCaller,
  input = '',
): Promise<void> {
  const command = {
    parameters,
    cwd: gitFolder,
    environment: await environmentOf(options, gitFolder, caller),
    input,
  };
  const shares = [{ of: 'fetch', most: 4 }];
  const end = await unlessTooLarge(gitFolder, options.mostBytes, async (tooLarge) => {
    const signal = AbortSignal.any([caller.signal, tooLarge]);
    const printed = options.spawner.run(command, { timeoutMs, shares, signal });
    for (;;) {
      const { done, value } = await printed.next();
      if (done) return value;
    }
  });
  if (!end) throw tooMuch(options.mostBytes);
  if (end.code === 0) return;
  throw failureOf(parameters[0], { ...end, complaint: withoutToken(end.complaint, caller.token) });
}

function tooMuch(mostBytes: number): Failure {
  const most = Math.round(mostBytes / 1024 / 1024);
  return new Failure(
    'UNREADABLE',
    `The files of this pull request are more than the ${most} MiB that are fetched of one.`,
  );
}

/** The token reaches git here and nowhere else: parameters can be seen by everybody on the machine. */
async function environmentOf(
  { searchPath, web, network }: Options,
  gitFolder: string,
  { token }: GitHubCaller,
): Promise<Record<string, string>> {
  const { environment, configuration, certificates } = await network();
  const trusted = join(gitFolder, 'trusted.pem');
  if (certificates !== null) await writeFile(trusted, certificates);
  const settings = Object.entries({
    'http.followRedirects': 'false',
    'gc.auto': '0',
    'core.hooksPath': '/dev/null',
    ...(token !== null && { 'http.extraHeader': `Authorization: Basic ${basicOf(token)}` }),
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

function failureOf(
  name: string | undefined,
  { code, signal, complaint }: { code: number | null; signal: string | null; complaint: string },
): Failure {
  const cause = new Error(`git ${name} ended with ${code ?? signal}: ${complaint}`);
  if (signal === 'SIGKILL') {
    return new Failure('HOST_TIMEOUT', 'Fetching this pull request took too long. Try again later.', {
      cause,
    });
  }
  if (code === null && complaint.includes('ENOENT')) {
    return new Failure(
      'HOST_ERROR',
      'This pull request is so large that it takes git to read it, and git is not installed where this service runs.',
      { cause },
    );
  }
  return new Failure('HOST_ERROR', 'This pull request could not be fetched with git. Try again later.', {
    cause,
  });
}
