import { presentSummary } from '../../actions/articles/read-article.ts';
import {
  type BrowsedPage,
  browsePullRequests,
  type ListedPullRequest,
  openPullRequests,
  type ReadList,
} from '../../actions/pull-requests/list-pull-requests.ts';
import { suggestTags } from '../../actions/releases/read-release.ts';
import {
  type Asker,
  findVisibleRepository,
  type RepositoryAddress,
} from '../../actions/repositories/find-repository.ts';
import { findListedClone } from '../../actions/repositories/list-repositories.ts';
import type { CodeHost, HostRepository } from '../../code-hosts/code-host.ts';
import { LanguageCode } from '../../contract/formats.ts';
import type { Job } from '../../contract/job.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import { listFavorites } from '../../db/following.ts';
import { findImportOfAsker, findLiveImportOf, listWaiting } from '../../db/imports.ts';
import type { ListViewer } from '../../db/visibility.ts';
import { countArriving } from '../../db/watches.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import type { PullRequestFilter } from '../../domain/pull-requests.ts';
import type { PageContext } from '../../pages/page-context.ts';
import type { ListedPullRequest as ShownPullRequest } from '../../pages/pull-request-list.ts';
import {
  type ShownPullRequests,
  type ShownRepository,
  repositoryPage as show,
} from '../../pages/repository.ts';
import type { Words } from '../../pages/words/words.ts';
import { presentJob, presentListedPullRequest } from '../answers/present.ts';
import { listCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { repositoryParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { abortOnDisconnect } from '../requests/parse-requests.ts';
import { page as describe, hostName, pagesAround, wishedLanguages } from './page.ts';
import { showAbsent } from './unwritten.ts';

const articlesPerPage = 20;

/** What is offered beside articles is looked for among so many, which hosts list at once. */
const mostSearched = 100;
const mostOffered = 20;

/** How long the page waits for offers. */
const patienceMs = 2_000;

const params = Type.Object(repositoryParams);

const wherever = () => Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const choice = <Choice extends string>(...choices: Choice[]) =>
  Type.Optional(Type.Enum(choices, { type: 'string' }));

export const repositoryPage = (deps: Deps) =>
  describe({
    params,
    query: Type.Object({
      ...hostQuery(deps.codeHosts),
      language: Type.Optional(LanguageCode()),
      offset: wherever(),
      tab: choice('articles', 'pulls'),
      state: choice('all', 'merged', 'open'),
      article: choice('all', 'written', 'unwritten'),
      bots: choice('with', 'without'),
      from: wherever(),
      until: wherever(),
      // For a page that is open in a browser and updates itself.
      refresh: choice('yes'),
    }),
    async show({ params: named, query, viewer, request, reply, acceptLanguage, contextIn }) {
      const { owner, repo } = named;
      const { language, offset = 0 } = query;
      const { codeHost, ...address } = {
        codeHost: chooseCodeHost(deps.codeHosts, query.host),
        owner,
        name: repo,
      };
      const now = deps.clock();
      const page = { limit: articlesPerPage, offset };
      const asker = viewer?.user && {
        viewer: { ...viewer, user: viewer.user },
        signal: abortOnDisconnect(reply),
      };
      // Who has signed up sees what the host lists now, which also grants what is private.
      const browsed = asker
        ? await browse(deps, { codeHost, ...address }, query, asker).catch(asAwayOrAbsent)
        : nothingThere();
      const repository = await findVisibleRepository(deps, { codeHost, ...address }, { viewer, now });
      const context = contextIn(language);
      if (asker && browsed instanceof Failure && browsed.status === 404)
        return showAbsent(
          deps,
          context,
          { host: codeHost.id, owner, repo, prNumber: null, codeHost },
          browsed,
        );
      const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, context);
      const looking = deps.listViewer(viewer);
      const { rows, total } = await listArticles(deps.database, {
        viewer: looking,
        host: codeHost.id,
        owner,
        repo,
        onceIn: language === undefined ? wished : [language, ...wished],
        ...page,
      });
      // A visitor sees a repository of which nothing is written only if it is a public clone, as lists show it.
      const clone =
        total === 0 && !asker ? await findListedClone(deps, { codeHost, ...address }, looking) : null;
      if ((!repository || total === 0) && browsed instanceof Failure && !clone) throw browsed;
      // While the host is away, there are still the articles.
      const listed = browsed instanceof Failure ? null : browsed;
      const known = repository ?? listed?.repository;
      const favoriteId = await favoriteOf(deps, looking, { host: codeHost.id, owner, repo });
      const tab = query.tab ?? (total === 0 && listed ? 'pulls' : 'articles');
      const job =
        asker && repository && (await findImport(deps, repository.id, { ...asker, requestId: request.id }));
      const shown = {
        host: codeHost.id,
        hostName: hostName(codeHost),
        owner: known?.owner ?? clone?.owner ?? owner,
        repo: known?.name ?? clone?.repo ?? repo,
        isPrivate: known?.isPrivate ?? clone?.isPrivate ?? true,
        isClone: codeHost.isLocal,
        confirmedMinutes: asker ? minutesSince(repository?.checkedAt ?? now, now) : null,
        favoriteId,
        arriving: favoriteId === null ? 0 : await countArriving(deps.database, { favoriteId, now }),
        tab,
        articles: rows.map(presentSummary),
        articleTotal: total,
        pulls: listed && presentPulls(context, listed, { filter: filterOf(query), job: job ?? null }),
        pullTotal: listed?.total ?? null,
        offered:
          asker && listed && tab === 'articles'
            ? offerMore(
                context,
                query.refresh ? unwrittenIn(listed.items) : await findUnwritten(listed),
                job ?? null,
              )
            : null,
        tags: asker && listed ? await tagsFor(deps, codeHost, listed.repository, asker) : null,
        language,
        ...pagesAround(page, total),
      } satisfies ShownRepository;
      return { page: show(context, shown), ...(await listCachePolicy(deps.database, looking, offset)) };
    },
  });

async function tagsFor(
  { callerOn }: Deps,
  codeHost: CodeHost,
  repository: HostRepository,
  { viewer, signal }: Asker,
): Promise<string[]> {
  return suggestTags(codeHost, repository, await callerOn(codeHost, viewer, signal));
}

interface Choices extends Partial<PullRequestFilter> {
  tab?: 'articles' | 'pulls';
  from?: number;
  until?: number;
}

const filterOf = ({ state = 'all', article = 'all', bots = 'with' }: Choices): PullRequestFilter => ({
  state,
  article,
  bots,
});

interface Browsed extends BrowsedPage {
  repository: HostRepository;
  read: ReadList;
}

async function browse(
  deps: Deps,
  address: RepositoryAddress,
  choices: Choices,
  asker: Asker,
): Promise<Browsed> {
  const { from = 0, until } = choices;
  const { repository, read } = await openPullRequests(deps, address, asker);
  const place = until === undefined ? { from } : { until };
  return { repository, read, ...(await browsePullRequests(read, filterOf(choices), place)) };
}

function presentPulls(
  { words, language }: PageContext,
  { items, newer, older }: BrowsedPage,
  { filter, job }: { filter: PullRequestFilter; job: { job: Job; waiting: number[] } | null },
): ShownPullRequests {
  const waiting = new Set(job?.waiting);
  const current = new Map(job?.job.current?.map(({ prNumber, progress }) => [prNumber, progress]));
  const pendingOf = (number: number): string | undefined => {
    const progress = current.get(number);
    if (!progress) return waiting.has(number) ? words.importing.waits : undefined;
    const count = progress.total > 0 ? ` ${progress.done}/${progress.total}` : '';
    return words.doing.steps[progress.step] + count;
  };
  const listed = items.map((item) => {
    const pending = pendingOf(item.number);
    return { ...showListed(item, language), ...(pending !== undefined && { pending }) };
  });
  const numbers = unwrittenIn(items);
  const label = numbers.length > 0 ? labelFor(words.importing, items, numbers.length) : null;
  return { filter, listed, newer, older, offered: { label, wish: { numbers }, job: job?.job ?? null } };
}

/** Says which of the pull requests that are listed are written, where that is not all of them. */
function labelFor({ these, merged }: Words['importing'], items: BrowsedPage['items'], count: number): string {
  if (count === items.length) return these(count);
  return merged(count, !items.some(({ state, articleExists }) => state === 'merged' && articleExists));
}

const unwrittenIn = (items: BrowsedPage['items']): number[] =>
  items.flatMap(({ number, state, articleExists }) => (state === 'merged' && !articleExists ? number : []));

/** The latest that are merged and have no article: those among what was listed, or else among the latest that are closed. */
async function findUnwritten({ items, older, read }: Browsed): Promise<number[]> {
  const numbers = unwrittenIn(items);
  if (numbers.length > 0 || older === null) return numbers;
  const closed = read({ state: 'closed', limit: mostSearched, offset: 0 }).catch(asAway);
  const found = await inTime(closed, patienceMs, () => null);
  // The page is worth showing without an offer.
  return found === null || found instanceof Failure ? [] : unwrittenIn(found.items).slice(0, mostOffered);
}

/** What is offered beside articles, where something is left to write or is being written. */
function offerMore(
  { words }: PageContext,
  numbers: number[],
  job: { job: Job } | null,
): ShownRepository['offered'] {
  if (numbers.length === 0 && !job) return null;
  const label = numbers.length > 0 ? words.importing.more(numbers.length) : null;
  return { label, wish: { numbers }, job: job?.job ?? null };
}

const minutesSince = (then: Date, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - then.getTime()) / 60_000));

