import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { HostPullRequest, HostRepository } from '../code-host.ts';

/** The issues that texts say they close, where the host does not tell of them itself. */
export function issuesInTexts(
  { owner, name }: HostRepository,
  { title, body }: { title: string; body?: string | null },
  commits: HostPullRequest['commits'],
): HostPullRequest['linkedIssues'] {
  const commitMessages = commits.map(({ message }) => message);
  const numbers = linkedIssues({ repository: `${owner}/${name}`, title, body: body ?? null, commitMessages });
  return numbers.map((number) => ({ number, title: '', body: null }));
}
