import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitInTurn, makeClone } from './make-clone.ts';

/** A clone whose pull requests 1 to the given number are merged, and whose next one is open. */
export function makeHistory(root: string, fullName: string, merged: number): string {
  const folder = makeClone(root, fullName);
  const commands = [['update-ref', 'refs/pull/1/head', 'main']];
  for (let number = 2; number <= merged + 1; number += 1) {
    const file = `part-${number}.ts`;
    writeFileSync(join(folder, file), `export const part = ${number};\n`);
    if (number > merged) commands.push(['checkout', '--quiet', '-b', 'next']);
    commands.push(
      ['add', file],
      ['commit', '--quiet', '--message', `feat: part ${number} (#${number})`],
      ['update-ref', `refs/pull/${number}/head`, 'HEAD'],
    );
  }
  gitInTurn(folder, [...commands, ['checkout', '--quiet', 'main'], ['branch', '--quiet', '-D', 'next']]);
  return folder;
}
