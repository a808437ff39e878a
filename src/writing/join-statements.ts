import type { WrittenStatement } from './written-article.ts';

/** Sentences that end as Japanese ones do stand beside each other without a blank. */
const endsWide = /[。！？」』）]$/u;

/** Statements as one text. */
export function joinStatements(statements: Pick<WrittenStatement, 'text'>[]): string {
  return statements.reduce(
    (text, one) => (text === '' || endsWide.test(text) ? text + one.text : `${text} ${one.text}`),
    '',
  );
}
