import type { FileStatus } from '../../reading/file-diff.ts';
import type { HostFileSummary } from '../code-host.ts';
import type { Clone } from './clone.ts';
import { NoAnswer } from './kept-gits.ts';
import { treesOf } from './objects.ts';
import { askGit, type GitRunner, runGit, streamGit, UnreadableClone } from './run-git.ts';

/** How git compares, whatever it is to tell of it. */
const comparing = ['--no-ext-diff', '--no-textconv', '--no-color', '-M'];

/** Lines of context are for those who want the whole diff: git prints it wherever they are asked for. */
const options = [...comparing, '-U3'];

/** The largest changes take git minutes to print. */
const timeoutMs = 5 * 60 * 1000;

export function printDiff(git: GitRunner, clone: Clone, base: string, head: string): AsyncIterable<Buffer> {
  return streamGit(git, clone, ['diff', ...options, base, head, '--'], { timeoutMs });
}

/** The same from a git that stays for further diffs of the clone. Where that cannot print it, `git diff` tells why. */
export async function* diffBetween(
  git: GitRunner,
  clone: Clone,
  base: string,
  head: string,
): AsyncGenerator<Buffer, void> {
  let hasBegun = false;
  try {
    for await (const chunk of diffTrees(git, clone, await treesOf(git, clone, [base, head]))) {
      hasBegun = true;
      yield chunk;
    }
  } catch (error) {
    if (hasBegun || !(error instanceof UnreadableClone)) throw error;
    yield* printDiff(git, clone, base, head);
  }
}

/** A line that names no object is printed as it is, after all that was asked for before: no line of a diff begins so. */
function diffTrees(git: GitRunner, clone: Clone, trees: string[]): AsyncGenerator<Buffer, void> {
  const mark = `end-${crypto.randomUUID()}\n`;
  const header = trees.join(' ');
  return askGit(git, clone, ['diff-tree', '--stdin', '-r', '-p', ...options], {
    timeoutMs,
    async *answer({ write, reader }) {
      write(`${header}\n${mark}`);
      if ((await reader.takeLine()) !== header) throw new NoAnswer('git did not find both trees');
      if (!(yield* reader.takeUntil(Buffer.from(mark)))) throw new NoAnswer('git ended within a diff');
    },
  });
}

const statuses: Record<string, FileStatus> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'typeChanged',
};

/** Every file with its counts, as git itself counts them. */
export async function fileSummariesBetween(
  git: GitRunner,
  clone: Clone,
  base: string,
  head: string,
): Promise<HostFileSummary[]> {
  const [names, numbers] = await Promise.all(
    ['--name-status', '--numstat'].map((format) =>
      runGit(git, clone, ['diff', ...comparing, '-z', format, base, head, '--'], { timeoutMs }),
    ),
  );
  const counts = parseNumbers(numbers ?? '');
  return parseNames(names ?? '').map((file) => ({
    ...file,
    ...(counts.get(file.path) ?? { additions: 0, deletions: 0 }),
  }));
}

function parseNames(printed: string): Pick<HostFileSummary, 'path' | 'previousPath' | 'status'>[] {
  const fields = printed.split('\0');
  const files: Pick<HostFileSummary, 'path' | 'previousPath' | 'status'>[] = [];
  for (let index = 0; index < fields.length - 1; ) {
    const letter = fields[index]?.[0] ?? 'M';
    const hasTwo = letter === 'R' || letter === 'C';
    const previousPath = hasTwo ? (fields[index + 1] ?? null) : null;
    const path = fields[index + (hasTwo ? 2 : 1)] ?? '';
    files.push({ path, previousPath, status: statuses[letter] ?? 'modified' });
    index += hasTwo ? 3 : 2;
  }
  return files;
}

/** Counts by path; binary files have a hyphen instead of a number. */
function parseNumbers(printed: string): Map<string, { additions: number; deletions: number }> {
  const fields = printed.split('\0');
  const counts = new Map<string, { additions: number; deletions: number }>();
  for (let index = 0; index < fields.length - 1; ) {
    const [additions = '', deletions = '', ...rest] = (fields[index] ?? '').split('\t');
    const name = rest.join('\t');
    const isRename = name === '';
    const path = isRename ? (fields[index + 2] ?? '') : name;
    counts.set(path, { additions: Number(additions) || 0, deletions: Number(deletions) || 0 });
    index += isRename ? 3 : 1;
  }
  return counts;
}
