import { execFileSync } from 'node:child_process';

/** Tags the base of a pull request as v1 and its head as v2. */
export function tagMerge(gitFolder: string, { base, head }: { base: string; head: string }): void {
  const updates = [`create refs/tags/v1 ${base}`, `create refs/tags/v2 ${head}`, ''].join('\n');
  execFileSync('git', ['-C', gitFolder, 'update-ref', '--stdin'], { input: updates });
}
