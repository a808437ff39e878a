import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from './make-clone.ts';

/** Adds a merged pull request to a clone, large enough for a test to act while it is read. */
export function makeLargePullRequest(clone: string, number: number, files: number, functionsEach = 20): void {
  mkdirSync(join(clone, `large-${number}`), { recursive: true });
  for (let file = 0; file < files; file += 1) {
    const functions = Array.from({ length: functionsEach }, (_, index) => {
      const name = `count${file}of${index}`;
      return `/** Counts what is left. */\nexport function ${name}(left: number): number {\n  if (left < ${index}) throw new Error('too few');\n  return left - ${file};\n}\n`;
    });
    writeFileSync(join(clone, `large-${number}`, `part-${file}.ts`), functions.join('\n'));
  }
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', `feat: count everything (#${number})`);
}
