import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bareGitEnvironment } from '../../code-hosts/git-runner/bare-git-environment.ts';
import { misplacedRoot } from '../../code-hosts/git/misplaced-root.ts';
import { type Survey, surveyClones } from '../../code-hosts/git/survey-clones.ts';
import { whyNotShown } from '../../code-hosts/git/why-not-shown.ts';
import type { Config } from '../../config.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const run = promisify(execFile);

type Hosts = Config['codeHosts'];

/** Whether git is there, for those hosts that need it. */
export async function examineGit(codeHosts: Hosts, searchPath: string): Promise<Finding> {
  const environment = { ...bareGitEnvironment, PATH: searchPath };
  const printed = await run('git', ['--version'], { env: environment, timeout: 10_000 }).catch(() => null);
  return judgeGit(codeHosts, printed?.stdout ?? null);
}

export function judgeGit(codeHosts: Hosts, printed: string | null): Finding {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(printed ?? '') ?? [];
  const remedy = 'Install git 2.37 or newer where PATH finds it.';
  if (printed === null || major === undefined)
    return codeHosts.includes('git')
      ? failure('git', 'git is not found, and clones are read with it.', remedy)
      : warning('git', 'git is not found: large pull requests of GitHub cannot be read.', remedy);
  const version = `git ${major}.${minor}`;
  const isOld = Number(major) * 1000 + Number(minor) < 2037;
  if (isOld && codeHosts.includes('github'))
    return warning('git', `${version} is too old to fetch large pull requests of GitHub.`, remedy);
  return ok('git', `${version} is there.`);
}

/** As many as fit a screen; what is wrong with the rest is likely the same. */
const shownAtMost = 20;

/** Whether the folder of clones can be read, and what in it is passed over. */
export async function examineClones(gitRepos: string | undefined): Promise<Finding[]> {
  if (!gitRepos) return [ok('clones', 'The sample repository is shown: GIT_REPOS is not set.')];
  const misplaced = await misplacedRoot(gitRepos).catch(() => null);
  if (misplaced) return [warning('clones', misplaced.why, misplaced.remedy)];
  const survey = await surveyClones(gitRepos).catch(() => null);
  if (survey) return judgeClones(gitRepos, survey);
  const remedy = 'Let the user that runs the service read and enter it, or name another one.';
  return [failure('clones', `GIT_REPOS=${gitRepos} cannot be read.`, remedy)];
}

function judgeClones(gitRepos: string, { clones, passedOver }: Survey): Finding[] {
  const count = `${clones} ${clones === 1 ? 'clone' : 'clones'} in ${gitRepos}`;
  const found =
    clones > 0
      ? ok('clones', `${count}.`)
      : warning('clones', `No clones in ${gitRepos}.`, 'Put clones or mirrors there as owner/repo.');
  const shown = passedOver.slice(0, shownAtMost).map(({ folder, why }) => {
    const [reason, remedy] = whyNotShown[why];
    return warning('clones', `${folder} is passed over: ${reason}.`, remedy);
  });
  const more = passedOver.length - shown.length;
  const rest =
    more > 0 ? [warning('clones', `${more} more are passed over.`, 'Mend those above first.')] : [];
  return [found, ...shown, ...rest];
}
