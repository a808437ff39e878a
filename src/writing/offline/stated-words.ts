import { plainText } from '../plain-text.ts';
import type { ArticleSource } from './article-source.ts';

/** What people wrote about a pull request, as they wrote it and as it reads without markup. */
export function findStatedWords({
  title,
  body,
  commitMessages,
  discussion,
  linkedIssues,
  facts,
}: ArticleSource): string[] {
  const written = [
    title,
    body ?? '',
    ...commitMessages,
    ...discussion,
    ...linkedIssues.map((issue) => issue.title),
  ];
  const plain = [title, facts.description.text, ...commitMessages].map(plainText);
  return [...written, ...plain, ...linkedIssues.map(({ number }) => `#${number}`)].filter(
    (text) => text !== '',
  );
}
