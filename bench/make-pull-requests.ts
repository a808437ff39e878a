import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { programSearchPath } from '../src/config.ts';
import { git } from '../test/make-clone.ts';

const block = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** A commit for fast-import that is a merged pull request of a clone: it adds a function and a test of it. */
function commit(number: number): string {
  const name = `priceOf${number}`;
  const source = `/** What item ${number} costs, in cents. */\nexport function ${name}(grams: number): number {\n  return Math.max(100, grams * ${number});\n}\n`;
  const test = `import { ${name} } from './item-${number}.ts';\n\ntest('item ${number} costs a euro at least', () => assert.equal(${name}(0), 100));\n`;
  return [
    'commit refs/heads/main\n',
    `committer Rin Example <rin@example.org> ${1_767_225_600 + number} +0000\n`,
    block(
      `feat: price item ${number} by its weight (#${number})\n\nItem ${number} was sold at one price, however heavy.\n`,
    ),
    `M 100644 inline src/item-${number}.ts\n${block(source)}`,
    `M 100644 inline src/item-${number}.test.ts\n${block(test)}\n`,
  ].join('');
}

/** A clone at root/fullName with pull requests numbered from 1, made by a single run of git. */
export function makePullRequests(root: string, fullName: string, count: number): void {
  const folder = join(root, fullName);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const input = Array.from({ length: count }, (_, index) => commit(index + 1)).join('');
  const environment = { PATH: programSearchPath(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input, env: environment });
}
