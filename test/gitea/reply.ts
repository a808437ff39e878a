import type { StandInAccount } from './state.ts';

export interface Asked {
  /** The path below the address of the API. */
  path: string;
  query: URLSearchParams;
  account: StandInAccount | null;
  token: string | undefined;
  /** The largest page size. */
  mostItems: number;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export const refusal = (status: number, message: string): Reply => ({
  status,
  body: { message, url: 'https://gitea.example/api/swagger' },
});
export const notFound = refusal(404, 'not found');

/** Gitea gives the total of every list, and a link to the next page for some. */
export function pageOf<Item>(
  { query, path, mostItems }: Asked,
  items: Item[],
  describeItem: (item: Item, index: number) => unknown,
  { isLinked = false } = {},
): Reply {
  const size = Math.min(Number(query.get('limit') ?? 30), mostItems);
  const page = Number(query.get('page') ?? 1);
  const isLast = page * size >= items.length;
  return {
    status: 200,
    headers: {
      'x-total-count': String(items.length),
      ...(isLinked && !isLast && { link: `<https://any/api/v1${path}?page=${page + 1}>; rel="next"` }),
    },
    body: items.slice((page - 1) * size, page * size).map(describeItem),
  };
}
