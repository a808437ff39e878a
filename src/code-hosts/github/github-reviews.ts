import { isBotLogin, mostComments } from '../../domain/pull-requests.ts';
import type { Discussion, DiscussionComment, QuotedCode } from '../../domain/reviews.ts';
import { quotedLines, quotesCode } from '../../reading/quoted-code.ts';
import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { ghost } from '../payload-types.ts';
import { discussionCommentOf, discussionOf, mostLinesBehind, mostQuotedLines, toSecond } from '../reviews.ts';
import {
  type CommentPayload,
  DiscussionPayload,
  type GitHubClient,
  type ReviewCommentPayload,
  type ReviewPayload,
} from './github-api.ts';

/** The lists that are read anyway; only the ids of hidden comments and the state of threads need another call. */
interface Listed {
  comments: CommentPayload[];
  /** Submitted reviews only. */
  reviews: ReviewPayload[];
  remarks: ReviewCommentPayload[];
}

/** Lines of files at the heads that were commented on. */
interface Former {
  behind: LinesBehind;
  quoted: ReadonlyMap<object, QuotedCode>;
}

const page = 'pageInfo { hasNextPage endCursor }';

const marksQuery = `query ($owner: String!, $name: String!, $number: Int!, $comments: String, $reviews: String, $threads: String, $events: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      comments(first: 100, after: $comments) { ${page} nodes { fullDatabaseId isMinimized } }
      reviews(first: 100, after: $reviews) { ${page} nodes { fullDatabaseId isMinimized } }
      reviewThreads(first: 100, after: $threads) {
        ${page}
        nodes {
          isResolved isOutdated resolvedBy { login }
          comments(first: 100) { nodes { fullDatabaseId isMinimized } }
        }
      }
      timelineItems(first: 100, after: $events, itemTypes: [HEAD_REF_FORCE_PUSHED_EVENT, CROSS_REFERENCED_EVENT]) {
        ${page}
        nodes {
          ... on HeadRefForcePushedEvent { createdAt beforeCommit { oid } afterCommit { oid } }
          ... on CrossReferencedEvent { source { ... on PullRequest { number merged repository { databaseId } } } }
        }
      }
    }
  }
}`;

const mostPages = 10;

interface ThreadMarks {
  isResolved: boolean;
  isOutdated: boolean;
  resolvedBy: string | null;
}

export interface Marks extends Pick<Discussion, 'pushes' | 'references'> {
  /** Ids of the comments that GitHub shows; all others count as hidden. */
  comments: Set<number>;
  reviews: Set<number>;
  remarks: Map<number, ThreadMarks>;
  hasMore: boolean;
}

/** The parts of a discussion that only GraphQL has; null for callers who may not use it. */
export async function readMarks(
  client: GitHubClient,
  { hostRepoId, owner, name }: HostRepository,
  number: number,
  caller: HostCaller,
): Promise<Marks | null> {
  if (caller.token === null) return null;
  const marks: Marks = {
    comments: new Set(),
    reviews: new Set(),
    remarks: new Map(),
    pushes: [],
    references: [],
    hasMore: true,
  };
  let after: Record<string, string | null> = {};
  for (let pages = 0; pages < mostPages; pages += 1) {
    const found = await client.query(
      marksQuery,
      { owner, name, number, ...after },
      DiscussionPayload,
      caller,
    );
    const pull = found?.repository?.pullRequest;
    if (!pull) return null;
    const { comments, reviews, reviewThreads, timelineItems } = pull;
    for (const id of shownOf(comments.nodes)) marks.comments.add(id);
    for (const id of shownOf(reviews.nodes)) marks.reviews.add(id);
    for (const thread of reviewThreads.nodes) {
      if (!thread) continue;
      const { isResolved, isOutdated, resolvedBy } = thread;
      for (const id of shownOf(thread.comments.nodes))
        marks.remarks.set(id, { isResolved, isOutdated, resolvedBy: resolvedBy?.login ?? null });
    }
    for (const event of timelineItems.nodes) {
      if (event?.createdAt)
        marks.pushes.push({
          at: toSecond(event.createdAt),
          before: event.beforeCommit?.oid ?? null,
          after: event.afterCommit?.oid ?? null,
          isForced: true,
        });
      // References from other repositories are left out, because those may be private.
      const source = event?.source;
      if (source?.number && source.repository?.databaseId === hostRepoId)
        marks.references.push({ number: source.number, isMerged: source.merged === true });
    }
    const lists = { comments, reviews, threads: reviewThreads, events: timelineItems };
    after = Object.fromEntries(
      Object.entries(lists).map(([list, { pageInfo }]) => [list, pageInfo.endCursor ?? after[list] ?? null]),
    );
    marks.hasMore = Object.values(lists).some(({ pageInfo }) => pageInfo.hasNextPage);
    if (!marks.hasMore) break;
  }
  return marks;
}

const isCommit = /^[0-9a-f]{40,64}$/;

type LinesBehind = Map<number, string[]>;

const mostThreadsRead = 50;

/**
 * The lines after each commented hunk, by comment id, if the head has changed since: GitHub ends a hunk with the
 * commented lines.
 */
