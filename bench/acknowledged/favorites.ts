import type { Caller } from './caller.ts';
import type { Having } from './keepers.ts';

/** Favorite repositories, which are found again by the id that they were registered with. */
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
