import { type BigIntStats, constants, readdirSync, statSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coalesceReads } from '../../domain/concurrency.ts';
import { detachText } from '../../domain/text.ts';
import { BoundedMap } from '../bounded-map.ts';
import {
  type Clone,
  type GitRunner,
  isolatedGitFolder,
  runGit,
  UnreadableClone,
} from '../git-runner/run-git.ts';
import { numberNamedBy } from '../sort-range.ts';
import { readLog, shaField, subjectField } from './read-commits.ts';

export interface Merge {
  sha: string;
  base: string | null;
  head: string | null;
  at: number;
}

export interface PullRequestIndex {
  tip: string;
  merged: Map<number, Merge>;
  heads: Map<number, string>;
  open: Set<number>;
  firstCommits: Map<string, string>;
}

interface Merges {
  tip: string;
  /** The commits at which a shallow clone begins; if it is deepened, it contains more merges. */
  shallow: string;
  named: Map<number, Merge>;
  /** The merge commit for each number and head, anywhere in the history of the default branch. */
  joined: Map<string, Merge>;
  firstCommits: PullRequestIndex['firstCommits'];
}

type Refs = { tip: string | null } & Pick<PullRequestIndex, 'heads' | 'open'>;

/**
 * Keeps an index of each clone. Merges are stored on disk and only new commits are read. Refs are read again when one
 * has changed.
 */
export class PullRequestIndexes {
  readonly #git: GitRunner;
  readonly #readRefs = keepWhileRefsStay((clone) => readRefs(this.#git, clone));
  readonly #read = new WeakMap<Refs, { merges: Merges; index: PullRequestIndex }>();
  readonly #known = new Map<string, Merges>();
  readonly #underWay = new Map<string, Promise<Merges>>();

  constructor(git: GitRunner) {
    this.#git = git;
  }

  async read(clone: Clone): Promise<PullRequestIndex | null> {
    const refs = await this.#readRefs(clone);
    if (!refs.tip) return null;
    const merges = await this.#mergesUpTo(clone, refs.tip);
    const known = this.#read.get(refs);
    if (known?.merges === merges) return known.index;
    const index = buildIndex(refs.tip, refs, merges);
    this.#read.set(refs, { merges, index });
    return index;
  }

