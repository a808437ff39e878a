import type { ArticleContent, ArticleSummary, PullRequestArticle } from '../../contract/article.ts';
import type { Hunk, Statement } from '../../contract/article-parts.ts';
import type { ChangedFile } from '../../contract/pull-request.ts';
import { showsAll } from '../../domain/article.ts';
import type { RunningJob } from '../progress.ts';
import type { CitedCode, HunkCode } from './cited-code.ts';

/** What a page shows of the pull request beside what the article says. */
interface ShownChange {
  files: ChangedFile[];
}

/** Another article of the same repository. */
export interface ArticleBeside {
  number: number;
  languageCode: string;
  title: string;
}

/** An article in one language, with everything that its page shows. */
export interface ShownArticle {
  article: Omit<PullRequestArticle, 'contents'>;
  content: ArticleContent;
  /** All languages in which it is written. */
  languages: string[];
  isPrivate: boolean;
  /** Whether the reader likes it in this language. */
  isLiked: boolean;
  /** Null where the stored pull request is no longer there to be shown. */
  change: ShownChange | null;
  /** The cited lines of a file that an item refers to and its hunk does not show, by `citationKey`. */
  cited: Map<string, CitedCode>;
  /** The lines of each hunk of the content. */
  hunks: Map<Hunk, HunkCode>;
  /** Of the sentences, those that the reader has not read; none where they read it for the first time. */
  newSentences: ReadonlySet<string>;
  /** Others about the same repository, and why they are named. */
  more: (ArticleSummary & { because: 'files' | 'release' | 'author' | 'repository' })[];
  /** The tags between which it was merged; null where that is not known. */
  release: { from: string; to: string } | null;
  /** Those beside it in the list of its repository. */
  newer: ArticleBeside | null;
  older: ArticleBeside | null;
  /** What is being written about the same pull request for the reader. */
  running: RunningJob | null;
}

/** Sentences of one thing that refer to lines in the margin; its id says what: background or change. */
export interface Item {
  id: string;
  statements: Statement[];
  /** Lines that are shown below the sentences. */
  hunk: Hunk | null;
}

export const backgroundItem = ({ background }: ArticleContent): Item => ({
  id: 'why',
  statements: background,
  hunk: null,
});

export const changeItem = ({ mainChanges }: ArticleContent, index: number): Item => ({
  id: `change-${index + 1}`,
  statements: mainChanges[index]?.statements ?? [],
  hunk: mainChanges[index]?.hunk ?? null,
});

/** What a model says of the rest; rows without one name what they are about. */
export const alsoItem = ({ also, writer }: ArticleContent): Item => ({
  id: 'also',
  statements: writer.kind === 'ai' ? also.map(({ statement }) => statement) : [],
  hunk: null,
});

/** Everything of an article that refers to lines in the margin, in the order of the page. */
export const itemsOf = (content: ArticleContent): Item[] => [
  backgroundItem(content),
  ...content.mainChanges.map((_, index) => changeItem(content, index)),
  alsoItem(content),
];

/** Lines that some sentences of an item refer to. */
export type Place = Statement['evidence'][number] & {
  /** Which sentences, by their ids. */
  sentences: string[];
};

/** The lines that an item refers to and its hunk does not show, file by file, each line once. */
export function placesByFile({ statements, hunk }: Item): Map<string, Place[]> {
  const cited = statements
    .flatMap(({ id, evidence }) => evidence.map((one): Place => ({ ...one, sentences: [id] })))
    .filter((one) => !showsAll(hunk, one));
  const files = Map.groupBy(cited, ({ fileName }) => fileName);
  return new Map([...files].map(([fileName, places]) => [fileName, joined(places)]));
}

/** Lines that overlap or touch are one place. */
function joined(places: Place[]): Place[] {
  const all: Place[] = [];
  for (const one of places.sort((a, b) => a.startLine - b.startLine)) {
    const above = all.findLast(({ side }) => side === one.side);
    if (above && one.startLine <= above.endLine + 1) {
      above.endLine = Math.max(above.endLine, one.endLine);
      above.sentences = [...new Set([...above.sentences, ...one.sentences])];
    } else all.push(one);
  }
  return all;
}

export const citationKey = (item: string, fileName: string): string => `${item} ${fileName}`;
