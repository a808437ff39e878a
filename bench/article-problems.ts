import { Ajv } from 'ajv';
import type { WrittenArticle } from '../src/writing/written-article.ts';

const evidence = {
  type: 'array',
  items: {
    type: 'object',
    required: ['fileName', 'startLine', 'endLine', 'side'],
    properties: {
      startLine: { type: 'integer', minimum: 1 },
      endLine: { type: 'integer', minimum: 1 },
      side: { enum: ['old', 'new'] },
    },
  },
};
const sentence = { type: 'string', minLength: 1 };
const changeTypes = {
  type: 'array',
  items: { enum: ['FEAT', 'FIX', 'REFACTOR', 'DOCS', 'TEST', 'PERF', 'BUILD', 'CHORE'] },
};
const statements = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['text', 'basis', 'evidence'],
    properties: { text: sentence, basis: { enum: ['diff', 'words', 'judgement'] }, evidence },
  },
};
const categories = {
  type: 'array',
  minItems: 1,
  items: { enum: ['TECH', 'RISK', 'UX', 'PERF', 'SECURITY'] },
};

/** The contract once more, from its text and not from the code that the service uses. */
const isArticle = new Ajv({ strict: false }).compile({
  type: 'object',
  required: [
    'title',
    'changeTypes',
    'background',
    'mainChanges',
    'notablePoints',
    'quote',
    'writer',
    'coverage',
    'verification',
  ],
  properties: {
    title: { type: 'string', minLength: 1 },
    changeTypes,
    background: { ...statements, minItems: 0 },
    mainChanges: {
      type: 'array',
      items: {
        type: 'object',
        required: ['fileName', 'changeTypes', 'statements'],
        properties: { changeTypes, statements },
      },
    },
    notablePoints: {
      type: 'array',
      items: {
        type: 'object',
        required: ['categories', 'statements'],
        properties: { categories, statements },
      },
    },
  },
});

interface Range {
  side: 'old' | 'new';
  start: number;
  end: number;
}

/** Files and lines as git prints them, found without the parser that the writer uses. */
function hunksOf(diff: string): Map<string, Range[]> {
  const files = new Map<string, Range[]>();
  for (const part of diff.split(/^diff --git /m).slice(1)) {
    const named = /^\+\+\+ (?:"?b\/)(.+?)"?\t?$/m.exec(part)?.[1];
    const removed = /^--- (?:"?a\/)(.+?)"?\t?$/m.exec(part)?.[1];
    const renamed = /^(?:rename|copy) to "?(.+?)"?$/m.exec(part)?.[1];
    const headed = /^"?a\/(.+?)"? "?b\/\1"?$/m.exec(part.split('\n')[0] ?? '')?.[1];
    const name = unquote(named ?? renamed ?? removed ?? headed ?? '');
    const ranges: Range[] = [];
    for (const [, oldStart, oldCount, newStart, newCount] of part.matchAll(
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
    )) {
      ranges.push({
        side: 'old',
        start: Number(oldStart),
        end: Number(oldStart) + Number(oldCount ?? 1) - 1,
      });
      ranges.push({
        side: 'new',
        start: Number(newStart),
        end: Number(newStart) + Number(newCount ?? 1) - 1,
      });
    }
    // A file that becomes a link, or the other way round, is printed twice: once going and once coming.
    files.set(name, [...(files.get(name) ?? []), ...ranges]);
  }
  return files;
}

const hasLines = (files: Map<string, Range[]>): boolean =>
  [...files.values()].some((ranges) => ranges.length > 0);

function unquote(path: string): string {
  if (!path.includes('\\')) return path;
  const bytes = path
    .replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replace(/\\(.)/g, '$1');
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** What is wrong with an article, in the words of the report. */
export function problemsOf(article: WrittenArticle, rawTitle: string, diff: Buffer): string[] {
  const files = hunksOf(diff.toString('utf8'));
  const problems = new Set<string>();
  if (!isArticle(article) || (hasLines(files) && article.mainChanges.length === 0))
    problems.add('fails the schema');
  const told = [...article.mainChanges, ...article.notablePoints].flatMap((item) => item.statements);
  for (const { fileName } of article.mainChanges)
    if (!files.has(fileName)) problems.add('names a file that is not in the diff');
  for (const { fileName, startLine, endLine, side } of told.flatMap((statement) => statement.evidence)) {
    const isShown = files
      .get(fileName)
      ?.some(
        (range) =>
          range.side === side && startLine >= range.start && endLine <= range.end && startLine <= endLine,
      );
    if (!isShown) problems.add('has evidence outside the diff');
  }
  for (const change of article.mainChanges) {
    const [first] = change.statements.flatMap((statement) => statement.evidence);
    if (first?.fileName !== change.fileName && (files.get(change.fileName)?.length ?? 0) > 0)
      problems.add('has evidence outside the diff');
  }
  if ([...article.title].length > 80) problems.add('has a title over 80 characters');
  const withoutNumber = rawTitle.replace(/\s*\(#\d+\)$/, '');
  // One word alone says nothing without what stands before it.
  const hasPrefix = /^\w+(?:\([^)]*\))?!?: \S+\s/.test(withoutNumber);
  if (hasPrefix && (article.title === withoutNumber || article.title === rawTitle))
    problems.add('has the raw title with its prefix');
  const texts = [article.title, ...[...article.background, ...told].map(({ text }) => text)];
  if (
    texts.some((text) =>
      /<\/?[a-z][^>]*>|<!--|https?:\/\/\w|!\[[^\]]*\]\(|\w\]\(|\u200b|[\u{E0000}-\u{E007F}]/iu.test(
        // Code that holds a backtick stands between two of them on either side.
        text.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, ''),
      ),
    )
  ) {
    problems.add('has markup or a link in its text');
  }
  return [...problems];
}
