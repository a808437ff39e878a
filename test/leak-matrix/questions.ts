import type { FastifyInstance } from 'fastify';
import { agentReads, agentWrites } from './agent-questions.ts';
import type { Probe, Written } from './probe.ts';

/** Every route with its methods. */
export function routesOf(server: FastifyInstance): { url: string; methods: string[] }[] {
  const parents: string[] = [];
  return server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[└├]── (.*) \((.*)\)$/.exec(line) ?? [];
      if (part === '') return [];
      const depth = indent.length / 4;
      const url = (depth === 0 ? '' : (parents[depth - 1] ?? '')) + part;
      parents[depth] = url;
      return { url, methods: methods.split(', ') };
    });
}

/** Query parameters of lists. */
const wishes = ['?limit=100', '?limit=1&offset=1', '?language=en', '?limit=100&period=weekly'];

/** Addresses without a route, where other software shows pages. */
const elsewhere = ['/.well-known/security.txt', '/metrics'];

const anything = '00000000-0000-4000-8000-000000000000';

const isAboutRepository = (url: string): boolean => /:owner|:articleId|^\/jobs\/:id/.test(url);

/** Query parameters for owner, name and host. */
const onHost = (path: string, { host }: Pick<Written, 'host'>): string =>
  host === null ? path : `${path}${path.includes('?') ? '&' : '?'}host=${host}`;

const placeOf = ({ owner, repo }: Pick<Written, 'owner' | 'repo'>): string =>
  `${encodeURIComponent(owner)}/${repo}`;

function fill(url: string, written: Written): string {
  const { owner, repo, articleId, jobId, author } = written;
  const filled = url
    .replace(':owner', encodeURIComponent(owner))
    .replace(':repo', repo)
    .replace(':number', '1')
    .replace(':articleId', articleId)
    .replace(':languageCode', 'en')
    .replace('/jobs/:id', `/jobs/${jobId}`)
    .replace(':author', author)
    .replace(':part', 'all')
    .replace(':period', 'all')
    .replace(':version', 'before')
    .replace(':id', anything)
    .replace('*', 'anything.js');
  const searching = searched(url, written);
  return url.includes(':owner') || searching.startsWith('?q=')
    ? onHost(filled + searching, written)
    : filled + searching;
}

const loudly = (written: Written): Written => ({
  ...written,
  owner: written.owner.toUpperCase(),
  repo: written.repo.toUpperCase(),
  articleId: written.articleId.toUpperCase(),
  jobId: written.jobId.toUpperCase(),
});

/** Every readable route in its simplest form. */
export function plainReads(server: FastifyInstance, written: Written): Probe[] {
  const routes = routesOf(server).filter(({ methods }) => methods.includes('GET'));
  return routes.map(({ url }) => ({
    method: 'GET',
    path: fill(url, written),
    isDetail: isAboutRepository(url),
    route: url,
  }));
}

/** Further forms of some addresses. */
function particularReads(written: Written): Probe[] {
  const { articleId, author, importIds, questionJobIds, card } = written;
  const page = `/r/${placeOf(written)}`;
  const pulls = `/repos/${placeOf(written)}/pulls`;
  const named = namedIn(written);
  const on = (path: string): string => onHost(path, written);
  const lines = 'file=src/file-0.ts&side=new&line=1&direction=below';
  const about = (isDetail: boolean, route: string, paths: string[]): Probe[] =>
    paths.map((path) => ({ method: 'GET', path, isDetail, route }));
  return [
    ...about(false, '/', ['/?type=FEAT', '/?type=FEAT&language=all']),
    ...about(false, '/articles', [
      on(`/articles?author=${author}`),
      `/articles?author=${author}&changeType=FEAT&${named}`,
      '/articles?changeType=FEAT&limit=100',
    ]),
    ...about(false, '/a/:author', [on(`/a/${author}?language=en`), on(`/a/${author}?type=FEAT`)]),
    ...['/digest', '/my/digest'].flatMap((url) => [
      ...about(false, url, [`${url}?period=daily&until=2026-03-02`]),
      ...about(true, `${url} of a repository`, [`${url}?until=2026-03-02&${named}`]),
    ]),
    ...about(true, '/feeds/r/:owner/:repo/digest.atom', [
      on(`/feeds/r/${placeOf(written)}/digest.atom?until=2026-03-02`),
    ]),
    ...about(false, '/feeds/mine/:secret/digest.atom', ['/feeds/mine/:secret/digest.atom?until=2026-03-02']),
    ...about(false, '/users/me/feed', ['/users/me/feed?unread=true&limit=100']),
    ...about(false, '/sitemap/:part.xml', [`/sitemap/${articleId.slice(0, 1)}.xml`]),
    ...about(true, '/r/:owner/:repo', [on(`${page}?tab=pulls`), on(`${page}?tab=pulls&state=closed`)]),
    ...about(true, '/r/:owner/:repo/:number/lines', [on(`${page}/1/lines?${lines}`)]),
    ...about(true, '/r/:owner/:repo/:number/diff', [on(`${page}/1/diff`)]),
    ...about(true, '/r/:owner/:repo/:number/checked', [on(`${page}/1/checked`)]),
    ...about(true, '/r/:owner/:repo/:number/review', [on(`${page}/1/review?order=file`)]),
    ...about(true, '/repos/:owner/:repo/pulls', [on(`${pulls}?state=closed`)]),
    ...about(true, '/repos/:owner/:repo/pulls/:number/diff', [on(`${pulls}/1/diff?file=src/file-0.ts`)]),
    ...about(true, '/cards/:articleId/:languageCode/:version.png', card === '' ? [] : [card]),
    ...about(
      true,
      '/jobs/:id of an import',
      importIds.flatMap((id) => [`/jobs/${id}`, `/jobs/${id}/events`]),
    ),
    ...about(
      true,
      '/jobs/:id of a question',
      questionJobIds.flatMap((id) => [`/jobs/${id}`, `/jobs/${id}/events`]),
    ),
  ];
}

