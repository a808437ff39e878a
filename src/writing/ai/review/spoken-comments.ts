import { commentsIn, type Discussion, idOfComment } from '../../../domain/reviews.ts';
import { readHunk } from '../../../reading/reviewed-lines.ts';
import type { SaidInReview, SpokenComment } from '../../articles.ts';
import { isMachine } from '../../rules/author-words.ts';

const mostLines = 8;
const longestLine = 200;

/** The comments of people as their code host shows them, with their speakers and the lines that they are about. */
export function spokenComments(discussion: Discussion, authorLogin: string): SpokenComment[] {
  const verdicts = new Map<string, SaidInReview['state']>();
  for (const { author, state } of discussion.reviews)
    if (state !== 'commented') verdicts.set(author, state === 'dismissed' ? null : state);
  const threads = new Map(
    discussion.threads.flatMap((thread) => thread.comments.map((comment) => [comment, thread] as const)),
  );
  return commentsIn(discussion)
    .filter(({ author }) => !isMachine(author))
    .map((comment) => {
      const { author, body } = comment;
      const thread = threads.get(comment);
      const lines = thread?.hunk ? readHunk(thread.hunk).lines.slice(-mostLines) : [];
      const signs = { added: '+', removed: '-', context: ' ' };
      return {
        author,
        body,
        said: {
          comment: idOfComment(comment),
          isByAuthor: author === authorLogin,
          state: verdicts.get(author) ?? null,
          line: thread ? `${thread.path}${thread.line === null ? '' : `:${thread.line}`}` : null,
          hunk: lines.map(
            ({ side, text, oldLine, newLine }) =>
              `${newLine ?? oldLine}${signs[side]}${text.slice(0, longestLine)}`,
          ),
        },
      };
    });
}
