import { spawn, spawnSync } from 'node:child_process';
import { bareGitEnvironment } from '../../src/code-hosts/git-runner/run-git.ts';
import type { ChangeType } from '../../src/domain/article.ts';
import { prefixType } from '../../src/reading/change-type/read-change-type.ts';
import type { FileDiff } from '../../src/reading/file-diff.ts';
import { parseDiff } from '../../src/reading/parse-diff.ts';

/** A squashed pull request whose author said in the title what kind of change it is. */
export interface LabelledCommit {
  commit: string;
  parent: string;
  label: ChangeType;
  title: string;
  body: string;
}

interface LabelledDiff {
  commit: LabelledCommit;
  files: FileDiff[];
}

interface Piece {
  bytes: Buffer;
  isId: boolean;
}

const labelled = /^(?:feat|fix|refactor|docs?|tests?|perf|build|ci|chore)(?:\([^)]*\))?!?: .*\(#\d+\)$/;

// A diff of this size is a vendored tree or a data dump; reading it would say more about git than about the change.
const largestDiff = 2_000_000;

/** The labelled pull requests on the first-parent line of a mirror, newest first. */
export function labelledCommits(gitFolder: string): LabelledCommit[] {
  const printed = spawnSync(
    'git',
    ['log', '--first-parent', '--no-show-signature', '--format=%H %P%x01%s%x01%b%x00', 'HEAD'],
    { env: environment(gitFolder), maxBuffer: 1 << 30 },
  );
  if (printed.status !== 0) throw new Error(`git cannot read ${gitFolder}: ${printed.stderr.toString()}`);
  const commits: LabelledCommit[] = [];
  for (const record of printed.stdout.toString('utf8').split('\0')) {
    const [ids = '', title = '', body = ''] = record.trimStart().split('\x01');
    const [commit, parent] = ids.split(' ');
    const label = labelled.test(title) ? prefixType(title) : null;
    if (!commit || !parent || !label) continue;
    commits.push({ commit, parent, label, title: title.replace(/\s*\(#\d+\)$/, ''), body });
  }
  return commits;
}

/** The files that each of the commits changed; those too large to read, or not wholly in the mirror, are left out. */
export async function* diffsOf(gitFolder: string, commits: LabelledCommit[]): AsyncGenerator<LabelledDiff> {
  const position = new Map(commits.map(({ commit }, index) => [commit, index]));
  for (let from = 0; from < commits.length; ) {
    const run = new DiffRun(gitFolder, commits.slice(from));
    for await (const { id, diff } of run.diffs()) {
      const index = position.get(id) ?? from;
      const commit = commits[index];
      from = index + 1;
      if (commit && diff) yield { commit, files: parseDiff(diff) };
    }
    // Git gives up at the first object that a mirror lacks: what it was printing is passed over.
    from = run.wasWhole ? commits.length : Math.max(from, (position.get(run.last) ?? from) + 1);
  }
}

/** One process that prints many diffs. */
class DiffRun {
  wasWhole = false;
  last = '';
  readonly #gitFolder: string;
  readonly #commits: LabelledCommit[];

  constructor(gitFolder: string, commits: LabelledCommit[]) {
    this.#gitFolder = gitFolder;
    this.#commits = commits;
  }

  async *diffs(): AsyncGenerator<{ id: string; diff: Buffer | null }> {
    const options = ['--stdin', '-p', '-M', '-U3', '--no-ext-diff', '--no-textconv'];
    const git = spawn('git', ['diff-tree', ...options], {
      env: environment(this.#gitFolder),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const exit = new Promise((resolve) => git.on('close', resolve));
    git.stdin.on('error', () => {});
    git.stdin.end(this.#commits.map(({ commit, parent }) => `${commit} ${parent}\n`).join(''));
    let diff: Buffer[] = [];
    let size = 0;
    const taken = () => ({ id: this.last, diff: size <= largestDiff ? Buffer.concat(diff) : null });
    for await (const { bytes, isId } of splitStreamAtIds(git.stdout)) {
      if (isId) {
        if (this.last) yield taken();
        this.last = bytes.toString('latin1', 0, 40);
        diff = [];
        size = 0;
      } else {
        size += bytes.length;
        if (size <= largestDiff) diff.push(bytes);
      }
    }
    this.wasWhole = (await exit) === 0;
    if (this.wasWhole && this.last) yield taken();
  }
}

/** Before each diff git prints the commit's id on a line of its own; no line of a diff begins with a hexadecimal digit. */
async function* splitStreamAtIds(stream: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = rest.lastIndexOf(10) + 1;
    yield* splitAtIds(rest.subarray(0, end));
    rest = rest.subarray(end);
  }
  if (rest.length > 0) yield { bytes: rest, isId: false };
}

function* splitAtIds(text: Buffer): Generator<Piece> {
  let from = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(10, start) + 1;
    if (end - start === 41 && isHexadecimal(text, start)) {
      if (start > from) yield { bytes: text.subarray(from, start), isId: false };
      yield { bytes: text.subarray(start, end), isId: true };
      from = end;
    }
    start = end;
  }
  if (text.length > from) yield { bytes: text.subarray(from), isId: false };
}

function isHexadecimal(text: Buffer, start: number): boolean {
  return /^[0-9a-f]{40}$/.test(text.toString('latin1', start, start + 40));
}

// Mirrors come from elsewhere: nothing of this machine's configuration and nothing that a mirror may name is used.
const environment = (gitFolder: string) => ({
  ...bareGitEnvironment,
  PATH: '/usr/local/bin:/usr/bin:/bin',
  GIT_DIR: gitFolder,
  GIT_NO_LAZY_FETCH: '1',
});
