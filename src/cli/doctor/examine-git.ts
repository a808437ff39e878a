import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bareGitEnvironment, isTooOldToFetch, oldestToFetch } from '../../code-hosts/git-runner/run-git.ts';
import { knownHosts } from '../../code-hosts/known-hosts.ts';
import type { Config } from '../../config.ts';
import { type Finding, failure, ok, warning } from '../../domain/finding.ts';

const run = promisify(execFile);

type Hosts = Config['codeHosts'];

/** Whether git is there, for what the hosts read with it. */
export async function examineGit(codeHosts: Hosts, searchPath: string): Promise<Finding> {
  const environment = { ...bareGitEnvironment, PATH: searchPath };
  const printed = await run('git', ['--version'], { env: environment, timeout: 10_000 }).catch(() => null);
  return judgeGit(codeHosts, printed?.stdout ?? null);
}

export function judgeGit(codeHosts: Hosts, printed: string | null): Finding {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(printed ?? '') ?? [];
  const remedy = `Install git ${oldestToFetch} or newer where PATH finds it.`;
  const read = codeHosts.map((id) => knownHosts[id].byGit);
  const tell = (which: typeof read, sentence: (what: string) => string): Finding => {
    const say = which.some(({ isAll }) => isAll) ? failure : warning;
    return say('git', sentence(which.map(({ what }) => what).join(' and ')), remedy);
  };
  if (printed === null || major === undefined)
    return tell(read, (what) => `git is not found: ${what} cannot be read.`);
  const version = `git ${major}.${minor}`;
  const fetched = read.filter(({ isFetched }) => isFetched);
  if (isTooOldToFetch(printed) && fetched.length > 0)
    return tell(fetched, (what) => `${version} is too old to fetch ${what}.`);
  return ok('git', `${version} is there.`);
}