function asAway(error: unknown): Failure {
  if (error instanceof Failure && error.status >= 500) return error;
  throw error;
}

const asAwayOrAbsent = (error: unknown): Failure =>
  error instanceof Failure && error.code === 'REPOSITORY_NOT_FOUND' ? error : asAway(error);

const nothingThere = () => new Failure('REPOSITORY_NOT_FOUND', 'There is no such repository here.');

async function favoriteOf(
  { database }: Deps,
  viewer: ListViewer,
  named: { host: string; owner: string; repo: string },
): Promise<string | null> {
  if (viewer.userId === null) return null;
  const [favorite] = (await listFavorites(database, { viewer, ...named, limit: 1, offset: 0 })).rows;
  return favorite?.id ?? null;
}

/** The import of the reader that is under way in a repository, and what waits in it. */
export async function findImport(
  { database, clock }: Deps,
  repositoryId: string,
  { viewer, requestId }: Asker & { requestId: string },
): Promise<{ job: Job; waiting: number[] } | null> {
  const userId = viewer.user.id;
  const jobId = await findLiveImportOf(database, { userId, repositoryId });
  const seen = { now: clock(), purpose: 'detail' } as const;
  const found = jobId && (await findImportOfAsker(database, { jobId, userId }, seen));
  if (!found) return null;
  // An import has no article of its own.
  const finders = { findArticle: async () => null };
  const job = await presentJob(finders, found.job, { viewer: { userId, ...seen }, requestId });
  return { job, waiting: await listWaiting(database, jobId) };
}

/** A pull request of a list on a page, called as its article is, in the language of the reader where it is written in that. */
export function showListed(listed: ListedPullRequest, language: string): ShownPullRequest {
  const { articleTitles, mergedAt } = listed;
  const [languageCode = '', text] = [language, ...Object.keys(articleTitles)].flatMap((code) => {
    const title = articleTitles[code];
    return title === undefined ? [] : [code, title];
  });
  return {
    ...presentListedPullRequest(listed),
    mergedAt: mergedAt?.toISOString() ?? null,
    ...(text !== undefined && { articleTitle: { languageCode, text } }),
  };
}
