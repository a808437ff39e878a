import { Type } from '../../contract/type.ts';
import { Failure } from '../../domain/errors.ts';
import { longestQuestion } from '../../domain/search/read-question.ts';
import type { AgentParts } from '../agent-parts.ts';
import { Cursor, offsetOf } from '../cursor.ts';
import { ListedAnswer, listAnswer, pieceOf, sentenceLines, shortened } from '../listed-articles.ts';
import { Detail, Language, Limit, takes, tool } from '../tool.ts';

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
    output: ListedAnswer({
      matches: Type.Optional(Type.Array(Type.String(), { description: 'Sentences that have the words.' })),
    }),
    async run({ query, language, limit = 20, cursor, detail = 'brief' }, call) {
      const page = { limit, offset: offsetOf(cursor) };
      const asked = { q: query, ...(language !== undefined && { language }) };
      const { items, total } = await parts.search(asked, call.viewer, page).catch(sayQuery);
      const pieces = items.map(({ matches, ...summary }) => {
        const texts = matches.map(({ text }) => text);
        const extra = { data: { matches: texts.map(shortened) }, lines: sentenceLines(texts) };
        return pieceOf(summary, { parts, call, detail }, detail === 'full' ? extra : { data: {}, lines: [] });
      });
      return listAnswer('Articles found', pieces, total, page);
    },
  });

/** The operation calls it otherwise. */
function sayQuery(error: unknown): never {
  if (!(error instanceof Failure) || !error.details) throw error;
  const details = error.details.map(({ field, problem }) => ({
    field: field === 'q' ? 'query' : field,
    problem,
  }));
  throw new Failure(error.code, error.message, { details });
}
