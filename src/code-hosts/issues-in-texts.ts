import { linkedIssues } from '../reading/description/linked-issues.ts';
import type { HostPullRequest, HostRepository } from './code-host.ts';

type Said = Pick<HostPullRequest, 'title' | 'body' | 'commits'>;

/** The issues that a pull request says it closes, by their numbers alone: what they say may not be for all who see it. */
export function issuesInTexts(
  { owner, name }: Pick<HostRepository, 'owner' | 'name'>,
  { title, body, commits }: Said,
): HostPullRequest['linkedIssues'] {
  const commitMessages = commits.map(({ message }) => message);
  const numbers = linkedIssues({ repository: `${owner}/${name}`, title, body, commitMessages });
  return numbers.map((number) => ({ number, title: '', body: null }));
}
