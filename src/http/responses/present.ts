import { type FindArticle, presentListed, presentSummary } from '../../actions/articles/read-article.ts';
import type { ListedPullRequest } from '../../actions/pull-requests/list-pull-requests.ts';
import { isAutomatic, type ReleaseChange, type ReleaseItem } from '../../actions/releases/group-changes.ts';
import type { CollectedRelease } from '../../actions/releases/read-release.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { ArticleSummary, PullRequestArticle } from '../../contract/articles.ts';
import type { Watch } from '../../contract/following.ts';
import type { Job as ShownJob } from '../../contract/jobs.ts';
import type { LikedArticleInfo, RankedArticleInfo } from '../../contract/likes.ts';
import type { PullRequest, PullRequestSummary } from '../../contract/pull-requests.ts';
import type { Answer } from '../../contract/questions.ts';
import { mostBareCommits, type Release, type ReleaseMention } from '../../contract/releases.ts';
import type { StoredArticle, StoredContent } from '../../db/articles.ts';
import type { StoredWatch } from '../../db/following-polls.ts';
import type { LikedArticle, RankedArticle } from '../../db/likes.ts';
import type { StoredPullRequest } from '../../db/pull-requests.ts';
import type { StoredAnswer } from '../../db/questions.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { savingToken } from '../../domain/accounts.ts';
import { errorOf, type Job, type JobError, type Jobs } from '../../domain/jobs.ts';
import type { PauseReason } from '../../domain/pull-requests.ts';
import { commitTitle } from '../../domain/releases.ts';
import { clonesHost, isFromClone } from '../../domain/repositories.ts';
import { joinPieces, type WrittenData } from './response.ts';

/** An article as in the contract, in the given languages. Its content is stored as JSON and sent unchanged. */
export function encodeArticle(
  article: StoredArticle,
  contents: StoredContent[] = article.contents,
): WrittenData {
  const { id, pullRequestId, host, owner, repo, number, hostUrl, title, authorLogin, state, headSha } =
    article;
  const head = JSON.stringify({
    id,
    kind: 'article',
    pullRequestId,
    host,
    owner,
    repo,
    prNumber: number,
    hostPrUrl: hostUrl,
    title,
    authorLogin,
    state,
    headSha,
    hostPrCreatedAt: article.hostCreatedAt.toISOString(),
    mergedAt: article.mergedAt?.toISOString() ?? null,
    totalLikeCount: article.contents.reduce((sum, { likeCount }) => sum + likeCount, 0),
    createdAt: article.createdAt.toISOString(),
    updatedAt: article.updatedAt.toISOString(),
  });
  const json: WrittenData['json'] = [`${head.slice(0, -1)},"contents":{`];
  const versions = [head];
  for (const [index, content] of contents.entries()) {
    const { languageCode, likeCount, isOutdated, revision, body, isUnstored, review = 'null' } = content;
    const live = `"${languageCode}":{"likeCount":${likeCount},"stale":${isOutdated},"review":${review},`;
    json.push(index === 0 ? live : `,${live}`, body.subarray(1));
    versions.push(live, isUnstored ? Buffer.from(body).toString() : String(revision));
  }
  json.push('}}');
  return { json, version: versions.join(' ') };
}

export function presentArticle(article: StoredArticle, contents?: StoredContent[]): PullRequestArticle {
  return JSON.parse(joinPieces(encodeArticle(article, contents).json).toString());
}

export function presentAnswer(answer: StoredAnswer, viewerId: string | null): Answer {
  const { id, host, owner, repo, prNumber, question, languageCode, body, isShared, isOutdated, createdAt } =
    answer;
  return {
    id,
    kind: 'answer',
    host,
    owner,
    repo,
    prNumber,
    question,
    languageCode,
    ...body,
    shared: isShared,
    own: answer.userId !== null && answer.userId === viewerId,
    stale: isOutdated,
    createdAt: createdAt.toISOString(),
  };
}

export function presentPullRequest(stored: StoredPullRequest): PullRequest {
  const {
    number,
    hostUrl,
    hostCreatedAt,
    mergedAt,
    fetchedAt,
    unusedSince,
    diffRevision,
    filesInDiff,
    ...same
  } = stored;
  return {
    ...same,
    prNumber: number,
    hostPrUrl: hostUrl,
    filesOmitted: same.changedFiles - same.files.length,
    hostPrCreatedAt: hostCreatedAt.toISOString(),
    mergedAt: mergedAt?.toISOString() ?? null,
    fetchedAt: fetchedAt.toISOString(),
  };
}

export function presentListedPullRequest(listed: ListedPullRequest): PullRequestSummary {
  const { number, url, createdAt, mergedAt: _, updatedAt: __, articleTitles: ___, ...same } = listed;
  return { ...same, prNumber: number, hostPrUrl: url, createdAt: createdAt.toISOString() };
}

const errorObject = ({ retryAt: _, ...shown }: JobError, requestId: string) => ({ ...shown, requestId });

interface JobReader {
  findArticle: FindArticle;
  findAnswer: (answerId: string, viewer: DetailScope) => Promise<StoredAnswer | null>;
  viewer: DetailScope;
  requestId: string;
}

type Details = Partial<ShownJob>;

