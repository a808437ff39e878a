export interface Users {
  url: string;
  tokens: string[];
  articles: { id: string; prNumber: number }[];
}

export interface Asked {
  what: string;
  ms: number;
  status: number;
}

const pick = <Item>(items: Item[]): Item | undefined => items[Math.floor(Math.random() * items.length)];

const words = ['item', 'weight', 'costs', 'price', 'heavy', 'euro'];

interface Kind {
  share: number;
  method?: 'GET' | 'POST' | 'DELETE';
  path: (users: Users) => string;
  body?: () => object;
}

const pulls = '/repos/acme/shop/pulls';
const likePath = ({ articles }: Users): string => `/articles/${pick(articles)?.id}/language/en/like`;
const question = (): object => ({
  question: `What about ${pick(words)} ${Math.floor(Math.random() * 1_000)}?`,
});

/** A new article is expensive, as is an answer; most requests read. */
const kinds: Record<string, Kind> = {
  article: { share: 30, path: ({ articles }) => `/articles/${pick(articles)?.id}` },
  page: { share: 20, path: ({ articles }) => `/r/acme/shop/${pick(articles)?.prNumber}` },
  ranking: { share: 10, path: () => '/ranking/articles/likes?period=weekly' },
  list: { share: 10, path: () => '/articles?limit=20' },
  like: { share: 15, method: 'POST', path: likePath },
  unlike: { share: 5, method: 'DELETE', path: likePath },
  search: { share: 7, path: () => `/search?q=${pick(words)}` },
  question: {
    share: 1,
    method: 'POST',
    path: ({ articles }) => `${pulls}/${pick(articles)?.prNumber}/questions`,
    body: question,
  },
  write: {
    share: 2,
    method: 'POST',
    path: () => `${pulls}/${1 + Math.floor(Math.random() * 3_000)}/article`,
    body: () => ({ language: 'en' }),
  },
};

const drawn = Object.entries(kinds).flatMap(([what, { share }]) => Array<string>(share).fill(what));

async function send({ url }: Pick<Users, 'url'>, token = '', path = '/', method = 'GET', body?: object) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const response = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

export const post = (url: string, token: string | undefined, path: string, body?: object) =>
  send({ url }, token, path, 'POST', body);

/** Sends one random request as a random user. A status of 0 is a lost connection. */
export async function askSomething(users: Users): Promise<Asked> {
  const what = pick(drawn) ?? '';
  const { method, path, body } = kinds[what] ?? {};
  const start = performance.now();
  const { status } = await send(users, pick(users.tokens), path?.(users), method, body?.()).catch(() => ({
    status: 0,
  }));
  return { what, ms: performance.now() - start, status };
}

export async function readArticles(users: Users): Promise<Users['articles']> {
  const { text } = await send(users, users.tokens[0], '/articles?limit=100');
  const { data }: { data: { items: { articleId: string; prNumber: number }[] } } = JSON.parse(text);
  return data.items.map(({ articleId, prNumber }) => ({ id: articleId, prNumber }));
}
