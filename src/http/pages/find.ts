import { Type } from '../../contract/type.ts';
import { longestAddress, parsePastedAddress } from '../../domain/parse-pasted-address.ts';
import {
  isProblem,
  longestQuestion,
  numberAskedFor,
  readQuestion,
} from '../../domain/search/read-question.ts';
import { foundPage, howToFindPage } from '../../pages/find.ts';
import { articleLink } from '../../pages/links.ts';
import type { PageContext } from '../../pages/page-context.ts';
import type { SearchProblem } from '../../pages/words/words.ts';
import type { Deps } from '../deps.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { runSearch } from '../search.ts';
import { wishedLanguages } from './first-with-articles.ts';
import { page, type ShownPage } from './page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

const articlesPerPage = 20;

/** As many sentences as are shown of an article. */
const mostMatches = 2;

export const findPage = (deps: Deps) =>
  page({
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: longestAddress })),
      ...hostQuery(deps.codeHosts),
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
      const around = { limit: articlesPerPage, offset: query.offset ?? 0 };
      const found = await runSearch(deps, query, {
        ...{ question, viewer, languages, mostMatches, ...around },
        isTitleShown: true,
        isCounted: true,
      });
      const { articles } = found;
      const number = numberAskedFor(question);
      const [asked, ...others] = articles.filter(({ article }) => article.prNumber === number);
      if (asked && others.length === 0 && around.offset === 0)
        return {
          redirectTo: articleLink(asked.article, context.firstHost, { language: asked.article.languageCode }),
        };
      // One that no article is about has a page too.
      const hosts = deps.codeHosts.filter(({ id }) => query.host === undefined || id === query.host);
      const address = number === null ? 'unknown' : parsePastedAddress(typed, hosts);
      if (!asked && typeof address !== 'string' && address.number !== null)
        return { redirectTo: articleLink({ ...address, prNumber: address.number }, context.firstHost) };
      // Where nothing is counted, a full page may not be the last one.
      const isFull = articles.length === around.limit;
      const total = found.total ?? around.offset + articles.length + (isFull ? 1 : 0);
      return {
        page: foundPage(context, {
          ...found,
          typed,
          question,
          host: query.host,
          ...pagesAround(around, total),
        }),
      };
    },
  });

const refuse = (context: PageContext, typed: string, problem: SearchProblem, part: string): ShownPage => ({
  status: 400,
  page: howToFindPage(context, { typed, problem: { problem, part } }),
});
