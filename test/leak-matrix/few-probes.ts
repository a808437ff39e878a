import type { Choose } from './asking.ts';

/** Every list, and one question of each other kind; bench/leak-matrix.ts asks all others, in further orders. */
const simplest =
  /^\/(?:|articles|ranking[^?]*|favorites|liked|users\/me\/[^?]*|new|a\/[^?]*|repositories|sitemap[^?]*|feeds\/[^?]+\.atom(?:\?until=[\d-]+)?|(?:search|feeds\/search\.atom)\?q=[^&A-Z]*|find\?q=[^&A-Z]*|(?:my\/)?digest(?:\?[^A-Z]*)?)$/;
/** Tools that list, and resources; a tool about one thing uses the same lookup as its operation. */
const isOfAgents = /^\/mcp (?:search_articles|list_\w+|what_changed|resources)$/;
const oneDetail = ['/articles/:articleId', '/r/:owner/:repo'];

export const chooseFew: Choose = (probes) =>
  probes.filter(
    ({ method, path, body, isDetail, route }) =>
      (isOfAgents.test(route) && !JSON.stringify(body).includes('"brief"')) ||
      (method === 'GET' &&
        (isDetail ? oneDetail.includes(route) && !path.includes('?') : simplest.test(path))),
  );
