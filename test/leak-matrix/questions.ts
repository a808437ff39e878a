import type { FastifyInstance } from 'fastify';
import type { Question } from '../leak-questions.ts';

/** What there is about a repository, a pull request of which is number 1. */
export interface Written {
  owner: string;
  repo: string;
  articleId: string;
  jobId: string;
  /** The id of a sentence of the article that lines bear out. */
  sentence: string;
  /** Who made the pull request, and no other. */
  author: string;
  /** The import of each who follows it. */
  importIds: string[];
  /** The address of the picture beside links to the article; empty where it has none. */
  card: string;
  /** The favorite of each who follows it. */
  favoriteIds: string[];
}

export interface Probe extends Question {
  /** Whether its address names the repository, the article or the job, so that it must look as if there were none. */
  isDetail: boolean;
  route: string;
  /** Whether it is about the favorite of another, who may do this to their own whatever they may see. */
  isOfOthers?: boolean;
}

/** Every route that the router has, with its methods. */
function routesOf(server: FastifyInstance): { url: string; methods: string[] }[] {
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

/** What can be said after the address of a list. */
const wishes = ['?limit=100', '?limit=1&offset=1', '?language=en', '?limit=100&period=weekly'];

/** Addresses of nothing, at which other software shows things. */
const elsewhere = ['/.well-known/security.txt', '/metrics'];

const anything = '00000000-0000-4000-8000-000000000000';

const isAboutRepository = (url: string): boolean => /:owner|:articleId|^\/jobs\/:id/.test(url);

function fill(url: string, { owner, repo, articleId, jobId, author }: Written): string {
  return url
    .replace(':owner', owner)
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
}

const loudly = (written: Written): Written => ({
  ...written,
  owner: written.owner.toUpperCase(),
  repo: written.repo.toUpperCase(),
  articleId: written.articleId.toUpperCase(),
  jobId: written.jobId.toUpperCase(),
});

/** Every route of the router that can be read, as it is asked for most simply. */
export function plainReads(server: FastifyInstance, written: Written): Probe[] {
  const routes = routesOf(server).filter(({ methods }) => methods.includes('GET'));
  return routes.map(({ url }) => ({
    method: 'GET',
    path: fill(url, written) + searched(url, written),
    isDetail: isAboutRepository(url),
    route: url,
  }));
}

/** What can be said after some addresses alone, and what there are several of. */
function particularReads({ owner, repo, articleId, author, importIds, card }: Written): Probe[] {
  const page = `/r/${owner}/${repo}`;
  const pulls = `/repos/${owner}/${repo}/pulls`;
  const lines = 'file=src/file-0.ts&side=new&line=1&direction=below';
  const about = (isDetail: boolean, route: string, paths: string[]): Probe[] =>
    paths.map((path) => ({ method: 'GET', path, isDetail, route }));
  return [
    ...about(false, '/', ['/?type=FEAT', '/?type=FEAT&language=all']),
    ...about(false, '/articles', [
      `/articles?author=${author}`,
      `/articles?author=${author}&changeType=FEAT&owner=${owner}&repo=${repo}`,
      '/articles?changeType=FEAT&limit=100',
    ]),
    ...about(false, '/a/:author', [`/a/${author}?language=en`, `/a/${author}?type=FEAT`]),
    ...['/digest', '/my/digest'].flatMap((url) => [
      ...about(false, url, [`${url}?period=daily&until=2026-03-02`]),
      ...about(true, `${url} of a repository`, [`${url}?until=2026-03-02&owner=${owner}&repo=${repo}`]),
    ]),
    ...about(true, '/feeds/r/:owner/:repo/digest.atom', [
      `/feeds/r/${owner}/${repo}/digest.atom?until=2026-03-02`,
    ]),
    ...about(false, '/feeds/mine/:secret/digest.atom', ['/feeds/mine/:secret/digest.atom?until=2026-03-02']),
    ...about(false, '/users/me/feed', ['/users/me/feed?unread=true&limit=100']),
    ...about(false, '/sitemap/:part.xml', [`/sitemap/${articleId.slice(0, 1)}.xml`]),
    ...about(true, '/r/:owner/:repo', [`${page}?tab=pulls`, `${page}?tab=pulls&state=closed`]),
    ...about(true, '/r/:owner/:repo/:number/lines', [`${page}/1/lines?${lines}`]),
    ...about(true, '/repos/:owner/:repo/pulls', [`${pulls}?state=closed`]),
    ...about(true, '/repos/:owner/:repo/pulls/:number/diff', [`${pulls}/1/diff?file=src/file-0.ts`]),
    ...about(true, '/cards/:articleId/:languageCode/:version.png', card === '' ? [] : [card]),
    ...about(
      true,
      '/jobs/:id of an import',
      importIds.flatMap((id) => [`/jobs/${id}`, `/jobs/${id}/events`]),
    ),
  ];
}

/** What agents are asked for on behalf of somebody: every tool, in both measures, and resources. */
function agentReads({ owner, repo, articleId, author, sentence }: Written): Probe[] {
  const tool = (isDetail: boolean, name: string, input: object): Probe[] =>
    ['brief', 'full'].map((detail) =>
      agentProbe(isDetail, name, 'tools/call', { name, arguments: { ...input, detail } }),
    );
  const named = `${owner}/${repo}`;
  const uri = `pullquote://articles/${articleId}/en`;
  return [
    ...tool(false, 'search_articles', { query: repo, limit: 100 }),
    ...tool(false, 'search_articles', { query: `author:${author}` }),
    ...tool(true, 'get_article', { article: articleId }),
    ...tool(true, 'get_article', { article: `${named.toUpperCase()}#1`, section: 'changes' }),
    ...tool(true, 'get_evidence', { article: `${named}#1`, sentence }),
    ...tool(false, 'list_ranking', { limit: 100 }),
    ...tool(false, 'list_ranking', { repository: named }),
    ...tool(false, 'list_my_feed', { limit: 100 }),
    ...tool(true, 'what_changed', { repository: named, path: 'src', since: '2020-01-01' }),
    agentProbe(false, 'resources', 'resources/list', {}),
    agentProbe(true, 'resources', 'resources/read', { uri }),
  ];
}

const agentProbe = (isDetail: boolean, name: string, method: string, params: object): Probe => ({
  ...{ method: 'POST', path: '/mcp', isDetail, route: `/mcp ${name}` },
  body: { jsonrpc: '2.0', id: 1, method, params },
});

/** What is searched for, where something is: a repository by its name, which its articles are found by too; or a release. */
const searched = (url: string, { repo }: Written): string => {
  if (url.endsWith('/release')) return '?from=v1&to=v2';
  return /^\/(?:search|find|feeds\/search\.\w+)$/.test(url) ? `?q=${repo}` : '';
};

/** Everything that can be read, in every form and spelling at those routes that tell of repositories at all. */
export function readsAbout(server: FastifyInstance, written: Written, telling: Set<string>): Probe[] {
  const named = ({ owner, repo }: Written) => `?owner=${owner}&repo=${repo}`;
  const loud = loudly(written);
  const reads = plainReads(server, written).flatMap((probe) => {
    const { isDetail, path, route } = probe;
    const simply = [probe, { ...probe, method: 'HEAD' }];
    if (!telling.has(route)) return simply;
    const otherForms = ['text/markdown', 'text/html'].map((accept) => ({ ...probe, accept }));
    const otherPaths = isDetail
      ? [fill(route, loud) + searched(route, loud), `${path}${path.includes('?') ? '&' : '?'}language=en`]
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
  return [...reads, ...particularReads(written), ...agentReads(written), ...nowhere];
}

/** What is sent to a route, and to a form without scripts as its fields. */
function bodyFor(url: string, { owner, repo, articleId }: Written): object | undefined {
  const language = 'ja';
  if (url === '/users/me' || url === '/users/me/favorite-repositories') return { owner, repo };
  if (url === '/favorites') return { address: `${owner}/${repo}` };
  if (url === '/r/:owner/:repo/follow') return {};
  if (url === '/r/:owner/:repo/import') return { numbers: '1', language };
  if (url.endsWith('/write')) return { language };
  if (url.startsWith('/r/') && url.endsWith('/like'))
    return { article: articleId, language: 'en', like: 'yes' };
  if (url.endsWith('/article')) return { language };
  if (url.endsWith('/import')) return { numbers: [1], language };
  return undefined;
}

/** What is done to one's own favorites, the repositories of which one may no longer see. */
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

const writesToImports = ({ importIds }: Written): Probe[] =>
  importIds.map((id) => ({
    method: 'DELETE',
    path: `/jobs/${id}`,
    isDetail: true,
    route: '/jobs/:id of an import',
  }));

/** Everything that can be done to the repository and what there is about it. */
export function writesAbout(server: FastifyInstance, written: Written): Probe[] {
  const about = routesOf(server).flatMap(({ url, methods }) => {
    const isFavorite = ['/users/me', '/users/me/favorite-repositories', '/favorites'].includes(url);
    if (!isFavorite && !isAboutRepository(url)) return [];
    const body = bodyFor(url, written);
    return methods
      .filter((method) => method === 'POST' || (method === 'DELETE' && !isFavorite))
      .map((method) => ({
        method,
        path: fill(url, written),
        isDetail: true,
        route: url,
        ...(body && { body }),
      }));
  });
  const { owner, repo } = written;
  const explain = { pullRequest: `${owner}/${repo}#1`, language: 'ja' };
  const explained = { name: 'explain_pull_request', arguments: explain };
  return [
    ...about,
    ...writesToFavorites(written),
    ...writesToImports(written),
    agentProbe(true, explained.name, 'tools/call', explained),
  ];
}
