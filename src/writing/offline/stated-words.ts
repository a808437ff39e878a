import { plainText } from '../plain-text.ts';
import type { ArticleSource } from './article-source.ts';

/** What people wrote about a pull request, as they wrote it and as it reads without markup. */
export function findStatedWords({
  title,
  body,
  commits,
  comments,
  linkedIssues,
  facts,
}: ArticleSource): string[] {
  const messages = commits.map(({ message }) => message);
  const written = [
    title,
    body ?? '',
    ...messages,
    ...comments.map((comment) => comment.body),
    ...linkedIssues.map((issue) => issue.title),
  ];
  const plain = [title, facts.description.text, ...messages].map(plainText);
  return [...written, ...plain, ...linkedIssues.map(({ number }) => `#${number}`)].filter(
    (text) => text !== '',
  );
}
