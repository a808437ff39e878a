import type { ArticleSummary } from '../contract/article.ts';
import type { Digest } from '../contract/digest.ts';

export interface DigestGroup {
  repository: Digest['repositories'][number];
  items: ArticleSummary[];
}

/** What is shown, by repository: first the one whose article comes first. */
export function groupsOf({ items, repositories }: Digest): DigestGroup[] {
  const byName = Map.groupBy(items, ({ host, owner, repo }) => `${host} ${owner}/${repo}`);
  return [...byName].flatMap(([name, shown]) => {
    const repository = repositories.find(({ host, owner, repo }) => `${host} ${owner}/${repo}` === name);
    return repository ? { repository, items: shown } : [];
  });
}

/** The same, and behind them the repositories in which something was merged of which nothing is shown. */
export function allGroupsOf(digest: Digest): DigestGroup[] {
  const shown = groupsOf(digest);
  const counted = digest.repositories.filter(
    (one) => one.merged > 0 && !shown.some(({ repository }) => repository === one),
  );
  return [...shown, ...counted.map((repository) => ({ repository, items: [] }))];
}

/** Whether all that was merged is known. */
export const isComplete = ({ repositories }: Digest): boolean => repositories.every((one) => one.isComplete);

/** The last day of a period. */
export const lastDayOf = ({ to }: Digest): string => new Date(new Date(to).getTime() - 1).toISOString();
