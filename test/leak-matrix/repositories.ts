import type { TestApp } from '../build-app.ts';
import { makeParagraphs } from '../make-paragraphs.ts';
import { waitUntil } from '../wait-until.ts';
import type { HostColumn, MatrixRepository, Shelf } from './hosts/host-column.ts';
import type { Written } from './probe.ts';
import { askersOf, isShutOut, maySee, type State } from './rights.ts';
import { anonymous, inSession, join, type Visitor } from './visitors.ts';

/** A host with its accounts. */
export interface Place {
  column: HostColumn;
  visitors: Visitor[];
  /** A host with a public repository of the same owner, name and number; null with a single host. */
  twins: { shelf: Shelf; namesake: Visitor } | null;
}

export interface Prepared extends Written {
  state: State;
  column: HostColumn;
  on: MatrixRepository;
  /** Words in everything about it, but not in its name. */
  canary: string;
  /** Whether another host has one of the same name. */
  hasTwin: boolean;
  /** The viewers. */
  visitors: Visitor[];
  /** The login of the member whom the host blocks. */
  shutOut: string | null;
}

export const isTold = ({ state, hasTwin }: Prepared, { viewer }: Visitor): boolean =>
  maySee[state].includes(viewer) && !(hasTwin && viewer === 'namesake' && state !== 'public');

let ids = 1_000;

