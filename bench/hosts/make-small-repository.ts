import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/temporary-folder.ts';

export interface SmallRepository {
  gitFolder: string;
  base: string;
  /** Its commits, as they were pushed: the last one comes later than the others. */
  commits: { sha: string; message: string; author: string }[];
  diffUpTo: (sha: string) => string;
  /** Has pull request 1 end at a commit, by the refs of every host. */
  moveTo: (sha: string) => void;
}

export const fileName = 'src/rows.ts';

const messages = ['Begin', 'feat: count the rows', 'Count columns, too', 'Count neither twice'];

/** A pull request of two commits, and a third one that is pushed to it. */
export function makeSmallRepository(): SmallRepository {
  const gitFolder = join(temporaryFolder(), 'small.git');
  const git = (parameters: string[], input = '') =>
    execFileSync('git', ['-C', gitFolder, ...parameters], { input }).toString();
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitFolder]);
  const stream = messages.map((message, place) => {
    const text = messages.slice(0, place + 1).map((_, line) => `export const line${line} = ${line};\n`);
    const ref = place === 0 ? 'refs/heads/main' : 'refs/heads/topic';
    const from = place === 1 ? 'from refs/heads/main\n' : '';
    const file = `M 100644 inline ${fileName}\ndata ${text.join('').length}\n${text.join('')}`;
    return `commit ${ref}\ncommitter Mona <mona@example.org> 1772359200 +0000\ndata ${message.length}\n${message}\n${from}${file}\n`;
  });
  git(['fast-import', '--quiet'], stream.join(''));
  const [base = '', ...shas] = git(['rev-list', '--reverse', 'topic']).trim().split('\n');
  return {
    gitFolder,
    base,
    commits: shas.map((sha, place) => ({ sha, message: messages[place + 1] ?? '', author: 'Mona' })),
    diffUpTo: (sha) => git(['diff', '--no-color', '-M', '-U3', base, sha]),
    moveTo(sha) {
      for (const ref of ['refs/pull/1/head', 'refs/merge-requests/1/head']) git(['update-ref', ref, sha]);
    },
  };
}
