import { Failure } from '../../domain/errors.ts';
import { commitTitle } from '../../domain/release/commit-title.ts';
import { looksLikeSha, suggestRefs } from '../../domain/release/ref-name.ts';
import { plainTitle } from '../../domain/release/settle-changes.ts';
import { type HostPullRequestSummary, type HostRange, type RangeChange, UnknownRef } from '../code-host.ts';
import { type Clone, type GitRunner, runGit } from '../git-runner/run-git.ts';
import { changesIn, numberNamedBy, ownLine } from '../sort-range.ts';
import { type PullRequestIndex, readShallow } from './pull-request-index.ts';
import { type Commit, loginOf, readCommits } from './read-commits.ts';
import {
  findIndexed,
  type IndexedPullRequest,
  type Parts,
  stateOf,
  summarize,
} from './summarize-pull-requests.ts';

/** More commits than nearly all releases have. Those beyond are counted. */
const mostRead = 5_000;

/** What is looked for in the words of a commit stands at their beginning or end. */
const mostOfBody = 4_000;

/** How many pull requests are told of with one run of git. */
const mostTogether = 500;

/** How many characters of ranges are kept: those of a few hundred usual releases, or of one with very long descriptions. */
const mostKept = 16 * 1024 * 1024;

/**
 * Keeps what ranges have, because anyone can ask for those of a public clone again and again. The same names mean the same commits for as
 * long as the index stays, which is until a ref of the clone changes.
 */
export class KeptRanges {
  readonly #kept = new Map<string, { index: WeakRef<PullRequestIndex>; range: HostRange; size: number }>();
  #size = 0;

  async read(parts: Parts, wanted: { from: string; to: string; tags: () => Promise<string[]> }) {
    const key = [parts.clone.gitFolder, wanted.from, wanted.to].join('\n');
    const known = this.#kept.get(key);
    if (known?.index.deref() === parts.index) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.range;
    }
    const range = await readRange(parts, wanted);
    this.#forget(key);
    const size = key.length + sizeOf(range);
    this.#kept.set(key, { index: new WeakRef(parts.index), range, size });
    this.#size += size;
    for (const oldest of this.#kept.keys()) if (this.#size > mostKept) this.#forget(oldest);
    return range;
  }

