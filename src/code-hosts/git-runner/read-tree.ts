import { Failure } from '../../domain/errors.ts';
import type { Tree, TreeHit, TreeRelease, TreeSide } from '../code-host.ts';
import { readNamedTexts } from './read-objects.ts';
import { type Clone, type GitRunner, runGit, streamGit } from './run-git.ts';

/** Searching an ordinary repository takes a twentieth of this, unless the machine is busy. */
const searchMs = 3_000;

const readMs = 10_000;

/** The most that a search prints; a text that is on every line says nothing. */
const mostPrinted = 8 * 1024 * 1024;

/** Limits per text and per file, so that a common text or a data file does not crowd out the others. */
const mostOfText = 500;
const mostOfFile = 100;

const mostChanged = 32 * 1024 * 1024;

/** Both sides of a pull request in a clone. */
export function readTree(
  git: GitRunner,
  clone: Clone,
  { base, head }: { base: string; head: string },
  close: () => Promise<void> = async () => {},
): Tree {
  const commitOf = (side: TreeSide): string => (side === 'new' ? head : base);
  return {
    async changedPaths() {
      const parameters = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, head];
      const options = { timeoutMs: readMs, maxBytes: mostChanged };
      return (await runGit(git, clone, parameters, options)).split('\0').filter((path) => path !== '');
    },
    find: (side, texts) => findLines(git, clone, commitOf(side), texts),
    read: (side, paths) => readRegularFiles(git, clone, commitOf(side), paths),
    async readReleased(paths) {
      const releases = await releasesBefore(git, clone, base);
      return Promise.all(
        releases.map(async ({ name, date }) => {
          const texts = await readRegularFiles(git, clone, `refs/tags/${name}`, paths);
          return { name, date, texts };
        }),
      );
    },
    close,
  };
}

/**
 * One git searches for all texts in one pattern, because with several patterns it searches the rest of a file for each
 * of them after each match. Matches found before a timeout or the limit are kept.
 */
async function findLines(
  git: GitRunner,
  clone: Clone,
  commit: string,
  texts: string[],
): Promise<{ hits: TreeHit[]; isPartial: boolean }> {
  const wanted = texts.filter(isSearchable);
  if (wanted.length === 0) return { hits: [], isPartial: false };
  const pattern = wanted.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
  const parameters = ['grep', '--no-color', '--no-textconv', '-nIEz', '-e', pattern, commit, '--'];
  const lines = new PrintedLines(`${commit}:`, wanted);
  let printed = 0;
  try {
    for await (const chunk of streamGit(git, clone, parameters, { timeoutMs: searchMs, nothingCode: 1 })) {
      lines.push(chunk);
      printed += chunk.length;
      if (printed > mostPrinted) return { hits: lines.hits, isPartial: true };
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'HOST_TIMEOUT') throw error;
    return { hits: lines.hits, isPartial: true };
  }
  return { hits: lines.hits, isPartial: false };
}

/** Git would read a text with a line break as two texts, and no command line can contain NUL. */
const isSearchable = (text: string): boolean => text !== '' && !/[\n\0]/.test(text);

const lineBreak = 10;

/** The longest line that a search finds; longer ones were not written by hand. */
const longestLine = 2_000;

const longestPath = 4_096;

class PrintedLines {
  readonly hits: TreeHit[] = [];
  readonly #prefix: string;
  readonly #counts: { text: string; all: number; ofFile: number }[];
  #path = '';
  #rest: Buffer = Buffer.alloc(0);
  #isSkipping = false;

