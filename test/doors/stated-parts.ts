import type { Hunk, Statement } from '../../src/contract/article-parts.ts';
import type { ArticleContent } from '../../src/contract/articles.ts';
import { after, before, fresh } from './make-doors.ts';

let made = 0;
type Lines = [file: string, side: 'old' | 'new', start: number, end?: number];

export function statement(
  text: string,
  lines: Lines[] = [],
  more: Partial<Pick<Statement, 'basis' | 'certain' | 'source'>> = {},
): Statement {
  made += 1;
  const evidence = lines.map(([fileName, side, startLine, endLine = startLine]) => ({
    fileName,
    side,
    startLine,
    endLine,
    hostUrl: `https://forge.example.org/doors/blob/${fileName}#L${startLine}`,
  }));
  return { id: made.toString(16).padStart(12, '0'), text, basis: 'diff', evidence, ...more };
}

export const line = (
  kind: 'context' | 'added' | 'removed',
  number: number,
  text: string,
  newLine = number,
) => ({
  kind,
  oldLine: kind === 'added' ? null : number,
  newLine: kind === 'removed' ? null : newLine,
  text,
});

const textOf = (file: string, number: number): string => file.split('\n')[number - 1] ?? '';
const removed = (number: number) => line('removed', number, textOf(before, number));
const added = (number: number) => line('added', number, textOf(after, number));
const context = (number: number) => line('context', number, textOf(after, number));

export const matchHunk: Hunk = {
  fileName: 'src/router.ts',
  heading: 'Router.match',
  lines: [
    context(15),
    removed(16),
    added(16),
    context(17),
    context(18),
    context(19),
    context(20),
    removed(21),
    added(21),
    context(22),
  ],
  moreBefore: 0,
  moreAfter: 0,
};
export const freshHunk: Hunk = {
  fileName: 'src/nothing-found.ts',
  heading: null,
  lines: fresh
    .trimEnd()
    .split('\n')
    .map((text, index) => line('added', index + 1, text)),
  moreBefore: 0,
  moreAfter: 0,
};

export type Told = Partial<Omit<ArticleContent, 'likeCount' | 'stale'>>;

export const change = (
  fileName: string,
  statements: Statement[],
  more: Partial<ArticleContent['mainChanges'][number]> = {},
): ArticleContent['mainChanges'][number] => ({
  heading: null,
  fileName,
  changeTypes: [],
  statements,
  description: statements.map(({ text }) => text).join(' ') || fileName,
  evidence: statements.flatMap(({ evidence }) => evidence),
  hunk: null,
  ...more,
});

export const point = (
  label: ArticleContent['notablePoints'][number]['label'],
  categories: ArticleContent['notablePoints'][number]['categories'],
  statements: Statement[],
): ArticleContent['notablePoints'][number] => ({
  categories,
  label,
  severity: null,
  statements,
  point: statements.map(({ text }) => text).join(' '),
  evidence: statements.flatMap(({ evidence }) => evidence),
});

export const row = (
  told: Statement,
  files: string[],
  more: Partial<ArticleContent['also'][number]> = {},
): ArticleContent['also'][number] => ({
  statement: told,
  times: null,
  files,
  filesTotal: files.length,
  additions: 3,
  deletions: 1,
  ...more,
});

export const quoted = { basis: 'words', source: 'description' } as const;