  /** Concurrent calls share the work, which depends only on the commits. */
  async #mergesUpTo(clone: Clone, tip: string): Promise<Merges> {
    const shallow = await readShallow(clone);
    const key = [clone.gitFolder, tip, shallow].join('\n');
    const known = this.#underWay.get(key);
    if (known) return known;
    const merges = this.#workOut(clone, tip, shallow).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, merges);
    return merges;
  }

  async #workOut(clone: Clone, tip: string, shallow: string): Promise<Merges> {
    const file = join(isolatedGitFolder(this.#git, clone), 'dated-merges.json');
    const remembered = this.#known.get(clone.gitFolder) ?? (await load(file));
    const known = remembered?.shallow === shallow ? remembered : null;
    if (known?.tip === tip) return this.#remember(clone, known);
    const current =
      (known && (await extend(this.#git, clone, known, tip))) ??
      (await build(this.#git, clone, { tip, shallow }));
    await save(file, current);
    return this.#remember(clone, current);
  }

  #remember(clone: Clone, merges: Merges): Merges {
    this.#known.set(clone.gitFolder, merges);
    return merges;
  }
}

/** Commits may name numbers of other repositories; refs, if there are any, show which pull requests exist here. */
function buildIndex(
  tip: string,
  { heads, open }: Refs,
  { named, joined, firstCommits }: Merges,
): PullRequestIndex {
  if (heads.size === 0) return { tip, merged: named, heads, open, firstCommits };
  const merged = new Map<number, Merge>();
  for (const [number, head] of heads) {
    const merge = joined.get(`${number} ${head}`) ?? named.get(number);
    if (merge) merged.set(number, merge);
  }
  return { tip, merged, heads, open, firstCommits };
}

async function readRefs(git: GitRunner, clone: Clone): Promise<Refs> {
  const heads = new Map<number, string>();
  const open = new Set<number>();
  const head = await readHead(clone);
  const wanted = ['refs/pull/', ...(head.ref ? [head.ref] : [])];
  const printed = await runGit(git, clone, ['for-each-ref', '--format=%(objectname) %(refname)', ...wanted]);
  let tip = head.sha;
  for (const [, sha = '', name = ''] of printed.matchAll(/^(\w+) (.+)$/gm)) {
    if (name === head.ref) tip = sha;
    const [, number, kind] = /^refs\/pull\/([1-9]\d{0,14})\/(head|merge)$/.exec(name) ?? [];
    if (kind === 'head') heads.set(Number(number), sha);
    else if (kind === 'merge') open.add(Number(number));
  }
  return { tip, heads, open };
}

interface NamingCommit extends Merge {
  number: number;
}

const fields = [shaField, { format: '%P', most: 400 }, { format: '%ct', most: 30 }, subjectField];

async function readNaming(git: GitRunner, clone: Clone, parameters: string[]) {
  const naming: NamingCommit[] = [];
  let newest: string | null = null;
  let oldestParent: string | null = null;
  for await (const [sha = '', parents = '', at, subject = ''] of readLog(git, clone, fields, parameters)) {
    const [base, head] = parents.split(' ').filter(Boolean);
    const number = numberNamedBy(subject);
    if (number)
      naming.push({
        ...{ number, sha: detachText(sha), base: detached(base), head: detached(head) },
        at: Number(at) || 0,
      });
    newest ??= sha;
    oldestParent = base ?? null;
  }
  return { naming, newest, oldestParent };
}

const detached = (sha: string | undefined): string | null => (sha ? detachText(sha) : null);

/** If several commits name a number, the oldest counts. */
async function indexMerges(git: GitRunner, clone: Clone, range: string) {
  const [line, anywhere] = await Promise.all([
    readNaming(git, clone, ['--first-parent', range]),
    readNaming(git, clone, ['--merges', '--grep=^Merge pull request #[0-9]', range]),
  ]);
  const withoutNumber = ({ number: _, ...merge }: NamingCommit): Merge => merge;
  return {
    named: new Map(line.naming.map((merge) => [merge.number, withoutNumber(merge)])),
    joined: new Map(anywhere.naming.map((merge) => [`${merge.number} ${merge.head}`, withoutNumber(merge)])),
    newest: line.newest,
    oldestParent: line.oldestParent,
  };
}

async function build(
  git: GitRunner,
  clone: Clone,
  { tip, shallow }: Pick<Merges, 'tip' | 'shallow'>,
): Promise<Merges> {
  const { named, joined, newest } = await indexMerges(git, clone, tip);
  if (newest !== tip) throw new UnreadableClone(clone, new Error('The default branch leads to no commit.'));
  return { tip, shallow, named, joined, firstCommits: new Map() };
}

async function extend(git: GitRunner, clone: Clone, known: Merges, tip: string): Promise<Merges | null> {
  try {
    const { named, joined, oldestParent } = await indexMerges(git, clone, `${known.tip}..${tip}`);
    if (oldestParent !== known.tip) return null;
    // If a merge brings in commits older than the known ones, the whole history is read again.
    if ([...joined.keys()].some((key) => known.joined.has(key))) return null;
    return {
      ...known,
      tip,
      named: new Map([...named, ...known.named]),
      joined: new Map([...joined, ...known.joined]),
    };
  } catch (error) {
    if (!(error instanceof UnreadableClone)) throw error;
    return null;
  }
}

async function load(file: string): Promise<Merges | null> {
  try {
    const { tip, shallow, named, joined } = JSON.parse(await readFile(file, 'utf8'));
    return { tip, shallow, named: new Map(named), joined: new Map(joined), firstCommits: new Map() };
  } catch {
    return null;
  }
}

/** If the index cannot be stored, such as on a full disk, it is computed again after the next start. */
async function save(file: string, { tip, shallow, named, joined }: Merges): Promise<void> {
  const draft = `${file}.${crypto.randomUUID()}`;
  const stored = { tip, shallow, named: [...named], joined: [...joined] };
  try {
    await writeFile(draft, JSON.stringify(stored));
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => {});
  }
}

const mostKept = 20;

export function keepWhileRefsStay<Read>(
  read: (clone: Clone) => Promise<Read>,
): (clone: Clone) => Promise<Read> {
  const kept = new BoundedMap<{ fingerprint: string; found: Read }>(mostKept);
  return coalesceReads(async (clone: Clone) => {
    const fingerprint = refsFingerprint(clone.gitFolder);
    const known = kept.get(clone.gitFolder);
    if (known && known.fingerprint === fingerprint) return known.found;
    kept.delete(clone.gitFolder);
    const found = await read(clone);
    if (fingerprint !== null) kept.set(clone.gitFolder, { fingerprint, found });
    return found;
  });
}

/** Above this number of loose refs, reading them with git is faster than checking them. */
const mostEntries = 1_000;

/** A file written within this time may be written again with the same timestamp. */
const certainAfterMs = 2_000;

/**
 * Identifies the state of all refs by the files that contain them and their times. Null if there are too many files, or
 * one is too recent to be sure.
 */
function refsFingerprint(gitFolder: string, now = Date.now()): string | null {
  try {
    const entries: string[] = [];
    let newest = 0;
    const note = (path: string, stat: BigIntStats): void => {
      newest = Math.max(newest, Number(stat.mtimeMs), Number(stat.ctimeMs));
      entries.push([path, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' '));
    };
    for (const name of ['HEAD', 'packed-refs', 'shallow']) {
      const stat = statSync(join(gitFolder, name), { bigint: true, throwIfNoEntry: false });
      if (stat) note(name, stat);
    }
    const folders = [join(gitFolder, 'refs')];
    for (const folder of folders) {
      note(folder, statSync(folder, { bigint: true }));
      for (const entry of readdirSync(folder)) {
        const path = join(folder, entry);
        const stat = statSync(path, { bigint: true });
        if (stat.isDirectory()) folders.push(path);
        else note(path, stat);
        if (entries.length + folders.length > mostEntries) return null;
      }
    }
    return now - newest > certainAfterMs ? entries.join('\n') : null;
  } catch {
    return null;
  }
}

const mostOfHead = 5_000;
const mostOfShallow = 16 * 1024 * 1024;

export async function readHead(clone: Clone): Promise<{ ref: string | null; sha: string | null }> {
  if (clone.defaultRef) return { ref: clone.defaultRef, sha: null };
  const head = await readCloneFile(clone, 'HEAD', mostOfHead);
  // The file of an untrusted clone may contain anything: only a ref name may become a parameter of git.
  const ref = /^ref: (refs\/[^\s\p{Cc}]+)\s*$/u.exec(head)?.[1] ?? null;
  const sha = /^([0-9a-f]{40})\s*$/.exec(head)?.[1] ?? null;
  return { ref, sha };
}

export const readShallow = (clone: Clone): Promise<string> => readCloneFile(clone, 'shallow', mostOfShallow);

/** Empty if there is no such file. Does not block on a pipe. */
async function readCloneFile(clone: Clone, name: string, mostBytes: number): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(join(clone.gitFolder, name), constants.O_RDONLY | constants.O_NONBLOCK);
    const about = await file.stat();
    if (!about.isFile() || about.size > mostBytes)
      throw new Error(`${name} is not a file, or is larger than ${mostBytes} bytes`);
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new UnreadableClone(clone, error);
  } finally {
    await file?.close();
  }
}
