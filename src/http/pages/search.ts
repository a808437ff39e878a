import type { Viewer } from '../../actions/deps.ts';
import { findOnHost, findRepositoryFor } from '../../actions/repositories/find-repository.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { knownHosts } from '../../code-hosts/known-hosts.ts';
import { Type } from '../../contract/type.ts';
import { Failure } from '../../domain/errors.ts';
import { isAddressAt, isNameOrPath, longestAddress, parsePastedAddress } from '../../domain/repositories.ts';
import { isProblem, longestQuestion, numberSearched, readQuestion } from '../../domain/search/question.ts';
import { unknownAddressPage } from '../../pages/failure.ts';
import type { PageContext } from '../../pages/layout.ts';
import { articleLink, findLink, repositoryLink, withQuery } from '../../pages/links.ts';
import { foundPage, howToFindPage } from '../../pages/search.ts';
import type { Words } from '../../pages/words/words.ts';
import type { Deps } from '../deps.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { abortOnDisconnect } from '../requests/parse-requests.ts';
import { runSearch } from '../search.ts';
import {
  asUser,
  offsetQuery,
  offsetsAround,
  page,
  pageOfForm,
  type ShownPage,
  wishedLanguages,
} from './page.ts';

const articlesPerPage = 20;

const mostMatches = 2;

export const findPage = (deps: Deps) =>
  page({
    query: {
      q: Type.Optional(Type.String({ maxLength: longestAddress })),
      ...hostQuery(deps.codeHosts),
      ...offsetQuery,
    },
    async show({ query, viewer, acceptLanguage, contextIn }) {
      const context = contextIn(undefined);
      const typed = (query.q ?? '').trim();
      if (typed === '') return { page: howToFindPage(context, { typed, problem: null }) };
      if (typed.length > longestQuestion)
        return refuseQuestion(context, typed, 'tooLong', String(longestQuestion));
      const question = readQuestion(typed);
      if (isProblem(question)) return refuseQuestion(context, typed, question.problem, question.part);
      if (question.isUnread && !viewer?.user) return refuseQuestion(context, typed, 'unreadNeedsUser', '');
      const languages = wishedLanguages(viewer?.user?.language, acceptLanguage, context);
      const around = { limit: articlesPerPage, offset: query.offset ?? 0 };
      const found = await runSearch(deps, query, {
        ...{ question, viewer, languages, mostMatches, ...around },
        isTitleShown: true,
        isCounted: true,
      });
      const { articles } = found;
      const number = numberSearched(question);
      const [match, ...others] = articles.filter(({ article }) => article.prNumber === number);
      if (match && others.length === 0 && around.offset === 0)
        return {
          redirectTo: articleLink(match.article, context.firstHost, { language: match.article.languageCode }),
        };
      const hosts = deps.codeHosts.filter(({ id }) => query.host === undefined || id === query.host);
      const address = number === null ? null : parsePastedAddress(typed, hosts);
      if (!match && address && address.number !== null)
        return { redirectTo: articleLink({ ...address, prNumber: address.number }, context.firstHost) };
      const isFull = articles.length === around.limit;
      const total = found.total ?? around.offset + articles.length + (isFull ? 1 : 0);
      return {
        page: foundPage(context, {
          ...found,
          typed,
          question,
          host: query.host,
          ...offsetsAround(around, total),
        }),
      };
    },
  });

const refuseQuestion = (
  context: PageContext,
  typed: string,
  problem: keyof Words['find']['problems'],
  part: string,
): ShownPage => ({
  status: 400,
  page: howToFindPage(context, { typed, problem: { problem, part } }),
});

const looksLikeUrl = (pasted: string): boolean =>
  /^(?:[a-z+]+:\/\/|(?:[\w-]+@)?(?:[\w-]+\.)+[a-z]{2,}[:/])\S*$/i.test(pasted.trim());

function asAbsent(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}

async function hostOfRepository(
  deps: Deps,
  { owner, name }: { owner: string; name: string },
  { viewer, signal }: { viewer: Viewer | null; signal: AbortSignal },
): Promise<CodeHost | null> {
  const asking = { viewer: asUser(viewer), signal };
  for (const codeHost of deps.codeHosts) {
    const address = { codeHost, owner, name };
    const found = codeHost.isLocal
      ? await findOnHost(deps, address, asking).catch(asAbsent)
      : await findRepositoryFor(deps, address, { viewer, now: deps.clock() });
    if (found) return codeHost;
  }
  return null;
}

function hostThatIsOff(codeHosts: CodeHost[], pasted: string): { name: string; setting: string } | null {
  const off = Object.values(knownHosts).find(
    ({ id, publicUrl }) =>
      publicUrl && isAddressAt(publicUrl, pasted) && codeHosts.every((codeHost) => codeHost.id !== id),
  );
  return off
    ? { name: off.name, setting: `CODE_HOST=${[...codeHosts.map(({ id }) => id), off.id].join(',')}` }
    : null;
}

/**
 * Redirects addresses to their pages and words to the search. `src/retry.ts` is a path unless a repository has that
 * name.
 */
export const goPage = (deps: Deps) =>
  page({
    query: { url: Type.Optional(Type.String({ maxLength: longestAddress })) },
    async show({ query: { url = '' }, viewer, request, reply, contextIn }) {
      const { codeHosts } = deps;
      const context = contextIn(undefined);
      if (url.trim() === '') return { redirectTo: '/' };
      const [, number] = /^#(\d{1,15})$/.exec(url.trim()) ?? [];
      const [within] = /^\/r\/[^/?]+\/[^/?]+/.exec(pageOfForm(request)) ?? [];
      // On the page of a repository, a number means one of its pull requests.
      if (within !== undefined && number !== undefined) {
        const host = URL.parse(pageOfForm(request), 'http://localhost')?.searchParams.get('host');
        return { redirectTo: withQuery(`${within}/${number}`, { host: host ?? undefined }) };
      }
      const address = parsePastedAddress(url, codeHosts);
      if (!address) {
        if (!looksLikeUrl(url)) return { redirectTo: findLink(url.trim()) };
        const known = codeHosts.flatMap(({ webUrl }) => webUrl ?? []);
        const off = hostThatIsOff(codeHosts, url);
        return { status: 404, page: unknownAddressPage(context, { off, known }) };
      }
      const { number: named, ...repository } = address;
      if (named === null && isNameOrPath(url)) {
        const name = { owner: repository.owner, name: repository.repo };
        const codeHost = await hostOfRepository(deps, name, { viewer, signal: abortOnDisconnect(reply) });
        return {
          redirectTo: codeHost
            ? repositoryLink({ ...repository, host: codeHost.id }, context.firstHost)
            : findLink(url.trim()),
        };
      }
      return {
        redirectTo:
          named === null
            ? repositoryLink(repository, context.firstHost)
            : articleLink({ ...repository, prNumber: named }, context.firstHost),
      };
    },
  });
