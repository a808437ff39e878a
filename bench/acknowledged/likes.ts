import type { Caller } from './caller.ts';
import type { Having } from './keepers.ts';

const pageSize = 100;

interface Page {
  data: { items: { articleId: string; languageCode: string }[]; pagination: { totalItems: number } };
}

/** Likes of articles, each named "id/language/code". */
export const likesThrough = (caller: Caller, articles: readonly string[]): Having => ({
  kind: 'likes',
  things: articles,
  async add(token, article) {
    const path = `/articles/${article}/like`;
    return (await caller.call({ kind: 'likes', method: 'POST', path, token }))?.isOk ? 'liked' : null;
  },
  async remove(token, article) {
    const path = `/articles/${article}/like`;
    return (await caller.call({ kind: 'likes taken back', method: 'DELETE', path, token }))?.isOk ?? false;
  },
  async find(token) {
    const liked = new Map<string, string>();
    for (let offset = 0, total = 1; offset < total; offset += pageSize) {
      const { text } = await caller.look(
        `/users/me/liked-articles?limit=${pageSize}&offset=${offset}`,
        token,
      );
      const { data }: Page = JSON.parse(text);
      total = data.pagination.totalItems;
      for (const { articleId, languageCode } of data.items)
        liked.set(`${articleId}/language/${languageCode}`, 'liked');
    }
    return liked;
  },
});

/** Favorite repositories, identified by the id that they were registered with. */
export const favoritesThrough = (caller: Caller, owner: string, repositories: readonly string[]): Having => ({
  kind: 'favorites',
  things: repositories,
  async add(token, repo) {
    const body = { owner, repo };
    const answer = await caller.call({ kind: 'favorites', method: 'POST', path: '/users/me', token, body });
    if (!answer?.isOk) return null;
    const { data }: { data: { id: string } } = JSON.parse(answer.text);
    return data.id;
  },
  async remove(token, _repo, id) {
    const path = `/users/me/favorite-repositories/${id}`;
    return (await caller.call({ kind: 'favorites removed', method: 'DELETE', path, token }))?.isOk ?? false;
  },
  async find(token) {
    const { text } = await caller.look('/users/me/favorite-repositories?limit=100', token);
    const { data }: { data: { items: { id: string; repo: string }[] } } = JSON.parse(text);
    return new Map(data.items.map(({ id, repo }) => [repo, id]));
  },
});
