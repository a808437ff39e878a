import { type BigIntStats, constants, readdirSync, statSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coalesceReads } from '../../domain/batch-reads.ts';
import { detachText } from '../../reading/detach-text.ts';
import {
  type Clone,
  type GitRunner,
  isolatedGitFolder,
  runGit,
  UnreadableClone,
} from '../git-runner/run-git.ts';
import { numberNamedBy } from '../sort-range.ts';
import { readLog, shaField, subjectField } from './read-commits.ts';

/** A commit that brought a pull request in, and what it joined. */
export interface Merge {
  sha: string;
  /** What was there before; null for the very first commit. */
  base: string | null;
  /** The head of the branch; null where its commits were squashed into this one. */
  head: string | null;
}

/** Which pull requests a clone has, and where. */
export interface PullRequestIndex {
  /** The newest commit of the default branch. */
  tip: string;
  /** By number, what brought the pull request in. */
  merged: Map<number, Merge>;
  /** By number, what refs/pull/N/head points at. */
  heads: Map<number, string>;
  /** Those that could be merged now. */
  open: Set<number>;
  /** By head and base, the first commit that a branch has of its own, for those that were asked for. */
  firstCommits: Map<string, string>;
}

/** What can be remembered for as long as the default branch only grows. */
interface Merges {
  tip: string;
  /** Where a clone without its older history begins: with more of it, there are more merges. */
  shallow: string;
  /** By number, the commit on the line of the default branch that names it. */
  named: Map<number, Merge>;
  /** By number and head, the merge that names and joins them, wherever in the history of the default branch it is. */
  joined: Map<string, Merge>;
  firstCommits: PullRequestIndex['firstCommits'];
}

type Refs = { tip: string | null } & Pick<PullRequestIndex, 'heads' | 'open'>;

/**
 * Keeps an index for each clone. What is merged is remembered on disk and only commits that are new are looked at;
 * refs are few enough to be read whenever one has changed.
 */
export class PullRequestIndexes {
  readonly #git: GitRunner;
  readonly #readRefs = keepWhileRefsStay((clone) => readRefs(this.#git, clone));
  /** What refs and merges came to that were read before. */
  readonly #read = new WeakMap<Refs, { merges: Merges; index: PullRequestIndex }>();
  readonly #known = new Map<string, Merges>();
  readonly #underWay = new Map<string, Promise<Merges>>();

  constructor(git: GitRunner) {
    this.#git = git;
  }

  /** Null for a clone without any commit. */
  async read(clone: Clone): Promise<PullRequestIndex | null> {
    const refs = await this.#readRefs(clone);
    if (!refs.tip) return null;
    const merges = await this.#mergesUpTo(clone, refs.tip);
    const known = this.#read.get(refs);
    if (known?.merges === merges) return known.index;
    const index = indexOf(refs.tip, refs, merges);
    this.#read.set(refs, { merges, index });
    return index;
  }

