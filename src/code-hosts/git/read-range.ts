import { Failure } from '../../domain/errors.ts';
import { comparisonUrl } from '../../domain/pull-requests.ts';
import { commitTitle, looksLikeSha, plainTitle, suggestRefs } from '../../domain/releases.ts';
import { changelogHeadings, changelogPaths } from '../../reading/changelog.ts';
import { kindOfPath } from '../../reading/classify-file.ts';
import type { FileKind } from '../../reading/facts.ts';
import { BoundedMap } from '../bounded-map.ts';
import {
  type HostRange,
  type HostTag,
  type RangeChange,
  type RangePullRequest,
  UnknownRef,
} from '../code-host.ts';
import { readRegularFiles } from '../git-runner/read-tree.ts';
import { type Clone, type GitRunner, runGit } from '../git-runner/run-git.ts';
import { changesIn, numberNamedBy, ownLine } from '../sort-range.ts';
import { type PullRequestIndex, readShallow } from './pull-request-index.ts';
import { type Commit, dateFrom, readCommits } from './read-commits.ts';
import {
  type CloneSource,
  findIndexed,
  type IndexedPullRequest,
  stateInClone,
  summarize,
} from './summarize-pull-requests.ts';

const mostRead = 5_000;

const mostOfBody = 4_000;

const mostTogether = 500;

const mostCached = 16 * 1024 * 1024;

/**
 * Caches ranges, because anyone can request those of public clones repeatedly. An index stays the same until a ref
 * changes.
 */
export class CachedCloneRanges {
  readonly #cached = new BoundedMap<{ index: WeakRef<PullRequestIndex>; range: HostRange }>(
    mostCached,
    ({ range }, key) => key.length + JSON.stringify(range).length,
  );

  async read(source: CloneSource, wanted: { from: string; to: string; tags: () => Promise<string[]> }) {
    const key = [source.clone.gitFolder, wanted.from, wanted.to].join('\n');
    const known = this.#cached.get(key);
    if (known?.index.deref() === source.index) return known.range;
    const range = await readRange(source, wanted);
    this.#cached.set(key, { index: new WeakRef(source.index), range });
    return range;
  }
}

async function readRange(
  source: CloneSource,
  { from, to, tags }: { from: string; to: string; tags: () => Promise<string[]> },
): Promise<HostRange> {
  const { git, clone } = source;
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
  const changes = await rangeChangesOf(source, commits);
  return {
    fromSha,
    toSha,
    committedAt: end?.committedAt ?? null,
    total,
    read: commits.length,
    behind,
    isShallow: shallow !== '',
    changes,
    headings: await readHeadings(source, toSha, changes),
    compareUrl: source.repositoryUrl && comparisonUrl(source.repositoryUrl, { from, to }),
  };
}

const mostChangelogs = 2;

/** New entries are at the beginning. */
const mostOfChangelog = 256 * 1024;

/** Some changelogs name what a version contains only after its tag, so the newest one counts first. */
export async function readHeadings(
  { git, clone, index }: CloneSource,
  sha: string,
  changes: RangeChange[],
): Promise<Map<number, string>> {
  const numbers = new Set(changes.flatMap(({ pullRequest }) => pullRequest?.number ?? []));
  if (numbers.size === 0) return new Map();
  const read = async (commit: string) => {
    const files = await readRegularFiles(git, clone, commit, changelogPaths, mostChangelogs);
    return changelogHeadings(
      files.map(({ text }) => text.slice(0, mostOfChangelog)),
      { name: clone.name, numbers },
    );
  };
  const [newest, own] = await Promise.all([read(index.tip), sha === index.tip ? [] : read(sha)]);
  return new Map([...own, ...newest]);
}

async function rangeChangesOf(source: CloneSource, commits: Commit[]): Promise<RangeChange[]> {
  const { bySha, again } = findBrought(source, commits);
  const elsewhere = [...new Set(again.values())].filter((number) => !new Set(bySha.values()).has(number));
  const numbers = [...new Set(bySha.values()), ...elsewhere];
  const shaOf = new Map([...bySha].map(([sha, number]) => [number, sha]));
  const [summaries, kinds] = await Promise.all([
    summarizeRange(source, commits, numbers, shaOf),
    readFileKinds(source, [...bySha.keys()]),
  ]);
  for (const [sha, fileKinds] of kinds) {
    const summary = summaries.get(bySha.get(sha) ?? 0);
    if (summary) summaries.set(summary.number, { ...summary, fileKinds });
  }
  return changesByNumbers(source, commits, { bySha, again, summaries });
}

export function changesByNumbers(
  { index }: CloneSource,
  commits: Commit[],
  { bySha, again, summaries }: ReturnType<typeof findBrought> & { summaries: Map<number, RangePullRequest> },
): RangeChange[] {
  const numbers = new Set(bySha.values());
  const copies = new Map<Commit, number>();
  for (const commit of commits) {
    const number = again.get(commit.sha);
    const original = number && summaries.get(number);
    if (!number || !original || !isCopy(commit, original, index.merged.get(number)?.sha)) continue;
    copies.set(commit, number);
    // A pull request merged outside of the range is in it by a copy of its commit.
    if (!numbers.has(number)) bySha.set(commit.sha, number);
  }
  return changesIn(commits, { broughtBy: bySha, copies, pullRequestOf: (number) => summaries.get(number) });
}

