import type { FileOutline } from '../src/reading/facts.ts';
import type { FileDiff } from '../src/reading/file-diff.ts';
import type { ArticleSource } from '../src/writing/written-article.ts';
import { diffOf } from './diff-of.ts';
import { readFacts } from './read-facts.ts';

interface Known {
  title?: string;
  body?: string | null;
  author?: string;
  /** Messages, oldest first. */
  commits?: string[];
  diff?: FileDiff[];
  /** What lines lie in, as the whole file would tell, on both sides: its path, then each name with its lines. */
  ranges?: Record<string, [name: string, startLine: number, endLine: number][]>;
}

const someCode = diffOf('src/queue.ts', ' const a = 1;\n-const limit = 1;\n+const limit = 2;');

/** A pull request that an article is written from, with facts read from its diff. */
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
    facts: readFacts(text, diff, outlinesOf(ranges)),
  };
}

const outlinesOf = (ranges: NonNullable<Known['ranges']>): Map<string, FileOutline> =>
  new Map(
    Object.entries(ranges).map(([path, named]) => [
      path,
      {
        fileName: path,
        ranges: named.flatMap(([name, startLine, endLine]) =>
          (['old', 'new'] as const).map((side) => ({
            name,
            isFunction: !/\.md$/.test(path),
            side,
            startLine,
            endLine,
          })),
        ),
      },
    ]),
  );
