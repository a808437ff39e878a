import type { Static, TObject } from 'typebox';
import { presentSummary } from '../actions/articles/read-article.ts';
import type { Viewer } from '../actions/deps.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { AuthorLogin, LanguageCode, OneOf, ref } from '../contract/formats.ts';
import { FoundArticle, indexedShare } from '../contract/search.ts';
import { Type } from '../contract/type.ts';
import { searchArticles } from '../db/search.ts';
import type { Search } from '../db/search-index.ts';
import { changeTypes } from '../domain/articles.ts';
import { Failure } from '../domain/errors.ts';
import { findMatches } from '../domain/search/find-matches.ts';
import {
  emptyQuestion,
  isProblem,
  longestQuestion,
  type Question,
  type QuestionProblem,
  readQuestion,
} from '../domain/search/question.ts';
import { findLink, operatorOf } from '../pages/links.ts';
import type { Deps } from './deps.ts';
import { type Endpoint, listEndpoint } from './endpoint.ts';
import { chooseRepositories, repositoryQuery } from './requests/choose-code-host.ts';
import { prefersPage } from './requests/parse-requests.ts';

const mostMatches = 3;

const longestPath = 1_000;

export const searchQuery = (codeHosts: CodeHost[]) => ({
  q: Type.Optional(
    Type.String({
      maxLength: longestQuestion,
      description:
        'Words that results must contain, `"words in this order"`, and the filters `repo:owner/name`, `author:`, `type:`, `file:` and `is:unread`',
    }),
  ),
  language: Type.Optional(LanguageCode()),
  ...repositoryQuery(codeHosts),
  author: Type.Optional(AuthorLogin()),
  changeType: Type.Optional(OneOf(changeTypes, 'Type of the change')),
  file: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: longestPath,
      description: 'A file, by its path or the end of its path, or a folder, by its path',
    }),
  ),
});

type SearchRequest = Static<TObject<ReturnType<typeof searchQuery>>>;

const explanations: Record<QuestionProblem['problem'] | 'unreadNeedsUser', (part: string) => string> = {
  noWords: () => 'contains no search term; enter a word or a filter such as file:src/app.ts',
  commonWords: (part) => `contains only words that are too common (${part}); add a more specific one`,
  tooManyWords: (part) => `is too long; search for at most ${part} words and 8 files`,
  unknownType: (part) => `contains ${part}, which is not a type; types are: ${changeTypes.join(', ')}`,
  unknownIs: (part) => `contains ${part}, which is not supported; use is:unread`,
  badRepository: (part) => `contains ${part}, which is not a repository; write repo:owner/name`,
  emptyPart: (part) =>
    `has no value for \`${part}\`; put one directly after the colon, as in author:rin, or remove the filter`,
  twice: (part) => `contains the same filter twice (${part}); use it only once`,
  unreadNeedsUser: () => 'uses is:unread, which needs you to be signed in',
};

function readSearch(query: SearchRequest): Question | QuestionProblem {
  const { q = '', owner, repo, author, changeType, file } = query;
  const isNarrowed = [owner, repo, author, changeType, file].some((one) => one !== undefined);
  const read = readQuestion(q);
  if (isProblem(read) && !(isNarrowed && (read.problem === 'noWords' || read.problem === 'commonWords')))
    return read;
  const question: Question = isProblem(read) ? emptyQuestion() : read;
  const named = question.repository && (owner ?? repo) !== undefined;
  const twice = named || (question.author && author) || (question.changeType && changeType);
  if (twice) return { problem: 'twice', part: q };
  return {
    ...question,
    files: [...question.files, ...(file === undefined ? [] : [file])],
    ...(author !== undefined && { author }),
    ...(changeType !== undefined && { changeType }),
  };
}

export function typedOf({ q, owner, repo, author, changeType, file }: SearchRequest): string {
  const named = owner !== undefined && repo !== undefined ? `${owner}/${repo}` : repo;
  const operators = { repo: named, author, type: changeType, file };
  const typed = Object.entries(operators).flatMap(([name, value]) =>
    value === undefined ? [] : [operatorOf(name, value)],
  );
  return [...(q?.trim() ? [q.trim()] : []), ...typed].join(' ');
}

