import type { HostPullRequest } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import { cutText, ghost } from '../texts.ts';
import type { DiscussionPayload, NotePayload } from './payloads.ts';

type Comment = HostPullRequest['comments'][number];

/** What GitLab itself notes when somebody approves or no longer does, in English whatever language its pages are in. */
const approval = 'approved this merge request';
const withdrawal = 'unapproved this merge request';

/**
 * What people wrote in a thread, without what is for members alone, and who approved or took that back; GitLab's other notes say what
 * is known anyway.
 */
export const commentsOf = ({ notes }: DiscussionPayload): Comment[] => notes.flatMap(commentOf);

function commentOf(note: NotePayload): Comment[] {
  const { author, body, system, internal, confidential, created_at } = note;
  if (internal || confidential || !body) return [];
  if (system && body !== approval && body !== withdrawal) return [];
  const said = { author: author?.username ?? ghost, body: cutText(body), createdAt: timeOf(created_at) };
  const { position } = note;
  const path = position?.new_path ?? position?.old_path;
  if (note.type !== 'DiffNote' || !path) return [{ kind: system ? 'review' : 'comment', ...said }];
  const line = position?.new_line ?? position?.old_line ?? null;
  return [{ kind: 'reviewComment', ...said, path, ...(line !== null && { line }) }];
}

/** Of comments, oldest first, those that are no approval which its author took back later. */
export const withoutWithdrawn = (comments: Comment[]): Comment[] =>
  comments.filter(
    ({ kind, author, body }, place) =>
      kind !== 'review' ||
      (body === approval &&
        !comments
          .slice(place)
          .some((later) => later.kind === 'review' && later.author === author && later.body === withdrawal)),
  );
