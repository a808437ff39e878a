import { afterSentence } from '../domain/join-sentences.ts';
import type { WrittenStatement } from './written-article.ts';

/** Statements as one text. */
export function joinStatements(statements: Pick<WrittenStatement, 'text'>[]): string {
  return statements.reduce(
    (text, one) => (text === '' ? one.text : `${text}${afterSentence(text)}${one.text}`),
    '',
  );
}
