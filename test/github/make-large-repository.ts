import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

const git = (folder: string, parameters: string[], input = ''): string =>
  execFileSync('git', parameters, { cwd: folder, input, maxBuffer: 256 * 1024 * 1024 }).toString();

/** A bare repository with a base, a head that changes many files of it, and what git prints for that. */
export function makeLargeRepository(changed: number): {
  gitFolder: string;
  base: string;
  head: string;
  diff: string;
} {
  const gitFolder = join(temporaryFolder(), 'large.git');
  git('/', ['init', '--quiet', '--bare', gitFolder]);
  const lines = (index: number, word: string) =>
    Array.from({ length: 12 }, (_, line) => `line ${line} of file ${index}${line === 6 ? word : ''}\n`).join(
      '',
    );
  const file = (index: number, word: string) => {
    const text = lines(index, word);
    return `M 100644 inline src/folder-${index % 50}/file-${index}.txt\ndata ${text.length}\n${text}\n`;
  };
  const commit = (mark: number, from: string, files: string[]) =>
    `commit refs/heads/main\nmark :${mark}\ncommitter A <a@example.org> 1700000000 +0000\ndata 4\nwork\n${from}${files.join('')}\n`;
  const indexes = Array.from({ length: changed + 500 }, (_, index) => index);
  const before = indexes.map((index) => file(index, ''));
  const after = indexes.slice(0, changed).map((index) => file(index, ', changed'));
  git(gitFolder, ['fast-import', '--quiet'], commit(1, '', before) + commit(2, 'from :1\n', after));
  const [head = '', base = ''] = git(gitFolder, ['rev-list', 'main']).trim().split('\n');
  const diff = git(gitFolder, ['diff', '--no-color', '-M', '-U3', base, head]);
  return { gitFolder, base, head, diff };
}
