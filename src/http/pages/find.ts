import { presentSummary } from '../../actions/articles/present-summary.ts';
import type { LookAtLists } from '../../actions/repositories/look-at-lists.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { Type } from '../../contract/type.ts';
import type { Database } from '../../db/database.ts';
import { searchArticles } from '../../db/search.ts';
import { longestAddress } from '../../domain/parse-pasted-address.ts';
import { findMatches } from '../../domain/search/find-matches.ts';
import { isProblem, longestQuestion, readQuestion } from '../../domain/search/read-question.ts';
import { foundPage, howToFindPage } from '../../pages/find.ts';
import type { PageContext } from '../../pages/page-context.ts';
import type { SearchProblem } from '../../pages/words/words.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { searchOf } from '../search.ts';
import { wishedLanguages } from './first-with-articles.ts';
import { page, type ShownPage } from './page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  lookAtLists: LookAtLists;
}

const articlesPerPage = 20;

/** As many sentences as are shown of an article. */
const mostMatches = 2;

export const findPage = (parts: Parts) =>
  page({
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: longestAddress })),
      ...hostQuery(parts.codeHosts),
      ...offsetQuery.properties,
    }),
    async show({ query, viewer, acceptLanguage, contextIn }) {
      const context = contextIn(undefined);
      const typed = (query.q ?? '').trim();
      if (typed === '') return { page: howToFindPage(context, { typed, problem: null }) };
      if (typed.length > longestQuestion) return refuse(context, typed, 'tooLong', String(longestQuestion));
      const question = readQuestion(typed);
      if (isProblem(question)) return refuse(context, typed, question.problem, question.part);
      if (question.isUnread && !viewer?.user) return refuse(context, typed, 'unreadNeedsUser', '');
      const languages = wishedLanguages(viewer?.user?.language, acceptLanguage, context);
      const search = searchOf(parts, query, { question, viewer, languages });
      const around = { limit: articlesPerPage, offset: query.offset ?? 0 };
      const found = await searchArticles(parts.database, { ...search, ...around, isCounted: true });
      const articles = found.rows.map(({ sections, ...row }) => ({
        article: presentSummary(row),
        // The title is there anyway.
        matches: findMatches(
          sections.filter(({ kind }) => kind !== 'title'),
          question.terms,
          mostMatches,
        ),
      }));
      // Where nothing is counted, a full page may not be the last one.
      const isFull = articles.length === around.limit;
      const total = found.total ?? around.offset + articles.length + (isFull ? 1 : 0);
      return {
        page: foundPage(context, {
          ...found,
          typed,
          question,
          host: query.host,
          articles,
          ...pagesAround(around, total),
        }),
      };
    },
  });

const refuse = (context: PageContext, typed: string, problem: SearchProblem, part: string): ShownPage => ({
  status: 400,
  page: howToFindPage(context, { typed, problem: { problem, part } }),
});
