import type { HostPullRequest, HostRepository } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { deletePullRequests } from '../../db/removals.ts';
import { findQuotedIssues } from '../../db/webhook-events.ts';

interface Asked {
  seen: HostRepository & { host: string };
  number: number;
  askedAt: Date;
}

/**
 * Deletes a pull request of which an issue is stored that everybody was shown and that is hidden now, with all that was made of it:
 * any of that may quote it. It is stored anew, as it is told now.
 */
export async function forgetHiddenIssues(
  database: Database,
  { seen, number, askedAt }: Asked,
  { areIssuesHidden, linkedIssues }: HostPullRequest,
): Promise<void> {
  if (!areIssuesHidden) return;
  const stored = await findQuotedIssues(database, { ...seen, number });
  const shown = new Set(linkedIssues.map((issue) => issue.number));
  const gone = stored?.issues.filter((issue) => !shown.has(issue)) ?? [];
  if (!stored || gone.length === 0 || !(await areIssuesHidden(gone))) return;
  await database.transaction((tx) => deletePullRequests(tx, [stored.pullRequestId], askedAt));
}