export function searchOf(
  { codeHosts, listViewer }: Deps,
  query: SearchRequest,
  { question, viewer, languages }: { question: Question; viewer: Viewer | null; languages: string[] },
): Omit<Search, 'limit' | 'offset'> {
  const { terms, files, isUnread, author, changeType, repository } = question;
  const { host, owner = repository?.owner, repo = repository?.name, language } = query;
  const named = chooseRepositories(codeHosts, { host, owner, repo, author });
  return {
    viewer: listViewer(viewer),
    terms,
    files,
    isUnread,
    author,
    changeType,
    language,
    languages,
    ...named,
  };
}

const problemWith = ({
  problem,
  part,
}: QuestionProblem | { problem: 'unreadNeedsUser'; part: string }): Failure =>
  new Failure('INVALID_REQUEST', `The search query is not valid: it ${explanations[problem](part)}.`, {
    details: [{ field: 'q', problem: explanations[problem](part) }],
  });

export function requireSearch(query: SearchRequest, viewer: Viewer | null): Question {
  const question = readSearch(query);
  if (isProblem(question)) throw problemWith(question);
  if (question.isUnread && !viewer?.user) throw problemWith({ problem: 'unreadNeedsUser', part: '' });
  return question;
}

interface Wish extends Pick<Search, 'limit' | 'offset' | 'isCounted' | 'languages'> {
  question: Question;
  viewer: Viewer | null;
  mostMatches: number;
  isTitleShown?: boolean;
}

export async function runSearch(
  deps: Deps,
  query: SearchRequest,
  { question, viewer, languages, mostMatches, isTitleShown = false, ...page }: Wish,
) {
  const search = searchOf(deps, query, { question, viewer, languages });
  const { rows, ...found } = await searchArticles(deps.database, { ...search, ...page });
  const articles = rows.map(({ sections, ...listed }) => ({
    article: presentSummary(deps.codeHosts)(listed),
    matches: findMatches(
      sections.filter(({ kind }) => kind !== 'title' || !isTitleShown),
      question.terms,
      mostMatches,
    ),
  }));
  return { ...found, articles };
}

export const findArticles =
  (deps: Deps) =>
  async (query: SearchRequest, viewer: Viewer | null, page: Pick<Search, 'limit' | 'offset'>) => {
    const question = requireSearch(query, viewer);
    const own = viewer?.user?.language;
    return runSearch(deps, query, {
      ...{ question, viewer, mostMatches, ...page },
      languages: own === undefined ? [] : [own],
    });
  };

export const getSearch = (deps: Deps): Endpoint => {
  const find = findArticles(deps);
  const route = listEndpoint({
    operationId: 'searchArticles',
    summary: 'Search articles',
    description:
      'Articles that match the whole query, each once. Order: matches in the title, then in the lead, then the newest. Only the newest 10,000 matches are ranked, or 1,000 for words in a fixed order. `totalItems` counts the results among these, and is null above 1,000. With a credential, private articles that the caller has access to are included.',
    tag: 'Article',
    access: 'viewer',
    query: searchQuery(deps.codeHosts),
    item: ref(FoundArticle),
    more: { indexedShare },
    success: { 200: 'The articles found.', 303: 'With `Accept: text/html`: the page of the search.' },
    async list({ query, viewer }, page) {
      const { articles, ...found } = await find(query, viewer, page);
      const items = articles.map(({ article, matches }) => ({
        ...article,
        matches: matches.map(({ section: { kind, text }, ranges }) => ({ section: kind, text, ranges })),
      }));
      return { items, ...found };
    },
  });
  return (method, url) => ({
    ...route(method, url),
    preHandler(request, reply, done) {
      if (!prefersPage(request)) return done();
      const query = request.query as SearchRequest;
      reply.redirect(findLink(typedOf(query), { host: query.host }), 303);
    },
  });
};