/** Search queries: the repository by name, which also finds its articles, or a release. */
const searched = (url: string, { repo }: Written): string => {
  if (url.endsWith('/release')) return '?from=v1&to=v2';
  return /^\/(?:search|find|feeds\/search\.\w+)$/.test(url) ? `?q=${repo}` : '';
};

const namedIn = (written: Written): string =>
  onHost(`?owner=${encodeURIComponent(written.owner)}&repo=${written.repo}`, written).slice(1);

/** The questions without the host, if another host has a repository of the same name. */
export const withoutHost = (questions: (written: Written) => Probe[], written: Written): Probe[] =>
  written.host === null
    ? []
    : questions({ ...written, host: null }).filter(({ path, body }) =>
        `${path} ${JSON.stringify(body)}`.includes(written.repo),
      );

/** Every readable address, in every form for routes that show repositories. */
export function readsAbout(server: FastifyInstance, written: Written, telling: Set<string>): Probe[] {
  const named = (one: Written) => `?${namedIn(one)}`;
  const loud = loudly(written);
  const reads = plainReads(server, written).flatMap((probe) => {
    const { isDetail, path, route } = probe;
    const simply = [probe, { ...probe, method: 'HEAD' }];
    if (!telling.has(route)) return simply;
    const otherForms = ['text/markdown', 'text/html'].map((accept) => ({ ...probe, accept }));
    const otherPaths = isDetail
      ? [fill(route, loud), `${path}${path.includes('?') ? '&' : '?'}language=en`]
      : [...wishes, named(written), named(loud)].map((wish) =>
          path.includes('?') ? path + wish.replace('?', '&') : path + wish,
        );
    return [...simply, ...otherForms, ...otherPaths.map((other) => ({ ...probe, path: other }))];
  });
  const nowhere = elsewhere.map((url) => ({
    method: 'GET',
    path: fill(url, written),
    isDetail: false,
    route: url,
  }));
  return [
    ...reads,
    ...particularReads(written),
    ...agentReads(written),
    ...nowhere,
    ...withoutHost((named) => [...plainReads(server, named), ...agentReads(named)], written),
  ];
}

/** Bodies of routes, and fields of forms. */
function bodyFor(url: string, { host, owner, repo, articleId }: Written): object | undefined {
  const language = 'ja';
  if (url === '/users/me' || url === '/users/me/favorite-repositories') return { owner, repo };
  if (url === '/favorites') return { address: `${owner}/${repo}`, ...(host !== null && { host }) };
  if (url === '/r/:owner/:repo/follow') return {};
  if (url === '/r/:owner/:repo/import') return { numbers: '1', language };
  if (url.endsWith('/write')) return { language };
  if (url.startsWith('/r/') && url.endsWith('/like'))
    return { article: articleId, language: 'en', like: 'yes' };
  if (url.endsWith('/article')) return { language };
  if (url.endsWith('/questions') || url.endsWith('/ask'))
    return { question: 'What is new in this file?', language };
  if (url.endsWith('/import')) return { numbers: [1], language };
  return undefined;
}

/** Changes of a user's own favorites, possible without access to their repositories. */
const writesToFavorites = ({ favoriteIds }: Written): Probe[] =>
  favoriteIds.flatMap((favorite) => [
    {
      method: 'PUT',
      path: `/users/me/favorite-repositories/${favorite}/watch`,
      body: { language: 'en' },
      isDetail: true,
      route: '/users/me/favorite-repositories/:id/watch',
    },
    {
      method: 'POST',
      path: '/favorites/watch',
      body: { favorite, watch: 'yes' },
      isDetail: true,
      route: '/favorites/watch',
    },
    ...['', '/watch'].map((what) => ({
      method: 'DELETE',
      path: `/users/me/favorite-repositories/${favorite}${what}`,
      isDetail: true,
      route: `/users/me/favorite-repositories/:id${what}`,
      isOfOthers: true,
    })),
  ]);

const writesToAnswers = ({ answerIds }: Written): Probe[] =>
  answerIds.flatMap((id) =>
    [
      { method: 'PATCH', route: '/questions/:id', body: { shared: true } },
      { method: 'DELETE', route: '/questions/:id' },
      { method: 'POST', route: '/answers/:id/share', body: { shared: 'yes' } },
      { method: 'POST', route: '/answers/:id/delete', body: {} },
    ].map((write) => ({ ...write, path: write.route.replace(':id', id), isDetail: true })),
  );

const writesToImports = ({ importIds }: Written): Probe[] =>
  importIds.map((id) => ({
    method: 'DELETE',
    path: `/jobs/${id}`,
    isDetail: true,
    route: '/jobs/:id of an import',
  }));

/** Every change of the repository and what exists about it. */
export function writesAbout(server: FastifyInstance, written: Written): Probe[] {
  const about = routesOf(server).flatMap(({ url, methods }) => {
    const isFavorite = ['/users/me', '/users/me/favorite-repositories', '/favorites'].includes(url);
    if (!isFavorite && !isAboutRepository(url)) return [];
    const body = bodyFor(url, written);
    return methods
      .filter((method) => method === 'POST' || (method === 'DELETE' && !isFavorite))
      .map((method) => ({
        method,
        path: url.startsWith('/users/me') ? onHost(url, written) : fill(url, written),
        isDetail: true,
        route: url,
        ...(body && { body }),
      }));
  });
  return [
    ...about,
    ...writesToFavorites(written),
    ...writesToImports(written),
    ...writesToAnswers(written),
    ...agentWrites(written),
  ];
}
