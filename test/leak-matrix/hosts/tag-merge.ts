import { execFileSync } from 'node:child_process';

/** Tags what was before a pull request with v1, and its head with v2. */
export function tagMerge(gitFolder: string, { base, head }: { base: string; head: string }): void {
  const updates = [`create refs/tags/v1 ${base}`, `create refs/tags/v2 ${head}`, ''].join('\n');
  execFileSync('git', ['-C', gitFolder, 'update-ref', '--stdin'], { input: updates });
}
