import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostFileSummary, OutsideSlot } from '../code-host.ts';
import { bareGitEnvironment } from '../git/bare-git-environment.ts';
import type { Clone } from '../git/find-clone.ts';
import type { GitSpawner } from '../git/git-spawner.ts';
import { fileSummariesBetween, printDiff } from '../git/print-diff.ts';
import { runGit } from '../git/run-git.ts';
import { withDiskQuota } from './disk-quota.ts';
import { failureOfGit, gitTooOld, tooMuch, withoutRoom } from './git-failures.ts';
import { type GitHubCaller, nameOf } from './github-client.ts';
import { limited } from './host-failures.ts';
import { RateLimits } from './rate-limits.ts';
import type { TemporaryFolders } from './temporary-folders.ts';
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
  folders: TemporaryFolders;
  web: string;
  /** How much may lie there of one pull request. */
  mostBytes: number;
  spawner: GitSpawner;
  network: () => Promise<GitNetwork>;
  clock: () => Date;
  limits: RateLimits;
  freeBytes?: (folder: string) => Promise<number>;
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
  diff: (lastQuestion: () => Promise<void>, outsideSlot: OutsideSlot) => AsyncGenerator<Buffer, void>;
  fileSummaries: () => Promise<HostFileSummary[]>;
};

/** As long as the largest may take. */
const timeoutMs = 5 * 60 * 1000;

/** Reads what is too large for GitHub to print: the two commits are fetched without their history, and git prints it. */
export function createFetchByGit(given: Omit<Options, 'limits'>): FetchByGit {
  const options = { ...given, limits: new RateLimits(given.clock) };
  return (range, caller) => {
    const git = { path: options.searchPath, spawner: options.spawner, signal: caller.signal };
    let fetched: { clone: Clone; isolatedFolders: string } | null = null;
    return {
      async *diff(lastQuestion, outsideSlot) {
        const folder = await options.folders.make();
        try {
          const clone = { ...range, gitFolder: join(folder, 'fetched.git') };
          const isolatedFolders = join(folder, 'isolated');
          await outsideSlot(async () => {
            await fetchCommits(options, clone, range, caller);
            await fetchFiles(options, { ...git, isolatedFolders }, clone, range, caller);
          });
          await lastQuestion();
          fetched = { clone, isolatedFolders };
          yield* printDiff({ ...git, isolatedFolders }, clone, range.base, range.head);
        } finally {
          fetched = null;
          await options.folders.remove(folder);
        }
      },
      async fileSummaries() {
        if (!fetched) throw new Error('Files are counted while the diff is being read.');
        const { clone, isolatedFolders } = fetched;
        return fileSummariesBetween({ ...git, isolatedFolders }, clone, range.base, range.head);
      },
    };
  };
}

const fetching = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none'];

async function fetchCommits(
  options: Options,
  clone: Clone,
  { base, head }: Range,
  caller: GitHubCaller,
): Promise<void> {
  await mkdir(clone.gitFolder);
  const version = await run(options, clone, ['version'], caller);
  if (isOlderThanNeeded(version)) throw gitTooOld(version);
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

/** Since 2.37 git goes to the addresses that it is told and nowhere else; older ones would not say that they do not. */
function isOlderThanNeeded(version: string): boolean {
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return major < 2 || (major === 2 && minor < 37);
}

/** What git says of a token that was taken back: it would ask for another name and password. */
const tokenRefused = /could not read Username|Authentication failed/;

/** Runs git and tells what it printed. */
async function run(
  options: Options,
  clone: Clone,
  parameters: string[],
  caller: GitHubCaller,
  input = '',
): Promise<string> {
  const { gitFolder } = clone;
  const who = nameOf(caller);
  const seconds = options.limits.secondsLeft(who, 'git');
  if (seconds > 0) throw limited(seconds, caller.isService);
  const command = {
    parameters,
    cwd: gitFolder,
    environment: await environmentOf(options, gitFolder, caller),
    input,
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
  const complaint = withoutToken(done.complaint, caller.token);
  const { replaceToken, ...rest } = caller;
  const another =
    tokenRefused.test(complaint) && caller.token !== null && (await replaceToken?.(caller.token));
  if (another) return run(options, clone, parameters, { ...rest, token: another }, input);
  const [, status] = /returned error: (\d+)/.exec(complaint) ?? [];
  // What it was told beside that, such as for how long to wait, git does not say.
  if (options.limits.note(who, 'git', { status: Number(status), headers: {}, message: complaint }))
    throw limited(options.limits.secondsLeft(who, 'git'), caller.isService);
  throw failureOfGit(parameters[0], { ...done, complaint });
}

/** The token reaches git here and nowhere else: parameters can be seen by every user of the machine. */
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
