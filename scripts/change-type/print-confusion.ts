import { changeTypes } from '../../src/domain/article.ts';
import type { Confusion } from './confusion.ts';

/** Precision, recall and F1 of each type, and what was taken for what: rows as authors said, columns as judged. */
export function printConfusion(confusion: Confusion): string {
  const rows = [
    ['', 'precision', 'recall', 'F1', 'number', ...changeTypes, 'none'],
    ...changeTypes.map((name, type) => [
      name,
      confusion.precision(type).toFixed(3),
      confusion.recall(type).toFixed(3),
      confusion.f1(type).toFixed(3),
      String(confusion.expected(type)),
      ...changeTypes.map((_, judged) => String(confusion.count(type, judged))),
      String(confusion.unjudged(type)),
    ]),
  ];
  return rows.map((row) => row.map((cell) => cell.padStart(9)).join(' ')).join('\n');
}
