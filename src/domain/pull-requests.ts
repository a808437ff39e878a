/** The commits between which a diff lies. Diffs stored before bases were recorded have an empty one. */
export interface DiffRange {
  baseSha: string;
  headSha: string;
}

/** Whether two diffs are the same. A diff with an unknown base equals no other. */
export function isSameDiff(one: DiffRange, other: DiffRange): boolean {
  return one.baseSha !== '' && one.baseSha === other.baseSha && one.headSha === other.headSha;
}

/** The address of a pull request on the host that a clone comes from; null if it is unknown. */
export const pullRequestUrl = (
  webUrl: string | null,
  { owner, name }: { owner: string; name: string },
  number: number,
): string | null => webUrl && `${webUrl}/${owner}/${name}/pull/${number}`;

/** The page of a host that compares two refs of a repository. */
export const comparisonUrl = (repositoryUrl: string, { from, to }: { from: string; to: string }): string =>
  `${repositoryUrl}/compare/${[from, to].map((ref) => ref.split('/').map(encodeURIComponent).join('/')).join('...')}`;

/** Limits of one response about a pull request, as on large hosts. More files are read in pages. */
export const mostFilesAnswered = 3_000;
export const mostCommits = 250;
export const mostComments = 1_000;

/** The most that is read of texts: longer titles are not titles, and ten pages of text are enough. */
const mostOfTitle = 1_000;
const mostOfText = 20_000;

interface Words {
  title: string;
  body: string | null;
  commits: { message: string }[];
  linkedIssues: { title: string; body: string | null }[];
}

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();
const title = (text: string): string => cut(text, mostOfTitle);
const cutBody = (text: string | null): string | null => (text === null ? null : cut(text, mostOfText));

export function boundWords<Given extends Words>(given: Given): Given {
  return {
    ...given,
    title: title(given.title),
    body: cutBody(given.body),
    commits: given.commits.map((commit) => ({ ...commit, message: cut(commit.message, mostOfText) })),
    linkedIssues: given.linkedIssues.map((issue) => ({
      ...issue,
      title: title(issue.title),
      body: cutBody(issue.body),
    })),
  };
}

export function unreadWords(given: Words): { fileName: string; reason: string }[] {
  const { commits, linkedIssues } = given;
  const texts: [string, (string | null)[]][] = [
    ['description', [given.body]],
    ['commit messages', commits.map(({ message }) => message)],
    ['linked issues', linkedIssues.map((issue) => issue.body)],
  ];
  const long = texts.filter(([, each]) => each.some((text) => (text?.length ?? 0) > mostOfText));
  return [
    ...(given.title.length > mostOfTitle ? [{ fileName: 'title', reason: beyondFirst(mostOfTitle) }] : []),
    ...long.map(([fileName]) => ({ fileName, reason: beyondFirst(mostOfText) })),
  ];
}

const beyondFirst = (most: number): string =>
  `what is beyond its first ${most.toLocaleString('en')} characters is not read`;

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

export const isKnownBot = (login: string): boolean => knownBots.test(login);

export function passesFilter(
  { state, article, bots }: PullRequestFilter,
  { state: is, authorLogin, articleExists }: Filtered,
): boolean {
  return (
    (state === 'all' || is === state) &&
    (article === 'all' || articleExists === (article === 'written')) &&
    (bots === 'with' || !isKnownBot(authorLogin))
  );
}

export const isListedByHosts = ({ state, article, bots }: PullRequestFilter): boolean =>
  state !== 'merged' && article === 'all' && bots === 'with';

export const mostImported = 200;

/** Articles that are written with a model at once. */
export const mostRewritten = 20;

export const pauseReasons = ['noToken', 'noRights', 'hostAway'] as const;

export type PauseReason = (typeof pauseReasons)[number];

export interface MergedPullRequest {
  number: number;
  mergedAt: Date;
  authorLogin: string;
  isBot: boolean;
  isDraft: boolean;
  labels: string[];
}

export interface WatchFilter {
  labels: string[];
  includeBots: boolean;
}

/**
 * The most labels in a filter, and the longest one: as many as a user is likely to name, and as long as GitHub allows.
 */
export const mostLabels = 20;
export const longestLabel = 50;

/** The suffix of GitHub's apps, also in commits. */
export const botSuffix = '[bot]';

export const isBotLogin = (login: string): boolean => login.endsWith(botSuffix);

export function isWantedByWatch(
  { labels, includeBots }: WatchFilter,
  pullRequest: MergedPullRequest,
): boolean {
  if (pullRequest.isDraft || (pullRequest.isBot && !includeBots)) return false;
  const wanted = new Set(labels.map((label) => label.toLowerCase()));
  return wanted.size === 0 || pullRequest.labels.some((label) => wanted.has(label.toLowerCase()));
}

export const mergedBefore = 5;

export const oldestFirst = (one: MergedPullRequest, other: MergedPullRequest): number =>
  one.mergedAt.getTime() - other.mergedAt.getTime() || one.number - other.number;

/** A pull request that keeps changing is rewritten at most this often. */
export const restsForMs = 10_000;
