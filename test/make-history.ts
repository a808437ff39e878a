import { execFileSync } from 'node:child_process';
import { git, makeClone, settings } from './make-clone.ts';

/** A clone whose pull requests 1 to the given number are merged, and whose next one is open. */
export function makeHistory(root: string, fullName: string, merged: number): string {
  const folder = makeClone(root, fullName);
  const stream = ['reset refs/pull/1/head', 'from refs/heads/main^0'];
  const data = (text: string) => `data ${text.length}\n${text}`;
  for (let number = 2; number <= merged + 1; number += 1) {
    const head = `refs/pull/${number}/head`;
    stream.push(
      `commit ${head}\nmark :${number}\ncommitter Rin Example <rin@example.org> now`,
      data(`feat: part ${number} (#${number})`),
      `from ${number === 2 ? 'refs/heads/main^0' : `:${number - 1}`}\nM 100644 inline part-${number}.ts`,
      data(`export const part = ${number};\n`),
    );
  }
  stream.push('reset refs/heads/main', merged > 1 ? `from :${merged}` : 'from refs/heads/main^0');
  const parameters = ['-C', folder, 'fast-import', '--quiet', '--date-format=now'];
  execFileSync('git', parameters, { ...settings, input: stream.join('\n') });
  git(folder, 'reset', '--quiet', '--hard');
  return folder;
}
