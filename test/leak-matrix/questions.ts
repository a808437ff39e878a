import type { FastifyInstance } from 'fastify';
import type { Question } from '../leak-questions.ts';

/** What there is about a repository, a pull request of which is number 1. */
export interface Written {
  owner: string;
  repo: string;
  articleId: string;
  jobId: string;
  /** The favorite of each who follows it. */
  favoriteIds: string[];
}

export interface Probe extends Question {
  /** Whether its address names the repository, the article or the job, so that it must look as if there were none. */
  isDetail: boolean;
  route: string;
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
const elsewhere = [
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/security.txt',
  '/feeds/articles.atom',
  '/feeds/r/OWNER/REPO.json',
  '/llms.txt',
  '/metrics',
  '/sitemap.xml',
];

const anything = '00000000-0000-4000-8000-000000000000';

const isAboutRepository = (url: string): boolean => /:owner|:articleId|^\/jobs\/:id/.test(url);

function fill(url: string, { owner, repo, articleId, jobId }: Written): string {
  return url
    .replace(/:owner|OWNER/, owner)
    .replace(/:repo|REPO/, repo)
    .replace(':number', '1')
    .replace(':articleId', articleId)
    .replace(':languageCode', 'en')
    .replace('/jobs/:id', `/jobs/${jobId}`)
    .replace(':id', anything)
    .replace('*', 'anything.js');
}

const loudly = (written: Written): Written => ({
  owner: written.owner.toUpperCase(),
  repo: written.repo.toUpperCase(),
  articleId: written.articleId.toUpperCase(),
  jobId: written.jobId.toUpperCase(),
  favoriteIds: written.favoriteIds,
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

/** What is searched for, where something is: a repository by its name, which its articles are found by too. */
const searched = (url: string, { repo }: Written): string =>
  url === '/search' || url === '/find' ? `?q=${repo}` : '';

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
      ? [fill(route, loud), `${path}?language=en`]
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
  return [...reads, ...nowhere];
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
  ]);

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
  return [...about, ...writesToFavorites(written)];
}
