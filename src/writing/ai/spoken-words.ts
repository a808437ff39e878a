import type { ArticleSource } from '../article-source.ts';
import type { SpokenWords } from '../draft.ts';

/** What is known of what people wrote about a pull request. */
type Spoken = Pick<ArticleSource, 'title' | 'body' | 'author' | 'commits' | 'comments' | 'linkedIssues'>;

/** Everything that people wrote about a pull request, as they wrote it. */
export function spokenWords({ title, body, author, commits, comments, linkedIssues }: Spoken): SpokenWords[] {
  const words: SpokenWords[] = [
    { speaker: author, where: 'title', text: title },
    { speaker: author, where: 'description', text: body ?? '' },
    ...commits.map(
      (commit): SpokenWords => ({ speaker: commit.author, where: 'commit', text: commit.message }),
    ),
    ...comments.map(
      (comment): SpokenWords => ({ speaker: comment.author, where: 'comment', text: comment.body }),
    ),
    ...linkedIssues.map(
      ({ number, title: issue, body: report }): SpokenWords => ({
        speaker: `#${number}`,
        where: 'issue',
        text: [`#${number} ${issue}`, report ?? ''].join('\n\n').trim(),
      }),
    ),
  ];
  return words.filter(({ text }) => text !== '');
}
