import { mostComments } from '../domain/pull-requests.ts';
import {
  type Discussion,
  type DiscussionComment,
  type DiscussionThread,
  mostOfComment,
} from '../domain/reviews.ts';
import { timeOf } from './payload-types.ts';

/** The limit in bytes of JSON for all comments and hunks of a discussion, which is stored with its pull request. */
const mostText = 1024 * 1024;

/** The limit for stored pushes and mentions, which is more than any review has. */
const mostEvents = 250;

interface Said {
  author: string;
  isBot: boolean;
  body: string | null | undefined;
  at: string;
  anchor: string | null;
}

export const toSecond = (time: string): string =>
  timeOf(time)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');

export function discussionCommentOf({ author, isBot, body, at, anchor }: Said): DiscussionComment {
  const text = body ?? '';
  return {
    author,
    isBot,
    body: text.slice(0, mostOfComment).toWellFormed(),
    isCut: text.length > mostOfComment,
    createdAt: toSecond(at),
    anchor,
  };
}

const noLineEnd = '\\ ';
const begins = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** A hunk that is longer than a comment may be loses its first lines, because the commented lines are at its end. */
function cutHunk(hunk: string): string | null {
  const [first = '', ...all] = hunk.trimEnd().split('\n');
  const lines = all.filter((line) => !line.startsWith(noLineEnd));
  const [, old, now, heading = ''] = begins.exec(first) ?? [];
  if (old === undefined || now === undefined) return null;
  let left = mostOfComment;
  let begin = lines.length;
  while (begin > 0 && left >= (lines[begin - 1] ?? '').length + 1) {
    begin -= 1;
    left -= (lines[begin] ?? '').length + 1;
  }
  const dropped = lines.slice(0, begin);
  const oldLine = Number(old) + dropped.filter((line) => !line.startsWith('+')).length;
  const newLine = Number(now) + dropped.filter((line) => !line.startsWith('-')).length;
  return [`@@ -${oldLine} +${newLine} @@${heading}`, ...lines.slice(begin)].join('\n').toWellFormed();
}

/** The hunk that contains a line of a file's diff, up to a few lines after it. */
export function hunkAt(diff: string, side: 'old' | 'new', line: number): string | null {
  const lines = diff.split('\n').filter((text) => !text.startsWith(noLineEnd));
  let begin = -1;
  let at = { old: 0, new: 0 };
  for (const [place, text] of lines.entries()) {
    const [, old, now] = begins.exec(text) ?? [];
    if (old !== undefined && now !== undefined) {
      begin = place;
      at = { old: Number(old), new: Number(now) };
      continue;
    }
    const isOnSide = side === 'old' ? !text.startsWith('+') : !text.startsWith('-');
    if (begin !== -1 && isOnSide && at[side] === line) {
      const end = lines.findIndex((later, index) => index > place && begins.test(later));
      const last = Math.min(place + mostLinesBehind + 1, end === -1 ? lines.length : end);
      return lines.slice(begin, last).join('\n').trimEnd();
    }
    if (!text.startsWith('+')) at.old += 1;
    if (!text.startsWith('-')) at.new += 1;
  }
  return null;
}

export const mostLinesBehind = 20;

/** A quotation in more lines of a file than this is in every file. */
export const mostQuotedLines = 20;

const inOrder = <Item extends { createdAt: string }>(items: Item[]): Item[] =>
  items.toSorted((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));

/** A discussion within the limits: the oldest comments of all kinds are kept. */
export function discussionOf(given: Discussion): Discussion {
  const threads = given.threads.flatMap((thread) => {
    const comments = inOrder(thread.comments.filter(({ body }) => body !== ''));
    return comments[0] ? { ...thread, comments, createdAt: comments[0].createdAt } : [];
  });
  const dates = [...given.reviews, ...given.comments, ...threads.flatMap(({ comments }) => comments)]
    .map(({ createdAt }) => createdAt)
    .sort();
  const last = dates[mostComments - 1] ?? '9';
  let textLeft = mostText;
  let commentsLeft = mostComments;
  const fits = (text: string): boolean => {
    textLeft -= Buffer.byteLength(JSON.stringify(text));
    return textLeft >= 0;
  };
  const keep = <Item extends DiscussionComment>(items: Item[]): Item[] =>
    inOrder(items).filter(({ createdAt, body }) => {
      if (createdAt > last || commentsLeft <= 0 || !fits(body)) return false;
      commentsLeft -= 1;
      return true;
    });
  const kept = {
    reviews: keep(given.reviews),
    comments: keep(given.comments.filter(({ body }) => body !== '')),
    threads: inOrder(threads).flatMap(({ createdAt: _, ...thread }): DiscussionThread[] => {
      const comments = keep(thread.comments);
      const hunk = thread.hunk === null ? null : cutHunk(thread.hunk);
      if (comments.length === 0) return [];
      const isKept = hunk !== null && fits(hunk + thread.behind.join(''));
      return [{ ...thread, hunk: isKept ? hunk : null, behind: isKept ? thread.behind : [], comments }];
    }),
  };
  const count =
    kept.reviews.length + kept.comments.length + kept.threads.flatMap((one) => one.comments).length;
  return {
    ...kept,
    pushes: given.pushes.slice(-mostEvents),
    references: given.references.slice(0, mostEvents),
    hasMore: given.hasMore || count < dates.length,
  };
}
