import { mostComments } from '../../domain/pull-requests.ts';
import type { Discussion, DiscussionComment, DiscussionThread } from '../../domain/reviews.ts';
import { quotedLines, quotesCode } from '../../reading/quoted-code.ts';
import { type HostCaller, ResponseTooLarge } from '../http/host-api.ts';
import { type HostClient, inTurns } from '../http/host-client.ts';
import { ghost } from '../payload-types.ts';
import { discussionCommentOf, discussionOf, hunkAt, mostQuotedLines, toSecond } from '../reviews.ts';
import {
  type DiscussionPayload,
  isGitLabBot,
  type NotePayload,
  VersionDiffsPayload,
  VersionPayload,
} from './gitlab-api.ts';

/** System notes of GitLab are always in English. */
export const approval = 'approved this merge request';
export const withdrawal = 'unapproved this merge request';
const changesRequest = 'requested changes';
const mentionIn = /^mentioned in merge request !(\d+)$/;

const mostVersions = 100;
const mostVersionsRead = 5;

interface Place {
  client: HostClient;
  /** The API path of the merge request. */
  path: string;
  head: string;
}

/** The discussion made of the notes that all viewers of the merge request may see. */
export async function readGitLabDiscussion(
  { client, path, head }: Place,
  discussions: DiscussionPayload[],
  caller: HostCaller,
): Promise<Discussion> {
  const notes = discussions.flatMap(({ notes: all }) => all);
  const threads = discussions.flatMap(threadOf);
  const comments = discussions.flatMap(({ notes: all }) =>
    threadOf({ notes: all }).length > 0 ? [] : all.filter(({ system }) => !system).map(commentOf),
  );
  const [versions, diffs] = notes.some(({ system }) => !system)
    ? await readVersions({ client, path, head }, { threads, comments }, caller)
    : [[], new Map<string, VersionDiffsPayload['diffs']>()];
  return discussionOf({
    reviews: reviewsIn(notes),
    comments: comments.map((comment) => withQuoted(comment, versions, diffs)),
    threads: threads.map((thread) => ({ ...thread, hunk: hunkOf(thread, diffs) })),
    pushes: versions.map(({ head_commit_sha: after, created_at: at }, place) => ({
      at: toSecond(at),
      before: versions[place - 1]?.head_commit_sha ?? null,
      after,
      isForced: null,
    })),
    references: notes.flatMap(({ system, body }) => {
      const number = system ? mentionIn.exec(body ?? '')?.[1] : undefined;
      return number === undefined ? [] : [{ number: Number(number), isMerged: null }];
    }),
    hasMore: discussions.length >= mostComments,
  });
}

/** Pushes, oldest first, with the diffs of those that were commented on before the next push. */
async function readVersions(
  { client, path, head }: Place,
  { threads, comments }: { threads: DiscussionThread[]; comments: DiscussionComment[] },
  caller: HostCaller,
): Promise<[VersionPayload[], Map<string, VersionDiffsPayload['diffs']>]> {
  const newestFirst = await client.list(`${path}/versions`, VersionPayload, caller, {
    atMost: mostVersions,
    keep: (version) => version,
  });
  const quoting = comments.filter(({ body, isBot }) => !isBot && quotesCode(body));
  const commented = new Set([
    ...threads.map(({ sha }) => sha),
    ...quoting.map((comment) => headAt(comment, newestFirst.toReversed())),
  ]);
  const wanted = newestFirst
    .filter(({ head_commit_sha: sha }) => sha !== head && commented.has(sha))
    .slice(0, mostVersionsRead);
  const read = await inTurns(wanted, async ({ id, head_commit_sha: sha }) => {
    const version = await client.get(`${path}/versions/${id}`, VersionDiffsPayload, caller).catch((error) => {
      if (error instanceof ResponseTooLarge) return null;
      throw error;
    });
    return [sha, version?.diffs ?? []] as const;
  });
  return [newestFirst.toReversed(), new Map(read)];
}

const headAt = ({ createdAt }: DiscussionComment, oldestFirst: VersionPayload[]): string | undefined =>
  oldestFirst.findLast(({ created_at: at }) => toSecond(at) <= createdAt)?.head_commit_sha;

/** A general comment with what it quotes, as far as the diff of that time has it. */
function withQuoted(
  comment: DiscussionComment,
  versions: VersionPayload[],
  diffs: Map<string, VersionDiffsPayload['diffs']>,
): DiscussionComment {
  const sha = headAt(comment, versions) ?? '';
  const then = quotesCode(comment.body) && diffs.get(sha);
  if (!then) return comment;
  const files = then.flatMap(({ new_path: path, diff }) => {
    const text = diff.replace(/^(?:-.*|@@.*|\\.*)\n?/gm, '').replace(/^[+ ]/gm, '');
    const lines = quotedLines(comment.body, text);
    return lines.length <= mostQuotedLines ? [{ path, lines }] : [];
  });
  return { ...comment, quoted: { sha, files } };
}

function hunkOf(
  { sha, path, side, line }: DiscussionThread,
  diffs: Map<string, VersionDiffsPayload['diffs']>,
): string | null {
  const file = diffs.get(sha ?? '')?.find((one) => one[side === 'old' ? 'old_path' : 'new_path'] === path);
  return file && line !== null ? hunkAt(file.diff, side, line) : null;
}

function threadOf({ notes }: DiscussionPayload): DiscussionThread[] {
  const [first] = notes;
  const { position } = first ?? {};
  if (first?.type !== 'DiffNote' || !position) return [];
  const side = position.new_line ? 'new' : 'old';
  const path = (side === 'new' ? position.new_path : position.old_path) ?? position.new_path;
  if (!path) return [];
  const line = position[`${side}_line`] ?? null;
  return [
    {
      path,
      side,
      sha: position.head_sha ?? null,
      startLine: position.line_range?.start?.[`${side}_line`] ?? line,
      line,
      hunk: null,
      behind: [],
      isResolved: first.resolvable ? first.resolved === true : null,
      resolvedBy: first.resolved_by?.username ?? null,
      isOutdated: null,
      comments: notes.filter(({ system }) => !system).map(commentOf),
    },
  ];
}

/** The last approval or request for changes of each user, which GitLab records in system notes. */
function reviewsIn(notes: NotePayload[]): Discussion['reviews'] {
  const told = notes.filter(
    ({ system, body }) => system && (body === approval || body === withdrawal || body === changesRequest),
  );
  const newestFirst = told.toSorted(
    (one, other) => Date.parse(other.created_at) - Date.parse(one.created_at),
  );
  const latest = newestFirst.filter(
    ({ author }, place) =>
      newestFirst.findIndex((one) => one.author?.username === author?.username) === place,
  );
  return latest
    .filter(({ body }) => body !== withdrawal)
    .map((note) => ({
      ...commentOf({ ...note, body: '' }),
      state: note.body === approval ? 'approved' : 'changesRequested',
      sha: null,
    }));
}

const commentOf = ({ id, author, body, created_at: at }: NotePayload): DiscussionComment => {
  const username = author?.username || ghost;
  return discussionCommentOf({
    author: username,
    isBot: isGitLabBot(username),
    body,
    at,
    anchor: `note_${id}`,
  });
};
