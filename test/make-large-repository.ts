import { execFileSync } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const git = (folder: string, parameters: string[], input: string | Buffer = ''): string =>
  execFileSync('git', parameters, { cwd: folder, input, maxBuffer: 256 * 1024 * 1024 }).toString();

/**
 * A bare repository with a base, a head that changes many files, and git's diff of it, at pull request 1 of every host's refs.
 * Unique added lines of 60 bytes give it any size.
 */
export function makeLargeRepository(
  changed: number,
  { linesAdded = 0 }: { linesAdded?: number } = {},
): {
  gitFolder: string;
  base: string;
  head: string;
  diff: string;
} {
  const gitFolder = join(temporaryFolder(), 'large.git');
  git('/', ['init', '--quiet', '--bare', '--initial-branch=main', gitFolder]);
  const lines = (index: number, word: string) =>
    Array.from({ length: 12 }, (_, line) => `line ${line} of file ${index}${line === 6 ? word : ''}\n`).join(
      '',
    );
  const added = (index: number) =>
    Array.from(
      { length: linesAdded },
      (_, line) => `${hash('sha1', `${index} ${line}`)} ${`of file ${index}`.padEnd(18)}\n`,
    ).join('');
  const file = (index: number, text: string) =>
    `M 100644 inline src/folder-${index % 50}/file-${index}.txt\ndata ${text.length}\n${text}\n`;
  const commit = (mark: number, subject: string, files: string[]) =>
    `commit refs/heads/main\nmark :${mark}\ncommitter A <a@example.org> 1700000000 +0000\ndata ${subject.length}\n${subject}\n${files.join('')}\n`;
  const indexes = Array.from({ length: changed + 500 }, (_, index) => index);
  const before = indexes.map((index) => file(index, lines(index, '')));
  const after = indexes
    .slice(0, changed)
    .map((index) => file(index, lines(index, ', changed') + added(index)));
  git(
    gitFolder,
    ['fast-import', '--quiet'],
    commit(1, 'Begin', before) + commit(2, 'feat: change every file (#1)', after),
  );
  const [head = '', base = ''] = git(gitFolder, ['rev-list', 'main']).trim().split('\n');
  for (const ref of ['refs/pull/1/head', 'refs/merge-requests/1/head'])
    git(gitFolder, ['update-ref', ref, head]);
  const diff = git(gitFolder, ['diff', '--no-color', '-M', '-U3', base, head]);
  return { gitFolder, base, head, diff };
}

/** A bare repository whose head adds one incompressible file. */
export function makeVastRepository(bytes: number): { gitFolder: string; base: string; head: string } {
  const gitFolder = join(temporaryFolder(), 'vast.git');
  git('/', ['init', '--quiet', '--bare', gitFolder]);
  const by = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const write = (content: string | Buffer) =>
    git(gitFolder, ['hash-object', '-w', '--stdin'], content).trim();
  const commit = (content: string | Buffer, ...parents: string[]) => {
    const tree = git(gitFolder, ['mktree'], `100644 blob ${write(content)}\tvast.bin\n`).trim();
    return git(gitFolder, [...by, 'commit-tree', '-m', 'work', ...parents, tree]).trim();
  };
  const base = commit('small');
  const head = commit(randomBytes(bytes), '-p', base);
  git(gitFolder, ['update-ref', 'refs/heads/main', head]);
  return { gitFolder, base, head };
}