/** A repository with articles that its owner and a member requested, read, liked and followed. */
export async function prepare(app: TestApp, place: Place, state: State): Promise<Prepared> {
  const { column, twins } = place;
  ids += 1;
  const [repo, canary, author] = [`zoo-${ids}`, `canary-${ids}`, `mona-${ids}`];
  const shutOut = isShutOut(state) ? `shutout${ids}` : null;
  const member = shutOut ?? 'former';
  const on: MatrixRepository = {
    ...{ id: ids, owner: column.owner, name: repo, words: canary, author },
    members: ['owner', member, 'service'],
  };
  const visitors = [...(await askersAbout(app, place, { state, shutOut }))];
  if (twins) visitors.push(twins.namesake);
  column.add(on);
  if (state === 'internal') column.show(on, 'accounts');
  if (state === 'private' || isShutOut(state)) column.show(on, 'members');
  if (state === 'members only') column.showPullRequests(on, 'members');
  if (state === 'code off') column.closeCode(on);
  if (twins) await addTwin(app, twins, on);
  const prepared: Prepared = {
    ...{ state, column, on, canary, owner: column.owner, repo, visitors, shutOut },
    ...{ host: twins && column.id, hasTwin: twins !== null },
    ...{ author, articleId: '', jobId: '', sentence: '', importIds: [], card: '', favoriteIds: [] },
    ...{ answerIds: [], questionJobIds: [] },
  };
  for (const viewer of ['owner', shutOut ? 'shut out' : 'former'])
    await haveWritten(app, prepared, visitors.find((one) => one.viewer === viewer) ?? anonymous);
  const owner = visitors.find(({ viewer }) => viewer === 'owner');
  const page = await app.call('GET', `/r/${placeOf(on)}/1?host=${column.id}`, { token: owner?.token });
  prepared.card = /property="og:image" content="[^"]*(\/cards\/[^"]+)"/.exec(page.text)?.[1] ?? '';
  return prepared;
}

const placeOf = ({ owner, name }: MatrixRepository): string => `${encodeURIComponent(owner)}/${name}`;

async function askersAbout(
  app: TestApp,
  { column, visitors }: Place,
  { state, shutOut }: { state: State; shutOut: string | null },
): Promise<Visitor[]> {
  const askers = [anonymous, ...visitors].filter(({ viewer }) => askersOf(state).includes(viewer));
  if (shutOut === null) return askers;
  const joined = await join(app, column, 'shut out', shutOut);
  return [...askers, joined, await inSession(app, joined)];
}

/** Writes about and likes a repository of the same name on another host. */
async function addTwin(
  app: TestApp,
  { shelf, namesake: { token } }: NonNullable<Place['twins']>,
  { words, author, ...repository }: MatrixRepository,
): Promise<void> {
  const twin = { ...repository, words: words.replace('canary', 'twin'), author: `${author}-twin` };
  shelf.add(twin);
  const path = `/repos/${placeOf(twin)}/pulls/1/article?host=${shelf.id}`;
  const { status, text, body } = await app.call('POST', path, { token, body: { language: 'en' } });
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`);
  await app.call('POST', `/articles/${body.data.id}/language/en/like`, { token });
}

/** Writes about it as a member, then reads, likes, follows and imports it. */
async function haveWritten(app: TestApp, prepared: Prepared, { token }: Visitor): Promise<void> {
  const { on, column, owner, repo } = prepared;
  const path = `/repos/${placeOf(on)}/pulls/1/article?host=${column.id}`;
  const asked = { token, body: { language: 'en' } };
  const later = await app.call('POST', path, { ...asked, headers: { prefer: 'respond-async' } });
  if (later.status === 202) prepared.jobId = later.body.data.id;
  const written = await app.call('POST', path, asked);
  if (written.status >= 300) throw new Error(`${path} answered ${written.status}: ${written.text}`);
  prepared.articleId = written.body.data.id;
  prepared.sentence = 'change-1';
  // The end of the periods that digests are asked for.
  const end = new Date('2026-03-02');
  const periodEnds = (['daily', 'weekly'] as const).map((period) => ({ period, end }));
  await makeParagraphs(app, { articleId: prepared.articleId, words: prepared.canary, periodEnds });
  const added = await app.call('POST', `/users/me?host=${column.id}`, { token, body: { owner, repo } });
  const watch = `/users/me/favorite-repositories/${added.body.data.id}/watch`;
  await app.call('PUT', watch, { token, body: { language: 'en' } });
  prepared.favoriteIds.push(added.body.data.id);
  for (const mark of ['like', 'read'])
    await app.call('POST', `/articles/${prepared.articleId}/language/en/${mark}`, { token });
  await haveAnswered(app, prepared, token);
  prepared.importIds.push(await imported(app, prepared, token));
}

/** Asks about the pull request and the repository, and shares the answers. */
async function haveAnswered(
  app: TestApp,
  { on, column, answerIds, questionJobIds }: Prepared,
  token: string | undefined,
): Promise<void> {
  for (const about of ['pulls/1/questions', 'questions']) {
    const path = `/repos/${placeOf(on)}/${about}?host=${column.id}`;
    const asked = { token, body: { question: 'What is new in this file?', language: 'en' } };
    const later = await app.call('POST', path, { ...asked, headers: { prefer: 'respond-async' } });
    if (later.status === 202) questionJobIds.push(later.body.data.id);
    const answered = await app.call('POST', path, asked);
    if (answered.status >= 300) throw new Error(`${path} answered ${answered.status}: ${answered.text}`);
    const { id, own } = answered.body.data;
    answerIds.push(id);
    if (own) await app.call('PATCH', `/questions/${id}`, { token, body: { shared: true } });
  }
}

/** A finished import of articles that exist already. */
async function imported(app: TestApp, { on, column }: Prepared, token: string | undefined): Promise<string> {
  const body = { numbers: [1], language: 'en' };
  const path = `/repos/${placeOf(on)}/import?host=${column.id}`;
  const begun = await app.call('POST', path, { token, body });
  if (begun.status !== 202) throw new Error(`An import was answered ${begun.status}: ${begun.text}`);
  const { id } = begun.body.data;
  await waitUntil('the import is done', async () => {
    const { body: job } = await app.call('GET', `/jobs/${id}`, { token });
    return job.data.state === 'done';
  });
  return id;
}

/** Applies the change to the repository. */
export function turn({ column, state, on, shutOut }: Prepared): void {
  if (shutOut !== null) {
    if (state === 'blocked') column.block(shutOut);
    else column.expire(shutOut);
    return;
  }
  if (state === 'deleted' || state === 'replaced') column.remove(on);
  else column.dismiss(on, 'former');
  if (state === 'turned internal' || state === 'internal') column.show(on, 'accounts');
  if (state === 'turned private') column.show(on, 'members');
  if (state === 'turned members only') column.showPullRequests(on, 'members');
  if (state === 'code turned off') column.closeCode(on);
  if (state === 'pull requests off') column.showPullRequests(on, 'nobody');
  if (state !== 'replaced') return;
  ids += 1;
  column.add({ ...on, id: ids, words: 'the newcomer', author: 'octocat' });
}
