import { execFile } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { promisify } from 'node:util';
import { bareGitEnvironment, isTooOldToFetch, oldestToFetch } from '../../code-hosts/git-runner/run-git.ts';
import { knownHosts } from '../../code-hosts/known-hosts.ts';
import type { Config } from '../../config.ts';
import { requireUsableDataFolder } from '../../data-folder.ts';
import { type Finding, failure, failureOf, ok, warning } from '../../domain/errors.ts';

const mebibyte = 1024 * 1024;

/** What GitHub does not print is fetched only while so much is left. */
const neededToFetch = 256 * mebibyte;

/** Below this, other programs could use up the rest at any moment. */
const scarce = 1024 * mebibyte;

export function examineDisk({ dataFolder }: Pick<Config, 'dataFolder'>): Finding {
  if (!existsSync(dataFolder))
    return ok('disk', `The data folder ${dataFolder} does not exist yet. The first start creates it.`);
  try {
    requireUsableDataFolder(dataFolder);
  } catch (error) {
    return failureOf('disk', error);
  }
  const { bavail, bsize } = statfsSync(dataFolder);
  return judgeRoom(dataFolder, bavail * bsize);
}

export function judgeRoom(dataFolder: string, free: number): Finding {
  const left = `The disk of the data folder ${dataFolder} has ${Math.floor(free / mebibyte)} MiB of free space`;
  const remedy = 'Free some space, or choose a folder on another disk with PULLQUOTE_DATA.';
  if (free < neededToFetch)
    return warning('disk', `${left}: not enough to fetch large pull requests from GitHub.`, remedy);
  if (free < scarce) return warning('disk', `${left}. The service may soon run out of it.`, remedy);
  return ok('disk', `${left}.`);
}

type Clocks = Record<string, number | null>;

/** A header says whole seconds, and an answer takes its time. */
const toleratedMs = 5_000;

/** Tokens that are signed elsewhere are refused by then. */
const harmfulMs = 60_000;

export function judgeClocks(clocks: Clocks): Finding[] {
  const known = Object.entries(clocks).filter((entry): entry is [string, number] => entry[1] !== null);
  if (known.length === 0)
    return [
      ok(
        'clock',
        `The time here is ${new Date().toISOString()}; there is no other clock to compare it with.`,
      ),
    ];
  const off = known.filter(([, aheadMs]) => Math.abs(aheadMs) > toleratedMs);
  if (off.length === 0)
    return [ok('clock', `The clock agrees with ${known.map(([name]) => name).join(' and ')}.`)];
  return off.map(([name, aheadMs]) => {
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    const sentence = `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${name}.`;
    const tell = Math.abs(aheadMs) > harmfulMs ? failure : warning;
    return tell(
      'clock',
      sentence,
      'Synchronize both clocks with NTP, for example with timedatectl set-ntp true.',
    );
  });
}

const run = promisify(execFile);

type Hosts = Config['codeHosts'];

export async function examineGit(codeHosts: Hosts, searchPath: string): Promise<Finding> {
  const environment = { ...bareGitEnvironment, PATH: searchPath };
  const printed = await run('git', ['--version'], { env: environment, timeout: 10_000 }).catch(() => null);
  return judgeGit(codeHosts, printed?.stdout ?? null);
}

export function judgeGit(codeHosts: Hosts, printed: string | null): Finding {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(printed ?? '') ?? [];
  const remedy = `Install git ${oldestToFetch} or newer and add it to PATH.`;
  const read = codeHosts.map((id) => knownHosts[id].gitUse);
  const tell = (which: typeof read, sentence: (what: string) => string): Finding => {
    const say = which.some(({ isForAll }) => isForAll) ? failure : warning;
    return say('git', sentence(which.map(({ description }) => description).join(' and ')), remedy);
  };
  if (printed === null || major === undefined)
    return tell(read, (what) => `git was not found, so ${what} cannot be read.`);
  const version = `git ${major}.${minor}`;
  const fetched = read.filter(({ fetches }) => fetches);
  if (isTooOldToFetch(printed) && fetched.length > 0)
    return tell(fetched, (what) => `${version} is too old to fetch ${what}.`);
  return ok('git', `${version} is installed.`);
}
