import {
  commentsIn,
  type Discussion,
  type DiscussionComment,
  type DiscussionThread,
} from '../domain/reviews.ts';

import { mostCompared } from './reviews.ts';

/** Comments that answer each other, oldest first, without those of bots. */
export interface Exchange {
  /** Null for comments that are on no line. */
  thread: DiscussionThread | null;
  comments: DiscussionComment[];
}

/** The first threads of a review, and the general comments that answer each other. */
export function exchangesOf(discussion: Discussion, authorLogin: string): Exchange[] {
  const threads = discussion.threads.slice(0, mostCompared).map((thread) => ({
    thread,
    comments: thread.comments.filter(({ isBot, body }) => !isBot && body.trim() !== ''),
  }));
  const general = commentsIn({ ...discussion, threads: [] }).toSorted(
    (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt),
  );
  const chains: Exchange[] = [];
  for (const comment of general) {
    const chain = chains.at(-1)?.comments;
    const last = chain?.at(-1);
    if (chain && last && answers(comment, last, authorLogin)) chain.push(comment);
    else chains.push({ thread: null, comments: [comment] });
  }
  return [...threads, ...chains.slice(0, mostCompared)].filter(({ comments }) => comments.length > 0);
}

const longestSilence = 7 * 24 * 60 * 60 * 1_000;

/** Hosts do not say which general comment another one answers: one names the other's writer, or the author is next. */
function answers(comment: DiscussionComment, last: DiscussionComment, authorLogin: string): boolean {
  const names = ({ body }: DiscussionComment, login: string): boolean =>
    body.toLowerCase().includes(`@${login.toLowerCase()}`);
  if (comment.author === last.author) return false;
  if (names(comment, last.author) || names(last, comment.author)) return true;
  return (
    comment.author === authorLogin &&
    Date.parse(comment.createdAt) - Date.parse(last.createdAt) <= longestSilence
  );
}
