import type { Hunk, Statement } from '../../contract/article-parts.ts';
import type { ArticleContent, ArticleSummary, PullRequestArticle } from '../../contract/articles.ts';
import type { ChangedFile } from '../../contract/pull-requests.ts';
import type { Answer } from '../../contract/questions.ts';
import { changeId, showsAll, statementsOf } from '../../domain/articles.ts';
import { headlineOf } from '../../domain/titles.ts';
import type { Estimate, RunningJob } from '../progress.ts';

export type SyntaxKind = 'keyword' | 'name' | 'string' | 'number' | 'comment';

export interface CodeToken {
  kind: SyntaxKind | null;
  text: string;
}

export interface CodeLine {
  side: 'added' | 'removed' | 'context';
  oldLine: number | null;
  newLine: number | null;
  indent: string;
  tokens: CodeToken[];
  length: number;
  cut: number;
}

export interface CitedCode {
  runs: CodeLine[][];
  omitted: number;
}

export interface Beside {
  direction: 'above' | 'below';
  side: 'old' | 'new';
  line: number;
  indent: string;
}

export interface CodeGap {
  count: number;
  lines: CodeLine[] | null;
  beside?: Beside;
  indent?: string | null;
}

export type HunkCode = (CodeLine | CodeGap)[];

export const isGap = (one: CodeLine | CodeGap): one is CodeGap => 'count' in one;

export interface ArticleBeside {
  number: number;
  languageCode: string;
  title: string;
  aiGeneratedTitle: string;
}

export interface ShownArticle {
  /** Its number is 0 if the change is no pull request, which only a saved article can be. */
  article: Omit<PullRequestArticle, 'contents'>;
  content: ArticleContent;
  languages: string[];
  isPrivate: boolean;
  isLiked: boolean;
  change: { files: ChangedFile[] } | null;
  /** Cited lines that are in no shown hunk, by `citationKey`. */
  cited: Map<string, CitedCode>;
  hunks: Map<Hunk, HunkCode>;
  newSentences: ReadonlySet<string>;
  more: (ArticleSummary & { because: 'files' | 'release' | 'author' | 'repository' })[];
  answers: Answer[];
  /** Whether a question sent without scripts is being answered. */
  isAnswering: boolean;
  release: { from: string; to: string } | null;
  newer: ArticleBeside | null;
  older: ArticleBeside | null;
  running: RunningJob | null;
  /** Which of two articles about the same change this is, by a model or without; null if there is only one. */
  compared: 'with' | 'without' | null;
  /** The expected cost of writing it with the model; null if the reader cannot request that. */
  rewriting: Estimate | null;
}

/** An article without its surroundings and without a reader. */
export const alone = {
  languages: [],
  isLiked: false,
  newSentences: new Set<string>(),
  more: [],
  answers: [],
  isAnswering: false,
  release: null,
  newer: null,
  older: null,
  running: null,
  compared: null,
  rewriting: null,
} satisfies Partial<ShownArticle>;

export const headline = ({
  article: { title },
  content,
}: Pick<ShownArticle, 'article' | 'content'>): string => headlineOf(title, content);

export interface Item {
  id: string;
  statements: Statement[];
  hunk: Hunk | null;
}

const item = (id: string, statements: Statement[] = [], hunk: Hunk | null = null): Item => ({
  id,
  statements,
  hunk,
});

export const leadItem = (content: ArticleContent): Item => item('lead', statementsOf(content).standfirst);

export const backgroundItem = ({ background }: ArticleContent): Item => item('why', background);

export const changeItem = ({ mainChanges }: ArticleContent, index: number): Item =>
  item(changeId(index), mainChanges[index]?.statements, mainChanges[index]?.hunk);

/** Rows that no model wrote show their files instead. */
export const alsoItem = (content: ArticleContent): Item =>
  item('also', content.writer.kind === 'ai' ? statementsOf(content).also : []);

export const articleItems = (content: ArticleContent): Item[] => [
  backgroundItem(content),
  ...content.mainChanges.map((_, index) => changeItem(content, index)),
  alsoItem(content),
  leadItem(content),
];

export type Place = Statement['evidence'][number] & {
  sentences: string[];
};

export function placesByFile({ statements, hunk }: Item): Map<string, Place[]> {
  const cited = statements
    .flatMap(({ id, evidence }) => evidence.map((one): Place => ({ ...one, sentences: [id] })))
    .filter((one) => !showsAll(hunk, one));
  const files = Map.groupBy(cited, ({ fileName }) => fileName);
  return new Map([...files].map(([fileName, places]) => [fileName, joinPlaces(places)]));
}

function joinPlaces(places: Place[]): Place[] {
  const all: Place[] = [];
  for (const one of places.sort((a, b) => a.startLine - b.startLine)) {
    const above = all.findLast(({ side, unchanged }) => side === one.side && unchanged === one.unchanged);
    const isSame = above?.startLine === one.startLine && above.endLine === one.endLine;
    if (above && (one.unchanged ? isSame : one.startLine <= above.endLine + 1)) {
      above.endLine = Math.max(above.endLine, one.endLine);
      above.sentences = [...new Set([...above.sentences, ...one.sentences])];
    } else all.push(one);
  }
  return all;
}

export const citationKey = (item: string, fileName: string): string => `${item} ${fileName}`;
