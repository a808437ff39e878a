import type { FastifyBaseLogger } from 'fastify';
import { presentSummary } from '../../actions/articles/read-article.ts';
import type { SignedUpViewer, Viewer } from '../../actions/deps.ts';
import { estimateRewriting } from '../../actions/models/estimate-writing.ts';
import {
  type BrowsedPage,
  browsePullRequests,
  type ListedPullRequest,
  openPullRequests,
  type ReadList,
} from '../../actions/pull-requests/list-pull-requests.ts';
import {
  countReleases,
  openRepository,
  readRelease,
  suggestTags,
} from '../../actions/releases/read-release.ts';
import {
  type Asker,
  findRepositoryFor,
  type RepositoryAddress,
} from '../../actions/repositories/find-repository.ts';
import { findListedClone } from '../../actions/repositories/list-repositories.ts';
import { type HostRepository, UnknownRef } from '../../code-hosts/code-host.ts';
import { LanguageCode } from '../../contract/formats.ts';
import type { Job } from '../../contract/jobs.ts';
import { Type } from '../../contract/type.ts';
import { countByBots, listArticles, listFilesOfRepository } from '../../db/article-lists.ts';
import { listFavorites } from '../../db/following.ts';
import { countArrivingPullRequests } from '../../db/following-polls.ts';
import { findLiveImportOfJob } from '../../db/imports.ts';
import type { ListScope, Repository } from '../../db/visibility.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { mostImported, mostRewritten, type PullRequestFilter } from '../../domain/pull-requests.ts';
import { faultsOf, refMaxLength } from '../../domain/releases.ts';
import { headlineOf } from '../../domain/titles.ts';
import type { PageContext } from '../../pages/layout.ts';
import { languageToWriteIn, type OfferedImport } from '../../pages/progress.ts';
import { releasePage as showRelease, tagBefore } from '../../pages/releases.ts';
import {
  repositoryTabs,
  type ShownPullRequests,
  type ShownReleases,
  type ShownRepository,
  repositoryPage as show,
} from '../../pages/repositories.ts';
import type { ListedPullRequest as ShownPullRequest } from '../../pages/rows.ts';
import { listCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { jobFinders } from '../jobs.ts';
import { repositoryParams } from '../pull-requests.ts';
import { hostQuery, requestedAddress } from '../requests/choose-code-host.ts';
import { abortOnDisconnect } from '../requests/parse-requests.ts';
import { presentListedPullRequest, presentRelease } from '../responses/present.ts';
import { asUser, hostName, minutesSince, offsetsAround, page, wishedLanguages } from './page.ts';
import { answeringQuery, answersOnPage, isAnswering } from './questions.ts';
import { showAbsent } from './unwritten.ts';

const articlesPerPage = 20;

const wherever = () => Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const choice = <Choice extends string>(...choices: Choice[]) =>
  Type.Optional(Type.Enum(choices, { type: 'string' }));

export const getRepositoryPage = (deps: Deps) =>
  page({
    params: repositoryParams,
    query: {
      ...hostQuery(deps.codeHosts),
      language: Type.Optional(LanguageCode()),
      offset: wherever(),
      tab: choice(...repositoryTabs),
      state: choice('all', 'merged', 'open'),
      article: choice('all', 'written', 'unwritten'),
      bots: choice('with', 'without'),
      from: wherever(),
      until: wherever(),
      tries: wherever(),
      ...answeringQuery,
    },
    async show({ params, query, viewer, request, reply, acceptLanguage, contextIn }) {
      const { owner, repo } = params;
      const { language, answering, offset = 0 } = query;
      const address = requestedAddress(deps.codeHosts, params, query);
      const { codeHost } = address;
      const now = deps.clock();
      const around = { limit: articlesPerPage, offset };
      const user = asUser(viewer);
      const signal = abortOnDisconnect(reply);
      const asker = user && { viewer: user, signal };
      const named = { host: codeHost.id, owner, repo };
      const browsed = asker
        ? await browse(deps, address, query, asker).catch(asAwayOrAbsent)
        : nothingThere();
      const visible = await findRepositoryFor(deps, address, { viewer, now });
      const repository = visible?.found ?? null;
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
      const ofThis = {
        viewer: looking,
        ...named,
        onceIn: language === undefined ? wished : [language, ...wished],
      };
      const isByPeople = !context.showsBots;
      const [{ rows, total: shownTotal }, byBots] = await Promise.all([
        listArticles(deps.database, { ...ofThis, isByPeople, ...around }),
        countByBots(deps.database, ofThis),
      ]);
      const total = isByPeople ? shownTotal + byBots : shownTotal;
      // As in lists, a visitor sees a repository without articles only if it is a public clone.
      const clone = total === 0 && !asker ? await findListedClone(deps, address, looking) : null;
      if ((!repository || total === 0) && browsed instanceof Failure && !clone) throw browsed;
      const listed = browsed instanceof Failure ? null : browsed;
      const known = repository ?? listed?.repository;
      const place = known ?? (clone && { owner: clone.owner, name: clone.repo });
      const isMissing = (place && (await codeHost.adding?.isMissing(place))) ?? false;
      const favoriteId = await favoriteOf(deps, looking, named);
      const tab = query.tab ?? (total === 0 && listed ? 'pulls' : 'articles');
      const live = asker && repository && (await findImport(deps, repository.id, asker.viewer, request.id));
      const job = live?.isRewriting ? null : live;
      const shown = {
        host: codeHost.id,
        hostName: hostName(codeHost),
        owner: known?.owner ?? clone?.owner ?? owner,
        repo: known?.name ?? clone?.repo ?? repo,
        isPrivate: known?.isPrivate ?? clone?.isPrivate ?? true,
        isClone: codeHost.isLocal,
        isMissing,
        confirmedMinutes: asker ? minutesSince(repository?.checkedAt ?? now, now) : null,
        favoriteId,
        arriving:
          favoriteId === null ? 0 : await countArrivingPullRequests(deps.database, { favoriteId, now }),
        tab,
        articles: rows.map(presentSummary(deps.codeHosts)),
        articleTotal: total,
        byBots,
        pulls: listed && presentPulls(context, listed, { filter: filterOf(query), job: job ?? null }),
        pullTotal: listed?.total ?? null,
        offered:
          asker && listed && tab === 'articles'
            ? unlessEmpty(importOffer(unwrittenIn(listed.items), context.words.importing.more, job?.job))
            : null,
        rewriting:
          asker && repository && tab === 'articles' && total > 0
            ? await offerRewriting(deps, context, repository, live?.isRewriting ? live.job : null)
            : null,
        releases:
          tab === 'releases'
            ? await listReleases(
                deps,
                address,
                { viewer, signal },
                {
                  languages: wished,
                  offset,
                  url: context.address,
                  tries: query.tries ?? 0,
                  log: request.log,
                },
              )
            : null,
        files:
          tab === 'files'
            ? presentFiles(await listFilesOfRepository(deps.database, { ...named, viewer: looking }))
            : [],
        answers:
          visible && total > 0 && tab === 'articles'
            ? await answersOnPage(deps, { repositoryId: visible.found.id }, visible.seen, context.language)
            : null,
        isAnswering: await isAnswering(deps, answering, { viewer, now }),
        language,
        ...offsetsAround(around, shownTotal),
      } satisfies ShownRepository;
      const kept =
        tab !== 'releases' && !isMissing && (await listCachePolicy(deps.database, looking, offset));
      return { page: show(context, shown), ...kept };
    },
  });

const mostReleases = 1_000;
const releasesPerPage = 20;

/** Counts that take longer are cached once they are complete, and the page loads again to show them. */
const countingMs = 3_000;
const longestCountMs = 60_000;
const mostTries = 5;

async function listReleases(
  deps: Deps,
  address: RepositoryAddress,
  asker: { viewer: Viewer | null; signal: AbortSignal },
  wanted: {
    languages: string[];
    offset: number;
    url: string;
    tries: number;
    log: FastifyBaseLogger;
  },
): Promise<ShownReleases> {
  const { languages, tries } = wanted;
  // Other offsets would be counted and cached apart.
  const offset = wanted.offset - (wanted.offset % releasesPerPage);
  const { codeHost } = address;
  const open = await openRepository(deps, address, asker);
  const tags = await suggestTags(codeHost, open.repository, open.caller, mostReleases);
  const names = tags.map(({ name }) => name);
  const listed = tags.slice(offset, offset + releasesPerPage).map(({ name: tag, committedAt }, place) => ({
    tag,
    // A tag without a date is on no commit.
    before: committedAt && tagBefore(names.slice(offset + place)),
    committedAt: committedAt?.toISOString() ?? null,
  }));
  const ranges = listed.flatMap(({ tag, before }) => (before === null ? [] : { from: before, to: tag }));
  // Counting continues after the response, and the page that loads again finds it cached.
  const caller = { ...open.caller, signal: AbortSignal.timeout(longestCountMs) };
  const counted = countReleases(deps, address, { ...open, caller }, { ranges, languages }).catch(
    (error: unknown) => {
      wanted.log.warn({ err: error }, 'the changes of releases could not be counted');
      return [];
    },
  );
  const counts = await inTime(counted, countingMs, () => null);
  const countOf = new Map(ranges.map(({ to }, place) => [to, counts?.[place] ?? null]));
  return {
    listed: listed.map((one) => ({ ...one, counts: countOf.get(one.tag) ?? null })),
    names,
    againAt: counts === null && tries < mostTries ? withTries(wanted.url, tries + 1) : null,
    ...offsetsAround({ limit: releasesPerPage, offset }, tags.length),
  };
}

function withTries(url: string, tries: number): string {
  const [path = '', query] = url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('tries', String(tries));
  return `${path}?${parameters}`;
}

const presentFiles = (files: Awaited<ReturnType<typeof listFilesOfRepository>>): ShownRepository['files'] =>
  files.map(({ newestAt, ...file }) => ({ ...file, newestAt: newestAt.toISOString() }));

interface Choices extends Partial<PullRequestFilter> {
  from?: number;
  until?: number;
}

const filterOf = ({ state = 'merged', article = 'all', bots = 'with' }: Choices): PullRequestFilter => ({
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
  const { these, merged } = words.importing;
  const areAll = !items.some(({ state, articleExists }) => state === 'merged' && articleExists);
  const labelOf = (count: number) => (count === items.length ? these(count) : merged(count, areAll));
  return { filter, listed, newer, older, offered: importOffer(unwrittenIn(items), labelOf, job?.job) };
}

const unwrittenIn = (items: BrowsedPage['items']): number[] =>
  items.flatMap(({ number, state, articleExists }) => (state === 'merged' && !articleExists ? number : []));

const importOffer = (
  numbers: number[],
  labelOf: (count: number) => string,
  job: Job | null | undefined,
): OfferedImport => ({
  label: numbers.length > 0 ? labelOf(numbers.length) : null,
  wish: { numbers },
  job: job ?? null,
});

async function offerRewriting(
  deps: Deps,
  context: PageContext,
  repository: Repository,
  job: Job | null,
): Promise<OfferedImport | null> {
  if (await deps.isSample({ ...repository, repo: repository.name })) return null;
  const languageCode = languageToWriteIn(context);
  const estimate = await estimateRewriting(deps, repository, { languageCode, most: mostRewritten });
  if (!estimate || (estimate.articles === 0 && !job)) return null;
  const label = estimate.articles > 0 ? context.words.importing.rewrite(estimate.articles) : null;
  return { label, wish: { rewrite: mostRewritten }, estimate, job, isPrimary: false };
}

const unlessEmpty = (offered: OfferedImport): OfferedImport | null =>
  offered.label === null && !offered.job ? null : offered;

function asAway(error: unknown): Failure {
  if (error instanceof Failure && error.status >= 500) return error;
  throw error;
}

const asAwayOrAbsent = (error: unknown): Failure =>
  error instanceof Failure && error.code === 'REPOSITORY_NOT_FOUND' ? error : asAway(error);

const nothingThere = () => new Failure('REPOSITORY_NOT_FOUND', 'There is no such repository here.');

async function favoriteOf(
  { database }: Deps,
  viewer: ListScope,
  named: { host: string; owner: string; repo: string },
): Promise<string | null> {
  if (viewer.userId === null) return null;
  const [favorite] = (await listFavorites(database, { viewer, ...named, limit: 1, offset: 0 })).rows;
  return favorite?.id ?? null;
}

async function findImport(
  deps: Deps,
  repositoryId: string,
  viewer: SignedUpViewer,
  requestId: string,
): Promise<{ job: Job; waiting: number[]; isRewriting: boolean } | null> {
  const { findJob, present } = jobFinders(deps);
  const look = { viewer, now: deps.clock() };
  const live = await findLiveImportOfJob(deps.database, { userId: viewer.user.id, repositoryId });
  const job = live && (await findJob(live.id, look));
  if (job?.found.work !== 'import') return null;
  return {
    job: await present(job, requestId),
    waiting: job.found.waiting,
    isRewriting: live?.isRewriting === true,
  };
}

export function showListed(listed: ListedPullRequest, language: string): ShownPullRequest {
  const { articleTitles, mergedAt } = listed;
  const [languageCode = '', text] = [language, ...Object.keys(articleTitles)].flatMap((code) => {
    const title = articleTitles[code];
    return title === undefined ? [] : [code, title];
  });
  return {
    ...presentListedPullRequest(listed),
    mergedAt: mergedAt?.toISOString() ?? null,
    ...(text !== undefined && {
      articleTitle: {
        languageCode,
        text: headlineOf(listed.title, { aiGeneratedTitle: text, languageCode }),
      },
    }),
  };
}

const end = () => Type.Optional(Type.String({ maxLength: 2 * refMaxLength }));

export const getReleasePage = (deps: Deps) =>
  page({
    params: repositoryParams,
    query: {
      ...hostQuery(deps.codeHosts),
      from: end(),
      to: end(),
      language: Type.Optional(LanguageCode()),
    },
    async show({ params, query, viewer, request, reply, acceptLanguage, contextIn }) {
      const context = contextIn(query.language);
      const address = requestedAddress(deps.codeHosts, params, query);
      const { codeHost } = address;
      const signal = abortOnDisconnect(reply);
      const open = await openRepository(deps, address, { viewer, signal });
      const { owner, name: repo } = open.repository;
      const [from, to] = [query.from?.trim() || undefined, query.to?.trim() || undefined];
      const listed = await suggestTags(codeHost, open.repository, open.caller);
      const tags = listed.map(({ name }) => name);
      const shown = { host: codeHost.id, owner, repo, from, to, tags, language: query.language };
      const ask = (problem: string | null, status = 200) => ({
        status,
        page: showRelease(context, { ...shown, problem, release: null, offered: null }),
      });
      if (from === undefined && to === undefined) return ask(null);
      if (from === undefined || to === undefined) return ask(context.words.release.problems.missing, 400);
      const unfit = unfitFor(context, { from, to });
      if (unfit !== null) return ask(unfit, 400);
      const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, context);
      const languages = query.language === undefined ? wished : [query.language, ...wished];
      try {
        const noting = { database: deps.database, log: request.log };
        const collected = await readRelease(noting, address, open, { from, to, languages, tags });
        const release = presentRelease(deps.codeHosts, collected, { from, to });
        const user = asUser(viewer);
        const stored = user && (await findRepositoryFor(deps, address, { viewer, now: deps.clock() }));
        const job = stored ? await findImport(deps, stored.found.id, user, request.id) : null;
        const numbers = release.unwritten.slice(0, mostImported);
        const offered = user && unlessEmpty(importOffer(numbers, context.words.importing.these, job?.job));
        return { page: showRelease(context, { ...shown, problem: null, release, offered }) };
      } catch (error) {
        if (!(error instanceof UnknownRef)) throw error;
        return ask(context.words.release.problems.unknown(error.ref, error.suggested), 404);
      }
    },
  });

function unfitFor({ words }: PageContext, range: { from: string; to: string }): string | null {
  const { problems } = words.release;
  const [fault] = faultsOf(range);
  if (!fault) return null;
  return fault.is === 'same' ? problems.same : problems.unfit(range[fault.field].slice(0, refMaxLength));
}
