import type { FileFacts } from '../src/reading/facts.ts';
import type { Hunk, WrittenArticle } from '../src/writing/written-article.ts';

/** What the form of articles forbids, in the words of the report; looked up in git's own text of the diff. */
export const formProblemKinds = [
  'shows a line that the diff has not',
  'shows more lines than the form allows',
  'leaves out a file that changed',
  'does not name a source file of a small change',
  'shows a test before source',
  'has a phrase that the form forbids',
  'quotes what its author did not write',
] as const;

type FormProblem = (typeof formProblemKinds)[number];

export interface Judged {
  article: WrittenArticle;
  files: FileFacts[];
  diff: string;
  /** All that people wrote, as it was written. */
  words: string;
}

export function formProblemsOf({ article, files, diff, words }: Judged): FormProblem[] {
  const lines = linesOf(diff);
  const hunks = article.mainChanges.flatMap(({ hunk }) => hunk ?? []);
  const found: [FormProblem, boolean][] = [
    ['shows a line that the diff has not', !hunks.every((one) => isInDiff(one, lines))],
    ['shows more lines than the form allows', !hunks.every(isWithinBounds)],
    ['leaves out a file that changed', !areAllTold(article, files)],
    ['does not name a source file of a small change', !areSourcesNamed(article, files)],
    ['shows a test before source', showsTestFirst(article, files)],
    ['has a phrase that the form forbids', textsOf(article).some((text) => forbidden.test(text))],
    ['quotes what its author did not write', !areQuotationsWhole(article, words, diff)],
  ];
  return found.flatMap(([problem, isSo]) => (isSo ? [problem] : []));
}

/** Every line of the diff by its file, its sign and its numbers. */
function linesOf(diff: string): Set<string> {
  const lines = new Set<string>();
  for (const part of diff.split(/^diff --git /m).slice(1)) {
    let [old, current] = [0, 0];
    let isInHunk = false;
    for (const line of part.split('\n')) {
      const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
      if (head) [old, current, isInHunk] = [Number(head[1]), Number(head[2]), true];
      else if (isInHunk && line.startsWith('+')) lines.add(`added  ${current++} ${line.slice(1)}`);
      else if (isInHunk && line.startsWith('-')) lines.add(`removed ${old++}  ${line.slice(1)}`);
      else if (isInHunk && !line.startsWith('\\'))
        lines.add(`context ${old++} ${current++} ${line.slice(1)}`);
    }
  }
  return lines;
}

const isInDiff = ({ lines }: Hunk, known: Set<string>): boolean =>
  lines.every(({ kind, oldLine, newLine, text }) =>
    known.has(`${kind} ${oldLine ?? ''} ${newLine ?? ''} ${text}`),
  );

const isWithinBounds = ({ lines }: Hunk): boolean => lines.length <= 60;

function areAllTold({ mainChanges, also }: WrittenArticle, files: FileFacts[]): boolean {
  const told = new Set([
    ...mainChanges.flatMap(({ fileName, hunk }) => [fileName, ...(hunk ? [hunk.fileName] : [])]),
    ...mainChanges.flatMap(({ statements }) =>
      statements.flatMap(({ evidence }) => evidence.map(({ fileName }) => fileName)),
    ),
    ...also.flatMap((row) => row.files),
  ]);
  const left = also.reduce((sum, row) => sum + row.filesTotal - row.files.length, 0);
  return files.filter(({ path }) => !told.has(path)).length <= left;
}

const smallChange = 15;

function areSourcesNamed({ mainChanges, also }: WrittenArticle, files: FileFacts[]): boolean {
  if (files.length > smallChange) return true;
  const named = JSON.stringify([mainChanges, also]);
  return files.every(
    ({ kind, path }) => kind !== 'source' || named.includes(JSON.stringify(path).slice(1, -1)),
  );
}

function showsTestFirst({ mainChanges, changeTypes }: WrittenArticle, files: FileFacts[]): boolean {
  const kindOf = (path: string) => files.find((file) => file.path === path)?.kind;
  const kinds = mainChanges.map(({ fileName }) => kindOf(fileName));
  const firstTest = kinds.indexOf('test');
  return !changeTypes.includes('TEST') && firstTest >= 0 && kinds.indexOf('source') > firstTest;
}

const textsOf = ({ mainChanges, also }: WrittenArticle): string[] => [
  ...mainChanges.flatMap(({ statements }) => statements.map(({ text }) => text)),
  ...also.map(({ statement }) => statement.text),
];

const forbidden =
  /among other(?:s| edits)?\b|further edits|further on|` becomes `|^Adds `|this file is new|Merge pull request/;

/** Quotations are looked up without marks and white space, which pages set differently. */
function areQuotationsWhole(
  { background, notablePoints, quote }: WrittenArticle,
  words: string,
  diff: string,
): boolean {
  const squeeze = (text: string): string =>
    text
      .replace(/\[([^\]]*)\]\([^)\n]*\)/g, '$1')
      // reStructuredText says what a name is before it.
      .replace(/:(?:\w+:)?\w+:`~?/g, '`')
      .replace(/[^\p{L}\p{N}]+/gu, '');
  const [said, shown] = [squeeze(words), squeeze(diff.replace(/^[-+ ]\s*(?:\/\/|#|\*|--|;)?/gm, ''))];
  const quotations = [
    ...(quote ? [quote.text] : []),
    ...[...background, ...notablePoints.flatMap((point) => point.statements)]
      .filter(({ source }) => source !== undefined)
      .map(({ text }) => text),
  ];
  return quotations.every((text) => said.includes(squeeze(text)) || shown.includes(squeeze(text)));
}