  /** Calls for what is being worked out share it: it follows from the commits alone. */
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
    const file = join(isolatedGitFolder(this.#git, clone), 'merges.json');
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

/** The default branch can name numbers of other repositories; with refs at hand, those are told apart. */
function indexOf(
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

/** What is read of each commit. Of its parents, only the first two matter. */
const fields = [shaField, { format: '%P', most: 400 }, subjectField];

/** Reads commits with `git log`, newest first, and passes those on whose subject names a pull request. */
async function readNaming(git: GitRunner, clone: Clone, parameters: string[]) {
  const naming: NamingCommit[] = [];
  let newest: string | null = null;
  let oldestParent: string | null = null;
  for await (const [sha = '', parents = '', subject = ''] of readLog(git, clone, fields, parameters)) {
    const [base, head] = parents.split(' ').filter(Boolean);
    const number = numberNamedBy(subject);
    if (number) naming.push({ number, sha: detachText(sha), base: detached(base), head: detached(head) });
    newest ??= sha;
    oldestParent = base ?? null;
  }
  return { naming, newest, oldestParent };
}

const detached = (sha: string | undefined): string | null => (sha ? detachText(sha) : null);

/** Of several commits that name the same number, the oldest counts. */
async function readMerges(git: GitRunner, clone: Clone, range: string) {
  const [line, anywhere] = await Promise.all([
    readNaming(git, clone, ['--first-parent', range]),
    readNaming(git, clone, ['--merges', '--grep=^Merge pull request #[0-9]', range]),
  ]);
  const withoutNumber = ({ sha, base, head }: NamingCommit): Merge => ({ sha, base, head });
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
  const { named, joined, newest } = await readMerges(git, clone, tip);
  if (newest !== tip) throw new UnreadableClone(clone, new Error('The default branch leads to no commit.'));
  return { tip, shallow, named, joined, firstCommits: new Map() };
}

/** Null when what is known does not lead to where the branch is now, as when it was rewritten. */
async function extend(git: GitRunner, clone: Clone, known: Merges, tip: string): Promise<Merges | null> {
  try {
    const { named, joined, oldestParent } = await readMerges(git, clone, `${known.tip}..${tip}`);
    if (oldestParent !== known.tip) return null;
    // What a merge brings in can be older than what was known, and only all of the history tells.
    if ([...joined.keys()].some((key) => known.joined.has(key))) return null;
    return {
      ...known,
      tip,
      named: new Map([...named, ...known.named]),
      joined: new Map([...joined, ...known.joined]),
    };
  } catch (error) {
    if (!(error instanceof UnreadableClone)) throw error;
    // The commit that was known is gone from the clone.
    return null;
  }
}

async function load(file: string): Promise<Merges | null> {
  try {
    const { tip, shallow, named, joined }: Stored = JSON.parse(await readFile(file, 'utf8'));
    return { tip, shallow, named: new Map(named), joined: new Map(joined), firstCommits: new Map() };
  } catch {
    return null;
  }
}

interface Stored {
  tip: string;
  shallow: string;
  named: [number, Merge][];
  joined: [string, Merge][];
}

/** What cannot be kept, as on a full disk, is worked out again after the next start. */
async function save(file: string, { tip, shallow, named, joined }: Merges): Promise<void> {
  const draft = `${file}.${crypto.randomUUID()}`;
  const stored: Stored = { tip, shallow, named: [...named], joined: [...joined] };
  try {
    await writeFile(draft, JSON.stringify(stored));
    await rename(draft, file);
  } catch {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** Of how many clones what was read is kept, a few MB of each large one. */
const mostKept = 20;

/** Reads something of the refs of a clone again only when one of them has changed. */
export function keepWhileRefsStay<Read>(
  read: (clone: Clone) => Promise<Read>,
): (clone: Clone) => Promise<Read> {
  const kept = new Map<string, { fingerprint: string; found: Read }>();
  return coalesceReads(async (clone: Clone) => {
    const fingerprint = refsFingerprint(clone.gitFolder);
    const known = kept.get(clone.gitFolder);
    if (known && known.fingerprint === fingerprint) return known.found;
    kept.delete(clone.gitFolder);
    const found = await read(clone);
    // What has changed while it was read shows in the next one.
    if (fingerprint !== null) kept.set(clone.gitFolder, { fingerprint, found });
    const [oldest] = kept.keys();
    if (oldest && kept.size > mostKept) kept.delete(oldest);
    return found;
  });
}

/** More loose refs than this take longer to look at than git takes to read them. */
const mostEntries = 1_000;

/** What was written so shortly before it was looked at may be written again without its time showing it. */
const certainAfterMs = 2_000;

/**
 * The same for as long as no ref of a clone has changed: all that holds refs, with when it was written. Null where that does
 * not tell, because it is too much or too new.
 */
export function refsFingerprint(gitFolder: string, now = Date.now()): string | null {
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
    // Git is changing it in this moment.
    return null;
  }
}

/** No name of a branch is longer. */
const mostOfHead = 5_000;
/** A line for each commit at which a clone ends: 400,000 of them. */
const mostOfShallow = 16 * 1024 * 1024;

/** What HEAD of a clone stands for, or is taken to: the full name of a branch, or a commit; neither where it is something else. */
export async function readHead(clone: Clone): Promise<{ ref: string | null; sha: string | null }> {
  if (clone.defaultRef) return { ref: clone.defaultRef, sha: null };
  const head = await readCloneFile(clone, 'HEAD', mostOfHead);
  // A clone can have anything there: what is not a name of a ref must not become a parameter of git.
  const ref = /^ref: (refs\/[^\s\p{Cc}]+)\s*$/u.exec(head)?.[1] ?? null;
  const sha = /^([0-9a-f]{40})\s*$/.exec(head)?.[1] ?? null;
  return { ref, sha };
}

/** The commits below which a clone was told to keep nothing, as text; empty for a clone with all of its history. */
export const readShallow = (clone: Clone): Promise<string> => readCloneFile(clone, 'shallow', mostOfShallow);

/** Empty where there is none. It does not wait for what is no file, such as a pipe without a writer. */
async function readCloneFile(clone: Clone, name: string, mostBytes: number): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(join(clone.gitFolder, name), constants.O_RDONLY | constants.O_NONBLOCK);
    const about = await file.stat();
    if (!about.isFile() || about.size > mostBytes)
      throw new Error(`${name} is no file, or larger than ${mostBytes} bytes`);
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw new UnreadableClone(clone, error);
  } finally {
    await file?.close();
  }
}
