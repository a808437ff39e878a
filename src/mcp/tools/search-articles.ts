import { FoundArticles } from '../../contract/search.ts';
import { Type } from '../../contract/type.ts';
import { findPublishedContents, type PublishedContent } from '../../db/articles.ts';
import { Failure } from '../../domain/errors.ts';
import { longestQuestion } from '../../domain/search/read-question.ts';
import type { AgentParts } from '../agent-parts.ts';
import { type Said, SaidSentence, sentencesOf } from '../article-sentences.ts';
import { Cursor, offsetOf } from '../cursor.ts';
import { ListedAnswer, listAnswer, pieceOf, sentenceData, sentenceLines } from '../listed-articles.ts';
import { Detail, Language, Limit, takes, tool } from '../tool.ts';

interface Found {
  kind: string;
  text: string;
  /** Of a sentence; a title and a file have none. */
  id?: string;
}

export const searchArticles = (parts: AgentParts) =>
  tool({
    name: 'search_articles',
    title: 'Search articles',
    description:
      'Finds articles about pull requests by words in any language, best first: what a change did, why, where and by whom.',
    input: takes({
      query: Type.String({
        minLength: 1,
        maxLength: longestQuestion,
        description:
          'Words that all have to occur, "words in this order", and repo:owner/name, author:, type:FIX, file:src/app.ts, is:unread.',
      }),
      language: Type.Optional(Language),
      limit: Type.Optional(Limit),
      cursor: Type.Optional(Cursor),
      detail: Type.Optional(
        Detail('title and standfirst (the default)', 'also why each was found, its author, type and state'),
      ),
    }),
    output: ListedAnswer(
      {
        matches: Type.Optional(Type.Array(SaidSentence, { description: 'Sentences that have the words.' })),
      },
      { indexedShare: FoundArticles.properties.indexedShare },
    ),
    async run({ query, language, limit = 20, cursor, detail = 'brief' }, call) {
      const page = { limit, offset: offsetOf(cursor) };
      const asked = { q: query, ...(language !== undefined && { language }) };
      const { articles, total, indexedShare } = await parts.search(asked, call.viewer, page).catch(sayQuery);
      const contents = await findPublishedContents(parts.database, {
        viewer: parts.listViewer(call.viewer),
        articles: detail === 'full' ? articles.map(({ article }) => article) : [],
      });
      const pieces = articles.map(({ article, matches }) => {
        const said = saidIn(contents.get(article.articleId), matches);
        const extra = { data: { matches: sentenceData(said) }, lines: sentenceLines(said) };
        return pieceOf(article, { parts, call, detail }, detail === 'full' ? extra : { data: {}, lines: [] });
      });
      return listAnswer({ what: 'Articles found', pieces, total, page, beside: besideOf(indexedShare) });
    },
  });

const besideOf = (indexedShare: number) => ({
  data: { indexedShare },
  lines:
    indexedShare < 1
      ? [
          `Of all articles ${Math.floor(indexedShare * 100)} % can be found by now: the others are being indexed.`,
        ]
      : [],
});

/** What was found, with what it rests on: the index has the text alone. */
function saidIn(content: PublishedContent | undefined, matches: { section: Found }[]): Said[] {
  const known = new Map(
    content && sentencesOf(content).map(({ statement }) => [statement.id, statement] as const),
  );
  return matches.map(({ section: { kind, id, text } }) => {
    if (kind === 'words') return { ...known.get('words'), text, basis: 'words' };
    const statement = id === undefined ? undefined : known.get(id);
    return statement ?? { text, basis: null };
  });
}

/** The operation calls it otherwise. */
function sayQuery(error: unknown): never {
  if (!(error instanceof Failure) || !error.details) throw error;
  const details = error.details.map(({ field, problem }) => ({
    field: field === 'q' ? 'query' : field,
    problem,
  }));
  throw new Failure(error.code, error.message, { details });
}