  constructor(prefix: string, texts: string[]) {
    this.#prefix = prefix;
    this.#counts = texts.map((text) => ({ text, all: 0, ofFile: 0 }));
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, from)) {
      const line = chunk.subarray(from, end);
      if (!this.#isSkipping) this.#take(this.#rest.length === 0 ? line : Buffer.concat([this.#rest, line]));
      this.#rest = Buffer.alloc(0);
      this.#isSkipping = false;
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    if (this.#isSkipping || rest.length === 0) return;
    this.#rest = Buffer.concat([this.#rest, rest]);
    this.#isSkipping = this.#rest.length > longestPath + longestLine + 100;
    if (this.#isSkipping) this.#rest = Buffer.alloc(0);
  }

  #take(printed: Buffer): void {
    if (printed.length > longestPath + longestLine + 100) return;
    const [name = '', line, text] = printed.toString('utf8').split('\0');
    if (line === undefined || text === undefined || !name.startsWith(this.#prefix)) return;
    if (text.length > longestLine || !/^\d+$/.test(line)) return;
    const path = name.slice(this.#prefix.length);
    if (path !== this.#path) for (const count of this.#counts) count.ofFile = 0;
    this.#path = path;
    const few = this.#counts.filter(
      (count) => count.all < mostOfText && count.ofFile < mostOfFile && text.includes(count.text),
    );
    for (const count of few) {
      count.all += 1;
      count.ofFile += 1;
    }
    if (few.length > 0) this.hits.push({ path, line: Number(line), text: text.replace(/\r$/, '') });
  }
}

/** A tag that ends with a whole version; those with letters behind it are no releases yet. */
const releaseTag = /^[\w.@/+-]{0,80}?(?<![\d.])(\d{1,9}(?:\.\d{1,9}){1,3})$/;

/** A tag without the name of a package. */
const plainTag = /^v?\d/i;

/** The newest release before a commit, and the highest if an older version was released later. */
async function releasesBefore(
  git: GitRunner,
  clone: Clone,
  commit: string,
): Promise<Pick<TreeRelease, 'name' | 'date'>[]> {
  const format = '--format=%(creatordate:unix) %(refname:strip=2)';
  const options = { timeoutMs: searchMs };
  const [time, listed] = await Promise.all([
    runGit(git, clone, ['log', '-1', '--format=%ct', commit, '--'], options),
    runGit(git, clone, ['for-each-ref', '--sort=-creatordate', format, 'refs/tags'], options),
  ]);
  const earlier = listed.split('\n').flatMap((line) => {
    const [seconds = '', name = ''] = line.split(' ');
    const version = releaseTag.exec(name)?.[1];
    if (!version || Number(seconds) > Number(time)) return [];
    const date = new Date(Number(seconds) * 1_000).toISOString().slice(0, 10);
    return [{ name, date, version: version.split('.').map(Number) }];
  });
  const isHigher = (one: number[], other: number[]): boolean => {
    const at = one.findIndex((number, place) => number !== (other[place] ?? 0));
    return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
  };
  const highest = earlier
    .filter(({ name }) => plainTag.test(name))
    .reduce<(typeof earlier)[number] | null>(
      (best, one) => (best === null || isHigher(one.version, best.version) ? one : best),
      null,
    );
  return [...new Set([highest, earlier[0]])].flatMap((one) => one ?? []);
}

/** Skips links, which may lead anywhere, and submodules. */
const regular = /^100(?:644|755) blob ([0-9a-f]+)\t/;

export async function readRegularFiles(
  git: GitRunner,
  clone: Clone,
  commit: string,
  paths: string[],
  most = Number.POSITIVE_INFINITY,
): Promise<{ path: string; text: string }[]> {
  const wanted = [...new Set(paths.filter(isPlainPath))];
  if (wanted.length === 0) return [];
  const parameters = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', ...wanted];
  const listed = await runGit(git, clone, parameters, { timeoutMs: readMs });
  const found = listed.split('\0').flatMap((entry) => {
    const [start, id] = regular.exec(entry) ?? [];
    return start && id ? [{ id, path: entry.slice(start.length) }] : [];
  });
  const files = found.slice(0, most);
  const texts: { path: string; text: string }[] = [];
  const ids = files.map(({ id }) => id);
  for await (const { place, text } of readNamedTexts(git, clone, ids)) {
    const path = files[place]?.path;
    if (path !== undefined && !text.slice(0, 8_000).includes('\0')) texts.push({ path, text });
  }
  return texts;
}

const isPlainPath = (path: string): boolean =>
  path !== '' &&
  path.length <= longestPath &&
  !/[\n\0]/.test(path) &&
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
