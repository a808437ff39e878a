/** Why a repository is not watched for a user at the moment. */
export const pauseReasons = ['noToken', 'noRights', 'hostAway'] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** A pull request that was merged, as far as watching goes by it. */
export interface MergedPullRequest {
  number: number;
  mergedAt: Date;
  authorLogin: string;
  isBot: boolean;
  isDraft: boolean;
  labels: string[];
}

/** Which of the merged pull requests a user wants written about. */
export interface WatchFilter {
  /** Any of these; all where there are none. */
  labels: string[];
  includeBots: boolean;
}

/** As many labels as a user is likely to name, and as long as GitHub lets one be. */
export const mostLabels = 20;
export const longestLabel = 50;

/** GitHub's own apps end so, and commits keep it. */
export const botSuffix = '[bot]';

export const isBotLogin = (login: string): boolean => login.endsWith(botSuffix);

export function isWanted({ labels, includeBots }: WatchFilter, pullRequest: MergedPullRequest): boolean {
  if (pullRequest.isDraft || (pullRequest.isBot && !includeBots)) return false;
  const wanted = new Set(labels.map((label) => label.toLowerCase()));
  return wanted.size === 0 || pullRequest.labels.some((label) => wanted.has(label.toLowerCase()));
}

/** How many of those that were merged before are written about when watching begins. */
export const mergedBefore = 5;

export const oldestFirst = (one: MergedPullRequest, other: MergedPullRequest): number =>
  one.mergedAt.getTime() - other.mergedAt.getTime() || one.number - other.number;

/** A pull request that goes on moving is written about anew no more often than this. */
export const restsForMs = 10_000;
