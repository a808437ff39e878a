import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clone } from './find-clone.ts';
import { type GitRunner, runGit, standInOf } from './run-git.ts';

/** Which pull requests a clone has, and where. */
export interface PullRequestIndex {
  /** The newest commit of the default branch. */
  tip: string;
  /** By number, the commit of the default branch that brought the pull request in. */
  merged: Map<number, string>;
  /** By number, what refs/pull/N/head points at. */
  heads: Map<number, string>;
  /** Those that could be merged now. */
  open: Set<number>;
}

interface MergedCommits {
  tip: string;
  merged: Map<number, string>;
}

/**
 * Keeps an index for each clone. What is merged is remembered on disk and only commits that are new are looked at;
 * refs are few enough to be read each time.
 */
export class PullRequestIndexes {
  readonly #git: GitRunner;
  readonly #known = new Map<string, MergedCommits>();

  constructor(git: GitRunner) {
    this.#git = git;
  }

  /** Null for a clone without any commit. */
  async read(clone: Clone): Promise<PullRequestIndex | null> {
    const { tip, ...refs } = await readRefs(this.#git, clone);
    if (!tip) return null;
    const { merged } = await this.#mergedUpTo(clone, tip);
    if (refs.heads.size === 0) return { tip, merged, ...refs };
    // The default branch can mention numbers of other repositories; with refs at hand, those are told apart.
    const confirmed = new Map([...merged].filter(([number]) => refs.heads.has(number)));
    return { tip, merged: confirmed, ...refs };
  }

  async #mergedUpTo(clone: Clone, tip: string): Promise<MergedCommits> {
    const file = join(standInOf(this.#git, clone), 'merged-pull-requests.json');
    const known = this.#known.get(clone.gitFolder) ?? (await load(file));
    if (known?.tip === tip) {
      this.#known.set(clone.gitFolder, known);
      return known;
    }
    const current =
      (known && (await extend(this.#git, clone, known, tip))) ?? (await build(this.#git, clone, tip));
    this.#known.set(clone.gitFolder, current);
    await save(file, current);
    return current;
  }
}

/** For a HEAD that is no branch, or a branch without a commit. */
async function readTip(git: GitRunner, clone: Clone): Promise<string | null> {
  // A branch without a commit is no error this way.
  const printed = await runGit(git, clone, ['rev-list', '--max-count=1', '--ignore-missing', 'HEAD', '--']);
  return printed.trim() || null;
}

/** The full name of the branch that HEAD stands for; null when it is no branch. */
export async function readHeadRef(clone: Clone): Promise<string | null> {
  const head = await readFile(join(clone.gitFolder, 'HEAD'), 'utf8');
  // A clone can have anything there: what is not a name of a ref must not become a parameter of git.
  return /^ref: (refs\/[^\s\p{Cc}]+)\s*$/u.exec(head)?.[1] ?? null;
}

async function readRefs(
  git: GitRunner,
  clone: Clone,
): Promise<{ tip: string | null } & Pick<PullRequestIndex, 'heads' | 'open'>> {
  const heads = new Map<number, string>();
  const open = new Set<number>();
  const headRef = await readHeadRef(clone);
  const wanted = ['refs/pull/', ...(headRef ? [headRef] : [])];
  const printed = await runGit(git, clone, ['for-each-ref', '--format=%(objectname) %(refname)', ...wanted]);
  let tip: string | null = null;
  for (const [, sha = '', name = ''] of printed.matchAll(/^(\w+) (.+)$/gm)) {
    if (name === headRef) tip = sha;
    const [, number, kind] = /^refs\/pull\/(\d{1,15})\/(head|merge)$/.exec(name) ?? [];
    if (kind === 'head') heads.set(Number(number), sha);
    else if (kind === 'merge') open.add(Number(number));
  }
  return { tip: tip ?? (await readTip(git, clone)), heads, open };
}

/** Newest first, as `git log` prints them; of two commits that name the same number, the older one counts. */
async function mergedBetween(git: GitRunner, clone: Clone, range: string[]) {
  const printed = await runGit(git, clone, ['log', '--first-parent', '--format=%H %P%x09%s', ...range], {
    maxBytes: 512 * 1024 * 1024,
  });
  const merged = new Map<number, string>();
  let oldestParent: string | null = null;
  for (const [, sha = '', parents = '', subject = ''] of printed.matchAll(/^(\w+) ?([\w ]*)\t(.*)$/gm)) {
    const match = /^Merge pull request #(\d{1,15})(?!\d)|\(#(\d{1,15})\)$/.exec(subject);
    if (match) merged.set(Number(match[1] ?? match[2]), sha);
    oldestParent = parents.split(' ')[0] || null;
  }
  return { merged, oldestParent };
}

async function build(git: GitRunner, clone: Clone, tip: string): Promise<MergedCommits> {
  return { tip, merged: (await mergedBetween(git, clone, [tip])).merged };
}

/** Null when the branch was rewritten, so that what is known does not lead to where it is now. */
async function extend(
  git: GitRunner,
  clone: Clone,
  known: MergedCommits,
  tip: string,
): Promise<MergedCommits | null> {
  try {
    const { merged, oldestParent } = await mergedBetween(git, clone, [`${known.tip}..${tip}`]);
    return oldestParent === known.tip ? { tip, merged: new Map([...merged, ...known.merged]) } : null;
  } catch {
    // The commit that was known is gone from the clone.
    return null;
  }
}

async function load(file: string): Promise<MergedCommits | null> {
  try {
    const { tip, merged }: { tip: string; merged: [number, string][] } = JSON.parse(
      await readFile(file, 'utf8'),
    );
    return { tip, merged: new Map(merged) };
  } catch {
    return null;
  }
}

async function save(file: string, { tip, merged }: MergedCommits): Promise<void> {
  const draft = `${file}.${crypto.randomUUID()}`;
  await writeFile(draft, JSON.stringify({ tip, merged: [...merged] }));
  await rename(draft, file);
}
