import type { FileStatus } from '../../reading/file-diff.ts';
import type { FileText, HostFileSummary, WantedText } from '../code-host.ts';
import { type KeptQuery, NoResponse } from './git-spawner.ts';
import { type Clone, type GitRunner, queryGit, runGit, streamGit, UnreadableClone } from './run-git.ts';

const comparing = ['--no-ext-diff', '--no-textconv', '--no-color', '-M'];

/** With an option for context lines git prints the diff, so other commands must not have it. */
const options = [...comparing, '-U3'];

const timeoutMs = 5 * 60 * 1000;

export function printDiff(git: GitRunner, clone: Clone, base: string, head: string): AsyncIterable<Buffer> {
  return streamGit(git, clone, ['diff', ...options, base, head, '--'], { timeoutMs });
}

/**
 * The diff between a commit and the files of a checkout. Git runs no filters, because the isolated folder has no
 * configuration. Submodules are not searched, because git would apply their configuration.
 */
export function printUncommitted(
  git: GitRunner,
  clone: Clone,
  { root, indexFile }: { root: string; indexFile: string },
  base: string,
): AsyncIterable<Buffer> {
  const parameters = [`--work-tree=${root}`, 'diff', ...options, '--ignore-submodules=dirty', base, '--'];
  return streamGit(git, clone, parameters, { timeoutMs, indexFile });
}

/** Computes a diff with a reused git. If that fails, `git diff` gives the reason. */
export async function* diffBetween(
  git: GitRunner,
  clone: Clone,
  base: string,
  head: string,
): AsyncGenerator<Buffer, void> {
  let hasBegun = false;
  try {
    const trees = await treesOf(git, clone, [base, head]);
    for await (const { chunk } of diffTrees(git, clone, [trees])) {
      hasBegun = true;
      yield chunk;
    }
  } catch (error) {
    if (hasBegun || !(error instanceof UnreadableClone)) throw error;
    yield* printDiff(git, clone, base, head);
  }
}

export async function diffsBetween(
  git: GitRunner,
  clone: Clone,
  ranges: { base: string; head: string }[],
  mostBytes: number,
): Promise<(Buffer | null)[]> {
  const trees = await treesOf(
    git,
    clone,
    ranges.flatMap(({ base, head }) => [base, head]),
  );
  const pairs = ranges.map((_, place) => trees.slice(2 * place, 2 * place + 2));
  const diffs = ranges.map(() => ({ chunks: [] as Buffer[], size: 0 }));
  for await (const { place, chunk } of diffTrees(git, clone, pairs)) {
    const diff = diffs[place];
    if (!diff) continue;
    diff.size += chunk.length;
    if (diff.size <= mostBytes) diff.chunks.push(chunk);
    else diff.chunks = [];
  }
  return diffs.map(({ chunks, size }) => (size > mostBytes ? null : Buffer.concat(chunks)));
}

