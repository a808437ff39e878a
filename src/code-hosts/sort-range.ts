import type { RangeChange, RangeCommit } from './code-host.ts';

interface LinkedCommit {
  sha: string;
  parents: string[];
}

interface SortedRange<Commit extends LinkedCommit> {
  byNumber: Map<number, Commit[]>;
  bare: Commit[];
}

/**
 * Assigns the commits of a range to pull requests. Children precede their parents, and the first commit is the end of
 * the range. Commits joined by the merge of a pull request belong to it, unless they are also reached otherwise. Other
 * merges bring in nothing of their own.
 */
export function sortRange<Commit extends LinkedCommit>(
  commits: readonly Commit[],
  broughtBy: ReadonlyMap<string, number>,
): SortedRange<Commit> {
  /** For each commit, the only pull request whose merge reaches it; null if it is also reached otherwise. */
  const reachedBy = new Map<string, number | null>();
  const reach = (sha: string | undefined, by: number | null): void => {
    if (sha !== undefined && (by === null || !reachedBy.has(sha))) reachedBy.set(sha, by);
  };
  const sorted: SortedRange<Commit> = { byNumber: new Map(), bare: [] };
  for (const [place, commit] of commits.entries()) {
    const around = place === 0 ? null : (reachedBy.get(commit.sha) ?? null);
    const own = broughtBy.get(commit.sha) ?? null;
    const number = own ?? around;
    const [first, ...joined] = commit.parents;
    reach(first, around);
    for (const parent of joined) reach(parent, number);
    if (number !== null) {
      const came = sorted.byNumber.get(number) ?? [];
      came.push(commit);
      sorted.byNumber.set(number, came);
    } else if (joined.length === 0) sorted.bare.push(commit);
  }
  return sorted;
}

interface KnownChanges<Commit> {
  broughtBy: ReadonlyMap<string, number>;
  /** Commits that bring in a pull request again, with its number. */
  copies: ReadonlyMap<Commit, number>;
  pullRequestOf: (number: number) => RangeChange['pullRequest'] | undefined;
}

export function changesIn<Commit extends LinkedCommit & RangeCommit>(
  commits: readonly Commit[],
  { broughtBy, copies, pullRequestOf }: KnownChanges<Commit>,
): RangeChange[] {
  const { byNumber, bare } = sortRange(commits, broughtBy);
  const copiesOf = Map.groupBy([...copies.keys()], (commit) => copies.get(commit));
  const changes = [
    ...[...byNumber].flatMap(([number, came]): RangeChange[] => {
      const pullRequest = pullRequestOf(number);
      return pullRequest ? [{ pullRequest, commits: came, copies: copiesOf.get(number) ?? [] }] : [];
    }),
    ...bare
      .filter((commit) => !copies.has(commit))
      .map((commit): RangeChange => ({ pullRequest: null, commits: [commit], copies: [] })),
  ];
  const places = new Map(commits.map(({ sha }, place) => [sha, place]));
  const placeOf = ({ commits: [first] }: RangeChange) => places.get(first?.sha ?? '') ?? 0;
  return changes.sort((one, other) => placeOf(one) - placeOf(other));
}

export function ownLine<Commit extends LinkedCommit>(commits: readonly Commit[]): Commit[] {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const line: Commit[] = [];
  for (let at = commits[0]; at; at = bySha.get(at.parents[0] ?? '')) line.push(at);
  return line;
}

const naming = /^Merge pull request #([1-9]\d{0,14})(?!\d)|\(#([1-9]\d{0,14})\)$/;

export function numberNamedBy(subject: string): number | null {
  const [, merged, squashed] = naming.exec(subject) ?? [];
  return Number(merged ?? squashed ?? 0) || null;
}

/** Orders commits so that children precede their parents, otherwise keeping the given order. */
export function childrenFirst<Commit extends LinkedCommit>(commits: readonly Commit[]): Commit[] {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const children = new Map<string, number>();
  for (const { parents } of commits)
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  const ordered: Commit[] = [];
  const ready = commits.filter(({ sha }) => !children.has(sha)).reverse();
  for (let commit = ready.pop(); commit; commit = ready.pop()) {
    ordered.push(commit);
    for (const parent of commit.parents.toReversed()) {
      const left = (children.get(parent) ?? 1) - 1;
      children.set(parent, left);
      const known = bySha.get(parent);
      if (left === 0 && known) ready.push(known);
    }
  }
  return ordered;
}
