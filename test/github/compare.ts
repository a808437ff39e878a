import type { StandInCommit, StandInRepository } from './state.ts';

/** A commit by tag, branch or id. */
const find = ({ history }: StandInRepository, name: string): StandInCommit | undefined => {
  const sha = history?.refs[name] ?? name;
  return history?.commits.find((commit) => commit.sha === sha);
};

function reachable(repository: StandInRepository, from: StandInCommit): Set<string> {
  const seen = new Set([from.sha]);
  for (const sha of seen) for (const parent of find(repository, sha)?.parents ?? []) seen.add(parent);
  return seen;
}

/** A page of GitHub's comparison of two refs, oldest first; null if a ref is missing or they share no history. */
export function compare(repository: StandInRepository, names: [string, string], query: URLSearchParams) {
  const [base, head] = names.map((name) => find(repository, decodeURIComponent(name)));
  if (!base || !head) return null;
  const [before, after] = [reachable(repository, base), reachable(repository, head)];
  if (![...before].some((sha) => after.has(sha))) return null;
  const ahead = repository.history?.commits.filter(({ sha }) => after.has(sha) && !before.has(sha)) ?? [];
  const behind = [...before].filter((sha) => !after.has(sha)).length;
  const size = Number(query.get('per_page') ?? 250);
  const begin = (Number(query.get('page') ?? 1) - 1) * size;
  return {
    base_commit: { sha: base.sha },
    merge_base_commit: { sha: base.sha },
    status: behind > 0 ? 'diverged' : 'ahead',
    ahead_by: ahead.length,
    behind_by: behind,
    total_commits: ahead.length,
    commits: ahead.slice(begin, begin + size).map(({ sha, parents, message, committedAt }) => ({
      sha,
      parents: parents.map((parent) => ({ sha: parent })),
      commit: { message, committer: { date: committedAt ?? '2026-03-01T10:00:00Z' } },
    })),
    files: [],
  };
}