  #forget(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}

/** About how many characters it holds; what is not text of strangers counts as a few hundred for each commit. */
function sizeOf({ changes, read }: HostRange): number {
  const texts = changes.flatMap(({ pullRequest, commits, copies }) => [
    pullRequest?.body ?? '',
    ...[...commits, ...copies].map(({ subject, body }) => subject + body),
  ]);
  return texts.reduce((sum, text) => sum + text.length, 500 * (1 + read));
}

/** What one ref of a clone has and another one has not. */
async function readRange(
  parts: Parts,
  { from, to, tags }: { from: string; to: string; tags: () => Promise<string[]> },
): Promise<HostRange> {
  const { git, clone } = parts;
  const [fromSha, toSha] = await resolveRefs(git, clone, [from, to]);
  if (!fromSha) throw new UnknownRef('from', from, suggestRefs(from, await tags()));
  if (!toSha) throw new UnknownRef('to', to, suggestRefs(to, await tags()));
  const [counted, commits, [end], shallow] = await Promise.all([
    runGit(git, clone, ['rev-list', '--left-right', '--count', `${fromSha}...${toSha}`]),
    readCommits(git, clone, ['--topo-order', `--max-count=${mostRead}`, `${fromSha}..${toSha}`], {
      mostOfBody,
    }),
    readCommits(git, clone, ['--no-walk', toSha], { mostOfBody }),
    readShallow(clone),
  ]);
  const [behind = 0, total = commits.length] = counted.trim().split('\t').map(Number);
  return {
    fromSha,
    toSha,
    committedAt: end?.committedAt ?? null,
    total,
    read: commits.length,
    behind,
    isShallow: shallow !== '',
    changes: await changesOf(parts, commits),
  };
}

/** How the commits of a range bring pull requests. */
interface Brought {
  /** By commit, the number of what it brought in. */
  bySha: Map<string, number>;
  /** By commit, the number that it names though another commit has brought that in. */
  again: Map<string, number>;
}

async function changesOf(parts: Parts, commits: Commit[]): Promise<RangeChange[]> {
  const { bySha, again } = findBrought(parts, commits);
  const elsewhere = [...new Set(again.values())].filter((number) => !new Set(bySha.values()).has(number));
  const numbers = [...new Set(bySha.values()), ...elsewhere];
  const shaOf = new Map([...bySha].map(([sha, number]) => [number, sha]));
  const told = await tell(parts, commits, numbers, shaOf);
  const copies = new Map<Commit, number>();
  for (const commit of commits) {
    const number = again.get(commit.sha);
    const original = number && told.get(number);
    if (!number || !original || !isCopy(commit, original, parts.index.merged.get(number)?.sha)) continue;
    copies.set(commit, number);
    // What was brought in outside of the range is in it by its copy.
    if (!shaOf.has(number)) bySha.set(commit.sha, number);
  }
  return changesIn(commits, { broughtBy: bySha, copies, tell: (number) => told.get(number) });
}

/**
 * A pull request is in the range if what brought it in is: by the index of the default branch, or by the same rule on the branch
 * that the range ends on, which may be another one.
 */
function findBrought({ index }: Parts, commits: Commit[]): Brought {
  const { merged, heads } = index;
  const inRange = new Set(commits.map(({ sha }) => sha));
  const bySha = new Map(
    [...merged].flatMap(([number, { sha }]) => (inRange.has(sha) ? [[sha, number]] : [])),
  );
  const known = new Set(bySha.values());
  const again = new Map<string, number>();
  const line = new Set(ownLine(commits));
  for (const commit of commits.toReversed()) {
    if (bySha.has(commit.sha)) continue;
    const number = numberNamedBy(commit.subject);
    if (number === null || (heads.size > 0 && !heads.has(number))) continue;
    const joins = commit.parents[1] !== undefined && commit.parents[1] === heads.get(number);
    // Elsewhere, numbers are those of whichever repository the commits came from.
    if (!line.has(commit) && !joins && !known.has(number)) continue;
    if (known.has(number) || merged.has(number)) again.set(commit.sha, number);
    else {
      bySha.set(commit.sha, number);
      known.add(number);
    }
  }
  return { bySha, again };
}

/** Other commits name a pull request because they follow it. */
const isCopy = (commit: Commit, original: { title: string }, sha: string | undefined): boolean =>
  plainTitle(commit.subject) === plainTitle(original.title) ||
  (sha !== undefined && commit.body.includes(`(cherry picked from commit ${sha})`));

type Told = HostPullRequestSummary & { body: string | null };

async function tell(
  parts: Parts,
  commits: Commit[],
  numbers: number[],
  shaOf: Map<number, string>,
): Promise<Map<number, Told>> {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const told = new Map<number, Told>();
  for (let at = 0; at < numbers.length; at += mostTogether) {
    const some = numbers.slice(at, at + mostTogether).flatMap((number) => {
      const commit = bySha.get(shaOf.get(number) ?? '');
      const indexed = indexedBy(parts, number, commit);
      return indexed ? [{ number, commit, indexed }] : [];
    });
    const summaries = await summarize(
      parts,
      some.map(({ indexed }) => indexed),
    );
    for (const [place, { number, commit }] of some.entries()) {
      const summary = summaries[place];
      if (summary && !(summary instanceof Failure)) told.set(number, summary.shown);
      else if (commit)
        told.set(number, { ...tellByCommit(number, commit), state: stateOf(parts.index, number) });
    }
  }
  return told;
}

/** One that was merged into another branch than the default one is where the commit says that brought it in. */
function indexedBy({ index }: Parts, number: number, commit: Commit | undefined): IndexedPullRequest | null {
  if (index.merged.has(number) || !commit) return findIndexed(index, number);
  const [base = null, joined = null] = commit.parents;
  const head = joined ?? index.heads.get(number) ?? commit.sha;
  return { number, merge: { sha: commit.sha, base, head: joined }, branch: { head, base } };
}

/** What is left to say of a pull request that cannot be read: it is in the range all the same. */
function tellByCommit(number: number, commit: Commit): Omit<Told, 'state'> {
  const at = commit.committedAt ?? new Date(0);
  return {
    number,
    title: commitTitle(commit),
    body: commit.body || null,
    authorLogin: loginOf(commit),
    url: null,
    createdAt: at,
    mergedAt: at,
    updatedAt: null,
  };
}

/** As many tags as are ever suggested. */
const mostTags = 200;

/** The newest tags of a clone, by when they were made. */
export async function readTags(git: GitRunner, clone: Clone): Promise<string[]> {
  const printed = await runGit(git, clone, [
    'for-each-ref',
    '--sort=-creatordate',
    `--count=${mostTags}`,
    '--format=%(refname:lstrip=2)',
    'refs/tags/',
  ]);
  return printed.split('\n').filter(Boolean);
}

/** Where a name is looked for: a tag is meant before a branch, and both before a commit. */
const placesOf = (name: string): string[] => [
  `refs/tags/${name}`,
  `refs/heads/${name}`,
  `refs/remotes/origin/${name}`,
  ...(looksLikeSha(name) ? [name] : []),
];

/**
 * The commits that names stand for; null for what stands for none. Names are told on standard input, where nothing is an option;
 * `isRefName` has made sure that none leads from one commit to another.
 */
export async function resolveRefs(
  git: GitRunner,
  clone: Clone,
  names: readonly string[],
): Promise<(string | null)[]> {
  const places = names.map(placesOf);
  const input = places
    .flat()
    .map((place) => `${place}^{commit}\n`)
    .join('');
  const printed = await runGit(git, clone, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input,
  });
  const lines = printed.split('\n');
  return places.map((of) => {
    const found = lines
      .splice(0, of.length)
      .flatMap((line) => /^([0-9a-f]{40}) commit$/.exec(line)?.[1] ?? []);
    return found[0] ?? null;
  });
}
