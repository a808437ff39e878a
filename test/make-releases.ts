import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeClone } from './make-clone.ts';

/**
 * A clone with releases v1, v1.1 (of a branch of its own) and v2, and v3, into which that branch was merged. Its pull requests:
 * 2 squashed, 3 merged with two commits, 4 reverted by 5, 6 breaking, 7 with its copy 8 on the branch, 9 open.
 */
export function makeReleases(root: string, fullName: string): string {
  const folder = makeClone(root, fullName);
  let files = 0;
  const commit = (message: string, number?: number): string => {
    files += 1;
    writeFileSync(join(folder, `part-${files}.ts`), `export const part = ${files};\n`);
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message', message);
    const sha = git(folder, 'rev-parse', 'HEAD').trim();
    if (number !== undefined) git(folder, 'update-ref', `refs/pull/${number}/head`, sha);
    return sha;
  };
  git(folder, 'update-ref', 'refs/pull/1/head', 'HEAD');
  git(folder, 'tag', 'v1');
  const engines = commit('feat: engines for all (#2)', 2);
  git(folder, 'checkout', '--quiet', '-b', 'fuel');
  commit('Tank');
  const pump = commit('Pump (#2)', 3);
  git(folder, 'checkout', '--quiet', 'main');
  commit('Tidy by hand');
  git(folder, 'merge', '--quiet', '--no-ff', '-m', 'Merge pull request #3 from ann/fuel\n\nAdd fuel', pump);
  commit('Say more of engines (#2)');
  const valve = commit('Mend the valve (#4)', 4);
  commit(`Revert "Mend the valve (#4)" (#5)\n\nThis reverts commit ${valve}.`, 5);
  commit('fix!: another thrust (#6)\n\nBREAKING CHANGE: tanks of the old kind do not fit any more.', 6);
  commit('Close a gap (#99)');
  const nozzle = commit('Fix the <nozzle> (#7)', 7);
  git(folder, 'tag', '--annotate', '--message', 'Two', 'v2');
  git(folder, 'checkout', '--quiet', '-b', '1.x', 'v1');
  git(folder, 'cherry-pick', '-x', engines);
  commit(`[Backport 1.x] Fix the <nozzle> (#8)\n\n(cherry picked from commit ${nozzle})`, 8);
  git(folder, 'tag', 'v1.1');
  git(folder, 'checkout', '--quiet', 'main');
  git(folder, 'merge', '--quiet', '--no-ff', '-m', "Merge branch '1.x'", '1.x');
  git(folder, 'tag', 'v3');
  git(folder, 'checkout', '--quiet', '-b', 'next');
  commit('Not yet', 9);
  git(folder, 'checkout', '--quiet', 'main');
  git(folder, 'branch', '--quiet', '-D', 'next', 'fuel');
  return folder;
}
