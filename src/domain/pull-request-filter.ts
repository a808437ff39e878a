/** Which pull requests of a repository a reader wants to see. */
export interface PullRequestFilter {
  state: 'all' | 'merged' | 'open';
  article: 'all' | 'written' | 'unwritten';
  bots: 'with' | 'without';
}

interface Filtered {
  state: string;
  authorLogin: string;
  articleExists: boolean;
}

const knownBots =
  /\[bot\]$|^(?:dependabot|renovate|greenkeeper|github-actions|pre-commit-ci|snyk-bot|mergify|codecov)\b/i;

export function passesFilter(
  { state, article, bots }: PullRequestFilter,
  { state: is, authorLogin, articleExists }: Filtered,
): boolean {
  return (
    (state === 'all' || is === state) &&
    (article === 'all' || articleExists === (article === 'written')) &&
    (bots === 'with' || !knownBots.test(authorLogin))
  );
}

/** Whether a host that lists by state alone lists exactly what is wanted. */
export const isListedByHosts = ({ state, article, bots }: PullRequestFilter): boolean =>
  state !== 'merged' && article === 'all' && bots === 'with';