const detailsOf: {
  [Kind in keyof Jobs]: (job: Jobs[Kind], reader: JobReader) => Details | Promise<Details>;
} = {
  async article({ state, articleId }, { findArticle, viewer }) {
    const article = state === 'done' && articleId ? await findArticle(articleId, viewer) : null;
    return article ? { article: presentArticle(article) } : {};
  },
  async answer({ state, answerId }, { findAnswer, viewer }) {
    const answer = state === 'done' && answerId ? await findAnswer(answerId, viewer) : null;
    return answer ? { answer: presentAnswer(answer, viewer.userId) } : {};
  },
  import: ({ startedAt, written, current, failures }, { requestId }) => ({
    ...(startedAt && { startedAt: startedAt.toISOString() }),
    written,
    current: current.map(({ prNumber, ...progress }) => ({ prNumber, progress })),
    failures: failures.map(({ prNumber, error }) => ({ prNumber, error: errorObject(error, requestId) })),
  }),
  mirror: ({ owner, name, startedAt }) => ({
    repository: { host: clonesHost, owner, repo: name },
    ...(startedAt && { startedAt: startedAt.toISOString() }),
  }),
  test: ({ test }) => (test ? { test } : {}),
  preview: ({ preview }) =>
    preview ? { preview: { likeCount: 0, stale: false, review: null, ...JSON.parse(preview) } } : {},
};

export async function presentJob(job: Job, reader: JobReader): Promise<ShownJob> {
  const { id, work, state, step, done, total } = job;
  const error = errorOf(job);
  const describe = <Kind extends keyof Jobs>(kind: Kind, of: Jobs[Kind]) => detailsOf[kind](of, reader);
  const progress = { step, done, total };
  const details = await describe(work, job);
  return {
    ...{ id, kind: 'job', work, state, progress, ...details },
    ...(error && { error: errorObject(error, reader.requestId) }),
  };
}

export const presentRanked = (
  codeHosts: CodeHost[],
  { likeCount, ...listed }: RankedArticle,
  rank: number,
): RankedArticleInfo => ({ rank, ...presentListed(codeHosts, listed), likeCount });

export const presentLiked =
  (codeHosts: CodeHost[]) =>
  ({ likedAt, ...listed }: LikedArticle): LikedArticleInfo => ({
    ...presentListed(codeHosts, listed),
    likedAt: likedAt.toISOString(),
  });

const shortSha = (sha: string): string => sha.slice(0, 10);

const mention = ({ number, title, body, authorLogin, commits: [first] }: ReleaseChange): ReleaseMention => ({
  prNumber: number,
  sha: shortSha(first?.sha ?? ''),
  title: number === null ? commitTitle({ subject: title, body }) : title,
  authorLogin,
});

const presentItem =
  (codeHosts: CodeHost[]) =>
  ({ pullRequest, article }: ReleaseItem): ArticleSummary | PullRequestSummary => {
    if (article) {
      const { breaks: _, ...listed } = article;
      return presentSummary(codeHosts)(listed);
    }
    const { body: _, labels: __, fileKinds: ___, ...listed } = pullRequest;
    return presentListedPullRequest({ ...listed, articleExists: false, articleTitles: {} });
  };

/** In a clone, a pull request that is neither on the default branch nor known to be open. */
const otherBranch =
  'It was merged into a branch other than the default branch. In a clone, articles cover only the default branch.';

export function presentRelease(
  codeHosts: CodeHost[],
  release: CollectedRelease,
  { from, to }: { from: string; to: string },
): Release {
  const { host, repository, range, groups, contributors, reverted, backported, bare } = release;
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
    groups: groups.map((group) => ({ ...group, items: group.items.map(presentItem(codeHosts)) })),
    contributors,
    compareUrl: range.compareUrl,
    breaks: groups.flatMap(({ items }) =>
      items.flatMap(({ pullRequest: { number }, article }) =>
        article?.breaks ? { prNumber: number, sentence: article.breaks } : [],
      ),
    ),
    reverted: reverted.map(({ change, other }) => ({ change: mention(change), by: mention(other) })),
    backported: backported.map(({ change, other }) => ({ change: mention(change), of: mention(other) })),
    withoutPullRequest: {
      total: bare.length,
      items: bare.slice(0, mostBareCommits).map(({ title, authorLogin, commits: [first] }) => ({
        automatic: isAutomatic({ title, authorLogin }),
        sha: shortSha(first?.sha ?? ''),
        subject: title,
        authorLogin,
      })),
    },
    unwritten: bareOnes.flatMap(({ number, state }) => (state === 'merged' ? number : [])),
    unwritable: bareOnes.flatMap(({ number, state }) =>
      state === 'closed' ? { prNumber: number, problem: otherBranch } : [],
    ),
  };
}

const remedies: Record<PauseReason, (host: string, since: string) => string> = {
  noToken: (host) =>
    `This repository is private, and you have no working token saved for ${host}. Save one with ${savingToken(host)}, or sign in again.`,
  noRights: (host) =>
    `${host} no longer shows you this repository. Ask its owners for access, or stop following it.`,
  hostAway: (host, since) =>
    `${host} has not responded${since}. Pullquote keeps trying and will catch up on merges.`,
};

const cloneRemedies: Partial<typeof remedies> = {
  noRights: () =>
    'This service no longer shows you this repository. Ask its administrator, or stop following it.',
  hostAway: (_, since) =>
    `The clone cannot be read${since}. Pullquote keeps trying and will catch up on merges.`,
};

export function presentWatch({ name, pause, pausedSince, ...watch }: StoredWatch): Watch {
  const from = pausedSince ? ` since ${pausedSince.toISOString()}` : '';
  const remedyFor = { ...remedies, ...(isFromClone(watch) && cloneRemedies) };
  return {
    ...watch,
    repo: name,
    since: watch.since.toISOString(),
    lastSeenAt: watch.lastSeenAt?.toISOString() ?? null,
    paused: pause && { reason: pause, message: remedyFor[pause](watch.host, from) },
  };
}