/** After all other output git echoes a line that names no object. Lines of a diff cannot begin with the same mark. */
function diffTrees(
  git: GitRunner,
  clone: Clone,
  pairs: string[][],
): AsyncGenerator<{ place: number; chunk: Buffer }, void> {
  const mark = `end-${crypto.randomUUID()}\n`;
  const headers = pairs.map((trees) => trees.join(' '));
  return queryGit(git, clone, ['diff-tree', '--stdin', '-r', '-p', ...options], {
    timeoutMs,
    async *response({ write, reader }) {
      write(headers.map((header) => `${header}\n${mark}`).join(''));
      for (const [place, header] of headers.entries()) {
        if ((await reader.takeLine()) !== header) throw new NoResponse('git did not find both trees');
        const chunks = reader.takeUntil(Buffer.from(mark));
        let next = await chunks.next();
        for (; !next.done; next = await chunks.next()) yield { place, chunk: next.value };
        if (!next.value) throw new NoResponse('git ended within a diff');
      }
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

/** One run prints the status of each file and then the line counts, which are hyphens for binary files. */
export async function fileSummariesBetween(
  git: GitRunner,
  clone: Clone,
  base: string,
  head: string,
): Promise<HostFileSummary[]> {
  const parameters = ['diff', ...comparing, '-z', '--raw', '--numstat', base, head, '--'];
  const fields = (await runGit(git, clone, parameters, { timeoutMs })).split('\0');
  const files: HostFileSummary[] = [];
  const take = (): string => fields.shift() ?? '';
  while (fields[0]?.startsWith(':')) {
    const letter = take().split(' ').at(-1)?.[0] ?? 'M';
    const first = take();
    const hasTwo = letter === 'R' || letter === 'C';
    files.push({
      path: hasTwo ? take() : first,
      previousPath: hasTwo ? first : null,
      status: statuses[letter] ?? 'modified',
      additions: 0,
      deletions: 0,
    });
  }
  const byPath = new Map(files.map((file) => [file.path, file]));
  while (fields.length > 1) {
    const [additions, deletions, ...rest] = take().split('\t');
    const isRename = rest.join('') === '';
    const previousPath = isRename ? take() : null;
    const file = byPath.get(previousPath === null ? rest.join('\t') : take());
    if (file) Object.assign(file, { additions: Number(additions) || 0, deletions: Number(deletions) || 0 });
  }
  return files;
}

/**
 * The bytes of a file, and of all files together, that are outlined. Files are read one at a time, never held together.
 */
const mostBytes = { file: 1024 * 1024, all: 20 * 1024 * 1024 };

export function readFileTexts(
  git: GitRunner,
  clone: Clone,
  { base, head, wanted }: { base: string; head: string; wanted: WantedText[] },
): AsyncGenerator<FileText, void> {
  const names = wanted.map(({ path, side }) =>
    isPath(path) ? `${side === 'new' ? head : base}:${path}` : 'none',
  );
  return readNamedTexts(git, clone, names);
}

export function readNamedTexts(
  git: GitRunner,
  clone: Clone,
  names: string[],
): AsyncGenerator<FileText, void> {
  return queryObjects(git, clone, async function* (query) {
    const blobs = chooseBlobs(await describeObjects(query, names));
    query.write(blobs.map(({ id }) => `contents ${id}\n`).join(''));
    for (const { place, size } of blobs) {
      await takeLine(query);
      const bytes = await query.reader.take(size);
      if (bytes === null) throw new NoResponse('git ended within a file');
      await takeLine(query);
      yield { place, text: bytes.toString('utf8') };
    }
  });
}

/** Paths with a line break would end the query, and relative paths stop git, so neither finds a file. */
const isPath = (path: string): boolean => !path.includes('\n') && !/^\.{1,2}(?:\/|$)/.test(path);

function chooseBlobs(objects: (GitObject | null)[]) {
  const blobs: (GitObject & { place: number })[] = [];
  let left = mostBytes.all;
  for (const [place, object] of objects.entries()) {
    if (object?.kind !== 'blob' || object.size > mostBytes.file || object.size > left) continue;
    left -= object.size;
    blobs.push({ ...object, place });
  }
  return blobs;
}

interface GitObject {
  id: string;
  kind: string;
  size: number;
}

function queryObjects<Piece>(
  git: GitRunner,
  clone: Clone,
  response: (query: KeptQuery) => AsyncGenerator<Piece, void>,
): AsyncGenerator<Piece, void> {
  return queryGit(git, clone, ['cat-file', '--batch-command'], { response });
}

async function describeObjects(query: KeptQuery, names: string[]): Promise<(GitObject | null)[]> {
  query.write(names.map((name) => `info ${name}\n`).join(''));
  const found: (GitObject | null)[] = [];
  for (const _ of names) {
    const [, id, kind, digits] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(await takeLine(query)) ?? [];
    found.push(id && kind ? { id, kind, size: Number(digits) } : null);
  }
  return found;
}

async function takeLine({ reader }: KeptQuery): Promise<string> {
  const line = await reader.takeLine();
  if (line === null) throw new NoResponse('git ended within an answer');
  return line;
}

export async function treesOf(git: GitRunner, clone: Clone, commits: string[]): Promise<string[]> {
  const trees: string[] = [];
  const names = commits.map((sha) => `${sha}^{tree}`);
  for await (const { id } of queryObjects(git, clone, async function* (query) {
    for (const found of await describeObjects(query, names)) if (found?.kind === 'tree') yield found;
  }))
    trees.push(id);
  if (trees.length < commits.length) throw new UnreadableClone(clone, new Error('A commit has no tree.'));
  return trees;
}
