import type { FileOutline } from '../src/reading/facts.ts';
import type { FileDiff } from '../src/reading/file-diff.ts';
import { linesOf } from '../src/reading/file-diff.ts';
import { freshNames } from '../src/reading/fresh-names.ts';
import type { ArticleSource } from '../src/writing/articles.ts';
import { diffOf } from './diff-of.ts';
import { readFacts } from './read-facts.ts';

interface Known {
  title?: string;
  body?: string | null;
  author?: string;
  /** Commit messages, oldest first. */
  commits?: string[];
  diff?: FileDiff[];
  /** Named ranges by path, as the whole file has them on both sides. */
  ranges?: Record<string, [name: string, startLine: number, endLine: number][]>;
}

const someCode = diffOf('src/queue.ts', ' const a = 1;\n-const limit = 1;\n+const limit = 2;');

/** A pull request as the source of an article, with facts from its diff. */
export function sourceOf({
  title = 'Keep jobs in order',
  body = null,
  author = 'ada',
  ...more
}: Known): ArticleSource {
  const { commits = [], diff = [someCode], ranges = {} } = more;
  const text = { repository: 'shop/parcel', title, body, labels: [], commitMessages: commits };
  return {
    ...{
      repository: text.repository,
      title,
      body,
      author,
      isClone: false,
      comments: [],
      linkedIssues: [],
      diff,
    },
    commits: commits.map((message) => ({ author: 'ada', message })),
    facts: readFacts(text, diff, outlinesOf(ranges, diff)),
  };
}

/** Treats the lines in the diff as the whole file. */
const outlinesOf = (ranges: NonNullable<Known['ranges']>, diff: FileDiff[]): Map<string, FileOutline> =>
  new Map(
    [...new Set([...Object.keys(ranges), ...diff.map(({ path }) => path)])].map((path) => {
      const named = ranges[path] ?? [];
      const own = diff.find((file) => file.path === path);
      return [path, { fileName: path, ranges: rangesOf(path, named), ...(own && { fresh: freshIn(own) }) }];
    }),
  );

const rangesOf = (path: string, named: [name: string, startLine: number, endLine: number][]) =>
  named.flatMap(([name, startLine, endLine]) =>
    (['old', 'new'] as const).map((side) => ({
      name,
      isFunction: !/\.md$/.test(path),
      side,
      startLine,
      endLine,
    })),
  );

function freshIn(file: FileDiff): string[] {
  const lines = file.hunks.flatMap(linesOf).filter(({ side }) => side !== 'removed');
  const text: string[] = [];
  for (const { newLine, text: line } of lines) text[(newLine ?? 1) - 1] = line;
  const added = lines.filter(({ side }) => side === 'added').map((line) => line.text);
  return freshNames(
    file,
    Array.from(text, (line) => line ?? '').join('\n'),
    added.join(' ').match(/[\w$]+/g) ?? [],
  );
}
