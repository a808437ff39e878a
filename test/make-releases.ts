import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeClone, settings } from './make-clone.ts';

/**
 * A clone with releases v1, v1.1 (on its own branch), v2, and v3, into which that branch was merged. Its pull requests: 2
 * squashed, 3 merged with two commits, 4 reverted by 5, 6 breaking, 7 with its backport 8 on the branch, 9 open.
 */
export function makeReleases(root: string, fullName: string): string {
  const folder = makeClone(root, fullName);
  let files = 0;
  let seconds = Math.floor(Date.now() / 1000);
  /** A second later than the previous commit, because tags are listed by time. */
  const git = (...parameters: string[]): string => {
    seconds += 1;
    const env = { ...settings.env, GIT_COMMITTER_DATE: `@${seconds} +0000` };
    return execFileSync('git', ['-C', folder, ...parameters], { ...settings, env });
  };
  const commit = (message: string, number?: number): string => {
    files += 1;
    writeFileSync(join(folder, `part-${files}.ts`), `export const part = ${files};\n`);
    git('add', '.');
    git('commit', '--quiet', '--message', message);
    const sha = git('rev-parse', 'HEAD').trim();
    if (number !== undefined) git('update-ref', `refs/pull/${number}/head`, sha);
    return sha;
  };
  git('update-ref', 'refs/pull/1/head', 'HEAD');
  git('tag', 'v1');
  const engines = commit('feat: engines for all (#2)', 2);
  git('checkout', '--quiet', '-b', 'fuel');
  commit('Tank');
  const pump = commit('Pump (#2)', 3);
  git('checkout', '--quiet', 'main');
  commit('Tidy by hand');
  git('merge', '--quiet', '--no-ff', '-m', 'Merge pull request #3 from ann/fuel\n\nAdd fuel', pump);
  commit('Say more of engines (#2)');
  const valve = commit('Mend the valve (#4)', 4);
  commit(`Revert "Mend the valve (#4)" (#5)\n\nThis reverts commit ${valve}.`, 5);
  commit('fix!: another thrust (#6)\n\nBREAKING CHANGE: tanks of the old kind do not fit any more.', 6);
  commit('Close a gap (#99)');
  const nozzle = commit('Fix the <nozzle> (#7)', 7);
  git('tag', '--annotate', '--message', 'Two', 'v2');
  git('checkout', '--quiet', '-b', '1.x', 'v1');
  git('cherry-pick', '-x', engines);
  commit(`[Backport 1.x] Fix the <nozzle> (#8)\n\n(cherry picked from commit ${nozzle})`, 8);
  git('tag', 'v1.1');
  git('checkout', '--quiet', 'main');
  git('merge', '--quiet', '--no-ff', '-m', "Merge branch '1.x'", '1.x');
  git('tag', 'v3');
  git('checkout', '--quiet', '-b', 'next');
  commit('Not yet', 9);
  git('checkout', '--quiet', 'main');
  git('branch', '--quiet', '-D', 'next', 'fuel');
  return folder;
}
