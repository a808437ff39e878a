import type { ArticleContent, ArticleSummary, PullRequestArticle } from '../../contract/article.ts';
import type { ChangedFile } from '../../contract/pull-request.ts';
import type { Excerpt, Statement } from '../../contract/told-parts.ts';
import { type Beat, beatsOf, showsAll } from '../../domain/beats.ts';
import type { RunningJob } from '../progress.ts';
import type { CitedCode, ExcerptCode } from './cited-code.ts';

/** What a page shows of the pull request beside what the article says. */
export interface ShownChange {
  description: string | null;
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
  /** The cited lines of a file that an item refers to and no excerpt of it shows, by `citationKey`. */
  cited: Map<string, CitedCode>;
  /** The lines of each excerpt of the content. */
  excerpts: Map<Excerpt, ExcerptCode>;
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

/** Sentences of one thing, and the excerpts that stand behind them; its id says what: background, point, or beat of a change. */
export interface Item extends Beat<Statement, Excerpt> {
  id: string;
  /** Lines that are shown where it is told, not only behind these sentences. */
  shown: Excerpt[];
}

/** How the change of a number is told. */
export function beatsOfChange({ mainChanges }: ArticleContent, index: number): Item[] {
  const { statements = [], excerpts = [] } = mainChanges[index] ?? {};
  return beatsOf<Statement, Excerpt>(statements, excerpts).map((beat, place) => ({
    ...beat,
    id: `change-${index + 1}-${place + 1}`,
    shown: excerpts,
  }));
}

const plainItem = (id: string, statements: Statement[]): Item => ({
  id,
  statements,
  excerpts: [],
  shown: [],
});

export const backgroundItem = ({ background }: ArticleContent): Item => plainItem('why', background);

export const pointItem = ({ notablePoints }: ArticleContent, index: number): Item =>
  plainItem(`point-${index + 1}`, notablePoints[index]?.statements ?? []);

/** Everything of an article that refers to lines in the margin, in the order of the page. */
export function itemsOf(content: ArticleContent): Item[] {
  return [
    backgroundItem(content),
    ...content.mainChanges.flatMap((_, index) => beatsOfChange(content, index)),
    ...content.notablePoints.flatMap(({ label }, index) =>
      label === null ? [pointItem(content, index)] : [],
    ),
  ];
}

/** Lines that some sentences of an item refer to. */
export type Place = Statement['evidence'][number] & {
  /** Which sentences, by their ids. */
  sentences: string[];
  /** Whether an excerpt has them. */
  isShown: boolean;
};

/** The lines that an item refers to, file by file. */
export function placesByFile({ statements, shown }: Item): Map<string, Place[]> {
  const places = new Map<string, Place>();
  for (const { id, evidence } of statements) {
    for (const one of evidence) {
      const key = `${one.fileName} ${one.side} ${one.startLine} ${one.endLine}`;
      const isShown = shown.some((excerpt) => showsAll(excerpt, one));
      const place = places.get(key) ?? { ...one, sentences: [], isShown };
      place.sentences.push(id);
      places.set(key, place);
    }
  }
  const files = Map.groupBy(places.values(), (place) => place.fileName);
  for (const listed of files.values()) listed.sort((one, other) => one.startLine - other.startLine);
  return files;
}

export const citationKey = (item: string, fileName: string): string => `${item} ${fileName}`;
