import type { TestApp } from '../build-app.ts';
import type { GitHubApp } from '../github/build-github-app.ts';
import { pull, repository, type StandInRepository, shaOf } from '../github/state.ts';
import { waitUntil } from '../wait-until.ts';
import type { Written } from './questions.ts';

/** The owner may see everything at all times; the former member could, once; the stranger never could, but what was public. */
export const viewers = ['anonymous', 'stranger', 'owner', 'former'] as const;
export type Viewer = (typeof viewers)[number];

export const tokenOf = (viewer: Viewer): string | undefined =>
  viewer === 'anonymous' ? undefined : `ghp_tokenOf${viewer}`;

const feedSecrets = new Map<Viewer, string>();

/** The secret of a viewer's own feed; who has none guesses one. */
export const feedSecretOf = (viewer: Viewer): string => feedSecrets.get(viewer) ?? `pqf_${'a'.repeat(43)}`;

/** Makes a feed of their own for those who have signed up. */
export async function makeOwnFeeds(app: TestApp): Promise<void> {
  for (const viewer of viewers.filter((one) => tokenOf(one) !== undefined)) {
    const { body } = await app.call('POST', '/users/me/feed-address', { token: tokenOf(viewer) });
    feedSecrets.set(viewer, /pqf_[\w-]+/.exec(body.data.atomUrl)?.[0] ?? '');
  }
}

/** Who has it among their favorites, and watches it. */
export const follows = (viewer: Viewer): boolean => viewer === 'owner' || viewer === 'former';

/** What becomes of a repository that was written about. */
export const states = ['public', 'private', 'turned private', 'deleted', 'replaced', 'silent'] as const;
export type State = (typeof states)[number];

/** Who may be told of it then. */
export const maySee: Record<State, readonly Viewer[]> = {
  public: viewers,
  private: ['owner'],
  'turned private': ['owner'],
  deleted: [],
  replaced: [],
  silent: [],
};

export interface Prepared extends Written {
  state: State;
  on: StandInRepository;
  /** Words that stand in everything about it, but not in its name. */
  canary: string;
}

let ids = 1_000;

/** A repository that its owner and a former member have had written about, have read and like, and watch. */
export async function prepare({ app, github }: GitHubApp, state: State): Promise<Prepared> {
  ids += 1;
  const [repo, canary, author] = [`zoo-${ids}`, `canary-${ids}`, `mona-${ids}`];
  const mergedAt = '2026-03-01T12:00:00Z';
  const on = repository(ids, `acme/${repo}`, {
    visibility: state === 'private' ? 'private' : 'public',
    visibleTo: new Set(['owner', 'former', 'service']),
    pulls: [
      pull(1, canary, {
        author,
        state: 'closed',
        mergedAt,
        updatedAt: mergedAt,
        mergeCommitSha: shaOf('v2'),
      }),
    ],
    history: {
      refs: { v1: shaOf('v1'), v2: shaOf('v2') },
      tags: ['v2', 'v1', canary],
      commits: [
        { sha: shaOf('v1'), parents: [], message: 'Begin' },
        { sha: shaOf('v2'), parents: [shaOf('v1')], message: `feat: tell of ${canary} (#1)` },
      ],
    },
  });
  github.state.repositories.push(on);
  const prepared: Prepared = {
    ...{ state, on, canary, owner: 'acme', repo },
    ...{ author, articleId: '', jobId: '', sentence: '', importIds: [], card: '', favoriteIds: [] },
  };
  const path = `/repos/acme/${repo}/pulls/1/article`;
  for (const viewer of ['owner', 'former'] as const) {
    const token = tokenOf(viewer);
    const asked = { token, body: { language: 'en' } };
    const later = await app.call('POST', path, { ...asked, headers: { prefer: 'respond-async' } });
    if (later.status === 202) prepared.jobId = later.body.data.id;
    const written = await app.call('POST', path, asked);
    if (written.status >= 300) throw new Error(`${path} answered ${written.status}: ${written.text}`);
    prepared.articleId = written.body.data.id;
    prepared.sentence = written.body.data.contents.en.mainChanges[0].statements[0].id;
    const added = await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
    const watch = `/users/me/favorite-repositories/${added.body.data.id}/watch`;
    await app.call('PUT', watch, { token, body: { language: 'en' } });
    prepared.favoriteIds.push(added.body.data.id);
    for (const mark of ['like', 'read'])
      await app.call('POST', `/articles/${prepared.articleId}/language/en/${mark}`, { token });
    prepared.importIds.push(await imported(app, repo, token));
  }
  const page = await app.call('GET', `/r/acme/${repo}/1`, { token: tokenOf('owner') });
  prepared.card = /property="og:image" content="[^"]*(\/cards\/[^"]+)"/.exec(page.text)?.[1] ?? '';
  return prepared;
}

/** An import of what stands already, which is over. */
async function imported(app: TestApp, repo: string, token: string | undefined): Promise<string> {
  const body = { numbers: [1], language: 'en' };
  const begun = await app.call('POST', `/repos/acme/${repo}/import`, { token, body });
  if (begun.status !== 202) throw new Error(`An import was answered ${begun.status}: ${begun.text}`);
  const { id } = begun.body.data;
  await waitUntil('the import is done', async () => {
    const { body: job } = await app.call('GET', `/jobs/${id}`, { token });
    return job.data.state === 'done';
  });
  return id;
}

/** Lets it become what it becomes. */
export function turn({ github }: GitHubApp, { state, on }: Prepared): void {
  const { repositories } = github.state;
  on.visibleTo.delete('former');
  if (state === 'turned private') on.visibility = 'private';
  if (state !== 'deleted' && state !== 'replaced') return;
  repositories.splice(repositories.indexOf(on), 1);
  ids += 1;
  if (state === 'replaced')
    repositories.push(repository(ids, `${on.owner}/${on.name}`, { pulls: [pull(1, 'the newcomer')] }));
}

/** Has GitHub not answer about some of them, until that is taken back. */
export function silence({ github }: GitHubApp, prepared: Prepared[]): () => void {
  const numbers = prepared.map(({ on }) => `/repositories/${on.id}\\b`);
  const names = prepared.map(({ repo }) => `/repos/acme/${repo}\\b`);
  const about = new RegExp(`^(?:${[...numbers, ...names].join('|')})`, 'i');
  return github.script(about, (response) => void response.destroy());
}