export async function readLinesBehind(
  client: GitHubClient,
  repository: HostRepository,
  { remarks, head }: { remarks: ReviewCommentPayload[]; head: string },
  caller: HostCaller,
): Promise<LinesBehind> {
  const nameOf = ({ original_commit_id: sha, path }: ReviewCommentPayload): string => `${sha}:${path}`;
  const first = remarks
    .filter(({ in_reply_to_id: replyTo, side, original_commit_id: sha }) => {
      return !replyTo && side !== 'LEFT' && sha !== head && isCommit.test(sha ?? '');
    })
    .slice(0, mostThreadsRead);
  const names = [...new Set(first.map(nameOf))];
  // If these lines cannot be read, fewer changes after a comment are found, but no wrong ones.
  const texts = await client.queryTexts(repository, names, caller).catch(() => []);
  return new Map(
    first.flatMap((remark): [number, string[]][] => {
      const lines = texts[names.indexOf(nameOf(remark))]?.split(/\r?\n/);
      const line = remark.original_line ?? 0;
      const isSame = lines?.[line - 1] === remark.diff_hunk?.trimEnd().split('\n').at(-1)?.slice(1);
      return lines && isSame ? [[remark.id, lines.slice(line, line + mostLinesBehind)]] : [];
    }),
  );
}

const mostQuotingRead = 10;

/**
 * The quotations of comments and reviews in the changed files of the head at that time. A later review, comment on a line or forced push shows that head, or a newer one.
 */
export async function readQuoted(
  client: GitHubClient,
  repository: HostRepository,
  {
    comments,
    reviews,
    remarks,
    marks,
    author,
    head,
    readPaths,
  }: Listed & {
    marks: Marks;
    author: string;
    head: string;
    readPaths: () => Promise<string[]>;
  },
  caller: HostCaller,
): Promise<Former['quoted']> {
  const shown = [
    ...reviews.map(({ commit_id: sha, submitted_at: at }) => ({ sha, at: toSecond(at ?? '') })),
    ...remarks.map(({ original_commit_id: sha, created_at: at }) => ({ sha, at: toSecond(at) })),
    ...marks.pushes.map(({ before: sha, at }) => ({ sha, at })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const headAt = (time: string) => shown.find(({ sha, at }) => sha && at >= toSecond(time))?.sha;
  const quoting = [
    ...reviews.map((said) => ({ said, sha: said.commit_id })),
    ...comments.map((said) => ({ said, sha: headAt(said.created_at) })),
  ].flatMap(({ said, sha }) => {
    const isOwn = said.user?.login === author || said.user?.type === 'Bot';
    return sha && sha !== head && isCommit.test(sha) && !isOwn && quotesCode(said.body ?? '')
      ? [{ said, sha }]
      : [];
  });
  if (quoting.length === 0) return new Map();
  const paths = await readPaths();
  const wanted = quoting.slice(0, mostQuotingRead);
  const names = [...new Set(wanted.flatMap(({ sha }) => paths.map((path) => `${sha}:${path}`)))];
  const texts = await client.queryTexts(repository, names, caller).catch(() => []);
  const fileTexts = new Map(names.map((name, place) => [name, texts[place]]));
  return new Map(
    wanted.map(({ said, sha }) => {
      const files = paths.flatMap((path) => {
        const text = fileTexts.get(`${sha}:${path}`);
        const lines = text ? quotedLines(said.body ?? '', text) : null;
        return lines && lines.length <= mostQuotedLines ? [{ path, lines }] : [];
      });
      return [said, { sha, files }];
    }),
  );
}

type Mark = { fullDatabaseId: string | number | null; isMinimized: boolean } | null;

const shownOf = (nodes: Mark[]): number[] =>
  nodes.flatMap((node) => (node && !node.isMinimized ? Number(node.fullDatabaseId) : []));

const states: Record<string, Discussion['reviews'][number]['state']> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changesRequested',
  DISMISSED: 'dismissed',
};

/** The discussion without comments that GitHub hides. */
export function githubDiscussion(
  { comments, reviews, remarks }: Listed,
  marks: Marks,
  { behind, quoted }: Former,
): Discussion {
  const general = (said: CommentPayload | ReviewPayload, at: string, anchor: string) => {
    const found = quoted.get(said);
    return { ...commentOf(said, at, anchor), ...(found && { quoted: found }) };
  };
  const shown = remarks.filter(({ id }) => marks.remarks.has(id));
  const byThread = Map.groupBy(shown, ({ id, in_reply_to_id: first }) => first ?? id);
  return discussionOf({
    reviews: reviews
      .filter(({ id }) => marks.reviews.has(id))
      .map((review) => ({
        ...general(review, review.submitted_at ?? '', 'pullrequestreview-'),
        state: states[review.state] ?? 'commented',
        sha: review.commit_id ?? null,
      })),
    comments: comments
      .filter(({ id }) => marks.comments.has(id))
      .map((comment) => general(comment, comment.created_at, 'issuecomment-')),
    threads: [...byThread.values()].flatMap((thread) => {
      const first = thread[0];
      const state = first && marks.remarks.get(first.id);
      if (!first || !state) return [];
      const line = first.original_line ?? null;
      return {
        path: first.path,
        side: first.side === 'LEFT' ? 'old' : 'new',
        sha: first.original_commit_id ?? null,
        startLine: first.original_start_line ?? line,
        line,
        hunk: first.diff_hunk ?? null,
        behind: behind.get(first.id) ?? [],
        ...state,
        comments: thread.map((remark) => commentOf(remark, remark.created_at, 'discussion_r')),
      };
    }),
    pushes: marks.pushes,
    references: marks.references,
    hasMore: marks.hasMore || [comments, reviews, remarks].some(({ length }) => length >= mostComments),
  });
}

const commentOf = (
  { id, user, body }: { id: number; user: CommentPayload['user']; body?: string | null },
  at: string,
  anchor: string,
): DiscussionComment => {
  const author = user?.login || ghost;
  const isBot = user?.type === 'Bot' || isBotLogin(author);
  return discussionCommentOf({ author, isBot, body, at, anchor: `${anchor}${id}` });
};
