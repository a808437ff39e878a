import type { FastifyInstance } from 'fastify';

export interface Question {
  method: string;
  path: string;
  body?: object;
  accept?: string;
}

/** A repository with pull request 1, and the ids of the data about it. */
interface Written {
  owner: string;
  repo: string;
  articleId: string;
  jobId: string;
  answerId?: string;
}

/** The author of every change, as in test/make-clone.ts. */
const author = encodeURIComponent('rin example');

/** The address of every GET route, with its parameters filled in. */
export function addressesOf(server: FastifyInstance, { owner, repo, articleId, jobId }: Written): string[] {
  return Object.entries(server.swagger().paths ?? {})
    .filter(([, operations]) => operations && 'get' in operations)
    .map(([path]) =>
      path
        .replace('{owner}', encodeURIComponent(owner))
        .replace('{repo}', repo)
        .replace('{number}', '1')
        .replace('{articleId}', articleId)
        .replace('/jobs/{id}', `/jobs/${jobId}`)
        .replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
    );
}

/** Every request of the service, from its OpenAPI document, with further forms. */
export function questionsAbout(
  server: FastifyInstance,
  { file, answerId, ...written }: Written & { file?: string },
): { gets: Question[]; writes: Question[] } {
  const { owner, repo, articleId, jobId } = written;
  const named = `owner=${owner}&repo=${repo}`;
  const place = `${encodeURIComponent(owner)}/${repo}`;
  const pull = `/repos/${place}/pulls/1`;
  const gets = [
    ...addressesOf(server, written),
    ...(file === undefined ? [] : [`${pull}/diff?file=${file}`]),
    `/repos/${place}/pulls?state=closed`,
    '/articles?limit=100',
    `/articles?${named}`,
    `/articles?author=${author}&limit=100`,
    `/articles?author=${author}&changeType=FEAT&${named}`,
    '/articles?changeType=FEAT&limit=100',
    `/articles/${articleId}?language=en`,
    `/search?q=${repo}&limit=100`,
    `/search?author=${author}&${named}`,
    '/ranking/articles/likes?limit=100&period=daily',
    `/ranking/articles/likes?${named}`,
    '/users/me/liked-articles?limit=100',
    ...['/digest', '/my/digest'].flatMap((path) => [
      `${path}?language=en`,
      `${path}?period=daily&language=en`,
      `${path}?language=en&${named}`,
    ]),
    `/feeds/r/${place}/digest.json?language=en`,
    `/users/me/favorite-repositories?${named}`,
  ].map((path) => ({ method: 'GET', path }));
  const page = `/r/${place}/1`;
  const beside = file && `${page}/lines?file=${file}&side=new&line=1&direction=below`;
  const lists = [`/a/${author}?language=en`, '/?type=FEAT&language=all', '/repositories'];
  const pages = [page, `${page}/review`, ...(beside ? [beside] : []), ...lists];
  const otherForms = ['text/markdown', 'text/html'].flatMap((accept) =>
    [`${pull}/article`, `/articles/${articleId}`, ...pages].map((path) => ({ method: 'GET', path, accept })),
  );
  const writes = [
    { method: 'POST', path: `${pull}/ingest` },
    { method: 'POST', path: `${pull}/article`, body: { language: 'ja' } },
    { method: 'POST', path: `/repos/${place}/import`, body: { numbers: [1], language: 'ja' } },
    { method: 'POST', path: '/users/me', body: { owner, repo } },
    { method: 'POST', path: `/articles/${articleId}/language/en/like` },
    { method: 'DELETE', path: `/articles/${articleId}/language/en/like` },
    { method: 'POST', path: `/articles/${articleId}/language/en/read` },
    { method: 'DELETE', path: `/jobs/${jobId}` },
    ...[pull, `/repos/${place}`].map((about) => ({
      ...{ method: 'POST', path: `${about}/questions` },
      body: { question: 'What is new in this file?', language: 'ja' },
    })),
    ...(answerId === undefined
      ? []
      : [{ method: 'PATCH', path: `/questions/${answerId}`, body: { shared: true } }]),
  ];
  return { gets: [...gets, ...otherForms], writes };
}