/** Finds pull requests by the index of the default branch, or by the same rule on the branch of the range. */
export function findBrought({ index }: CloneSource, commits: Commit[]) {
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
    // On other branches, numbers may be those of another repository.
    if (!line.has(commit) && !joins && !known.has(number)) continue;
    if (known.has(number) || merged.has(number)) again.set(commit.sha, number);
    else {
      bySha.set(commit.sha, number);
      known.add(number);
    }
  }
  return { bySha, again };
}

/** Comparing more trees takes seconds. */
const mostCompared = 1_000;

const mostPrinted = 32 * 1024 * 1024;

/** The kinds of the files that each commit changes, compared with its first parent, without the changelog. */
async function readFileKinds({ git, clone }: CloneSource, shas: string[]): Promise<Map<string, FileKind[]>> {
  const input = shas.slice(0, mostCompared).join('\n');
  if (input === '') return new Map();
  const parameters = ['log', '--no-walk=unsorted', '--stdin', '-m', '--first-parent', '--name-only'];
  const printed = await runGit(git, clone, [...parameters, '--no-renames', '--format=%x00%H'], {
    input,
    maxBytes: mostPrinted,
  }).catch((error: unknown) => {
    if (error instanceof Failure) return '';
    throw error;
  });
  return new Map(
    printed.split('\0').map((part) => {
      const [sha = '', ...paths] = part.split('\n').filter(Boolean);
      const others = paths.filter((path) => !changelogs.has(path));
      return [sha, [...new Set((others.length > 0 ? others : paths).map(kindOfPath))]];
    }),
  );
}

const changelogs = new Set(changelogPaths);

const isCopy = (commit: Commit, original: { title: string }, sha: string | undefined): boolean =>
  plainTitle(commit.subject) === plainTitle(original.title) ||
  (sha !== undefined && commit.body.includes(`(cherry picked from commit ${sha})`));

export async function summarizeRange(
  source: CloneSource,
  commits: Commit[],
  numbers: number[],
  shaOf: Map<number, string>,
): Promise<Map<number, RangePullRequest>> {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const summaries = new Map<number, RangePullRequest>();
  for (let at = 0; at < numbers.length; at += mostTogether) {
    const some = numbers.slice(at, at + mostTogether).flatMap((number) => {
      const commit = bySha.get(shaOf.get(number) ?? '');
      const indexed = indexedBy(source, number, commit);
      return indexed ? [{ number, commit, indexed }] : [];
    });
    const read = await summarize(
      source,
      some.map(({ indexed }) => indexed),
    );
    for (const [place, { number, commit }] of some.entries()) {
      const summary = read[place];
      if (summary && !(summary instanceof Failure)) summaries.set(number, summary.shown);
      else if (commit)
        summaries.set(number, {
          ...summaryByCommit(number, commit),
          state: stateInClone(source.index, number),
        });
    }
  }
  return summaries;
}

/** A pull request merged into a branch other than the default one is found by its merge commit. */
function indexedBy(
  { index }: CloneSource,
  number: number,
  commit: Commit | undefined,
): IndexedPullRequest | null {
  if (index.merged.has(number) || !commit) return findIndexed(index, number);
  const [base = null, joined = null] = commit.parents;
  const head = joined ?? index.heads.get(number) ?? commit.sha;
  return { number, merge: { sha: commit.sha, base, head: joined, at: 0 }, branch: { head, base } };
}

function summaryByCommit(number: number, commit: Commit): Omit<RangePullRequest, 'state'> {
  const at = commit.committedAt ?? new Date(0);
  return {
    number,
    title: commitTitle(commit),
    body: commit.body || null,
    authorLogin: commit.authorLogin,
    url: null,
    createdAt: at,
    mergedAt: at,
    updatedAt: null,
  };
}

const mostTags = 10_000;

export async function readTags(git: GitRunner, clone: Clone): Promise<HostTag[]> {
  const printed = await runGit(git, clone, [
    'for-each-ref',
    '--sort=-version:refname',
    '--sort=-creatordate',
    `--count=${mostTags}`,
    // The date of the commit, also of an annotated tag, whose own date may be later.
    '--format=%(refname:lstrip=2)%09%(*committerdate:unix)%(committerdate:unix)',
    'refs/tags/',
  ]);
  return printed
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [name = '', seconds] = line.split('\t');
      return { name, committedAt: dateFrom(seconds) };
    });
}

const refPlaces = (name: string): string[] => [
  `refs/tags/${name}`,
  `refs/heads/${name}`,
  `refs/remotes/origin/${name}`,
  ...(looksLikeSha(name) ? [name] : []),
];

/**
 * Names are passed on standard input, where none can be an option; `isRefName` has rejected expressions such as `~1`.
 */
export async function resolveRefs(
  git: GitRunner,
  clone: Clone,
  names: readonly string[],
): Promise<(string | null)[]> {
  const places = names.map(refPlaces);
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
