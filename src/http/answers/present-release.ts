import { presentSummary } from '../../actions/articles/present-summary.ts';
import type { ReleaseItem, ToldRelease } from '../../actions/releases/read-release.ts';
import type { ArticleSummary } from '../../contract/article.ts';
import type { PullRequestSummary } from '../../contract/pull-request.ts';
import { mostBareCommits, type Release, type ReleaseMention } from '../../contract/release.ts';
import { commitTitle } from '../../domain/release/commit-title.ts';
import type { Change } from '../../domain/release/settle-changes.ts';
import { presentListedPullRequest } from './present-pull-request.ts';

/** As much of an id as people write. */
const shortSha = (sha: string): string => sha.slice(0, 10);

const mention = ({ number, title, body, commits: [first] }: Change): ReleaseMention => ({
  prNumber: number,
  sha: shortSha(first?.sha ?? ''),
  title: number === null ? commitTitle({ subject: title, body }) : title,
});

function presentItem({ pullRequest, article }: ReleaseItem): ArticleSummary | PullRequestSummary {
  if (article) {
    const { breaks: _, ...listed } = article;
    return presentSummary(listed);
  }
  const { body: _, ...listed } = pullRequest;
  return presentListedPullRequest({ ...listed, articleExists: false, articleTitles: {} });
}

/** Of a clone: what brought it in is not on the default branch, and no ref says that it is open. */
const otherBranch =
  'It was merged into another branch than the default one. Of a clone, articles are written about what its default branch has.';

/** A release as the contract answers it. */
export function presentRelease(told: ToldRelease, { from, to }: { from: string; to: string }): Release {
  const { host, repository, range, groups, reverted, backported, bare } = told;
  const bareOnes = groups.flatMap(({ items }) =>
    items.flatMap(({ pullRequest, article }) => (article ? [] : pullRequest)),
  );
  return {
    host,
    owner: repository.owner,
    repo: repository.name,
    from,
    to,
    fromSha: range.fromSha,
    toSha: range.toSha,
    committedAt: range.committedAt?.toISOString() ?? null,
    commits: { total: range.total, read: range.read, behind: range.behind, shallow: range.isShallow },
    groups: groups.map((group) => ({ ...group, items: group.items.map(presentItem) })),
    breaks: groups.flatMap(({ items }) =>
      items.flatMap(({ pullRequest: { number }, article }) =>
        article?.breaks ? { prNumber: number, sentence: article.breaks } : [],
      ),
    ),
    reverted: reverted.map(({ change, other }) => ({ change: mention(change), by: mention(other) })),
    backported: backported.map(({ change, other }) => ({ change: mention(change), of: mention(other) })),
    withoutPullRequest: {
      total: bare.length,
      items: bare.slice(0, mostBareCommits).map(({ title, commits: [first] }) => ({
        sha: shortSha(first?.sha ?? ''),
        subject: title,
      })),
    },
    unwritten: bareOnes.flatMap(({ number, state }) => (state === 'merged' ? number : [])),
    unwritable: bareOnes.flatMap(({ number, state }) =>
      state === 'closed' ? { prNumber: number, problem: otherBranch } : [],
    ),
  };
}
