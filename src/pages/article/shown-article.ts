import type { ArticleContent, ArticleSummary, PullRequestArticle } from '../../contract/article.ts';
import type { ChangedFile } from '../../contract/pull-request.ts';
import type { CitedCode } from './cited-code.ts';

/** What a page shows of the pull request beside what the article says. */
export interface ShownChange {
  additions: number;
  deletions: number;
  files: ChangedFile[];
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
  /** The cited lines of a file that an item refers to, by `citationKey`. */
  cited: Map<string, CitedCode>;
  more: ArticleSummary[];
}

/** What an article says of one thing, and which it is: background, change or point, and its number. */
export interface Item {
  id: string;
  statements: ArticleContent['background'];
}

/** Everything of an article that can refer to lines, in the order of the page. */
export function itemsOf({ background, mainChanges, notablePoints }: ArticleContent): Item[] {
  return [
    { id: 'why', statements: background },
    ...mainChanges.map(({ statements }, index) => ({ id: `change-${index + 1}`, statements })),
    ...notablePoints.map(({ statements }, index) => ({ id: `point-${index + 1}`, statements })),
  ];
}

export const citationKey = (item: string, fileName: string): string => `${item} ${fileName}`;
