import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeClone } from './make-clone.ts';

/** A clone whose pull requests 1 to the given number are merged, and whose next one is open. */
export function makeHistory(root: string, fullName: string, merged: number): string {
  const folder = makeClone(root, fullName);
  git(folder, 'update-ref', 'refs/pull/1/head', 'main');
  for (let number = 2; number <= merged + 1; number += 1) {
    if (number > merged) git(folder, 'checkout', '--quiet', '-b', 'next');
    writeFileSync(join(folder, `part-${number}.ts`), `export const part = ${number};\n`);
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message', `feat: part ${number} (#${number})`);
    git(folder, 'update-ref', `refs/pull/${number}/head`, 'HEAD');
  }
  git(folder, 'checkout', '--quiet', 'main');
  git(folder, 'branch', '--quiet', '-D', 'next');
  return folder;
}
