import { sql } from '../../src/db/sql.ts';
import type { TestApp } from '../build-app.ts';
import type { GitHubApp } from '../github/build-github-app.ts';
import { deliver } from '../github/deliver.ts';
import { ask } from './ask.ts';
import { type Probe, plainReads, readsAbout, writesAbout } from './questions.ts';
import {
  follows,
  makeOwnFeeds,
  maySee,
  type Prepared,
  prepare,
  type State,
  silence,
  states,
  tokenOf,
  turn,
  type Viewer,
  viewers,
} from './repositories.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How long lists go by what a host said, in these services. */
const listedForMs = 24 * hour;

/** What is read first after something has become of repositories that everybody has read about. */
export const orders = [
  'details first',
  'lists first',
  'lists kept in memory',
  'confirmed in the background',
  'told by webhooks',
] as const;
export type Order = (typeof orders)[number];

export interface Count {
  state: State;
  order: Order;
  probes: number;
  /** The same by what was asked. */
  byRoute: Map<string, number>;
  /** Answers that told something to those who may know it. */
  told: number;
  leaks: string[];
}

/** Which of the questions are asked, to ask fewer of them; each then in its simplest form. */
export type Choose = (probes: Probe[]) => Probe[];
const chooseAll: Choose = (probes) => probes;

interface Asking {
  on: GitHubApp;
  /** The process that answers, which may be another than the one that is told by webhooks. */
  app: TestApp;
  /** What becomes of the repositories. */
  inStates: readonly State[];
  choose: Choose;
  /** Routes that tell a viewer of a repository, which are asked in every form; none where questions are chosen. */
  telling: Set<string>;
  /** What each viewer's answers were tagged with while they told of a repository. */
  tags: Map<string, string>;
}

/** By the repository, too: what tells of another one that the viewer may see is no leak of this one. */
const keyOf = (viewer: Viewer, { method, path, accept = '' }: Probe, { canary }: Prepared) =>
  [viewer, method, path, accept, canary].join(' ');

/** The name of one that was replaced is another's now. */
const isAboutAnother = ({ path, body }: Probe, { state, repo }: Prepared): boolean =>
  state === 'replaced' && `${path} ${JSON.stringify(body)}`.toLowerCase().includes(repo);

function countProbe(count: Count, route: string): void {
  count.probes += 1;
  count.byRoute.set(route, (count.byRoute.get(route) ?? 0) + 1);
}

const nothingOf = (state: State, order: Order): Count => ({
  ...{ state, order, probes: 0, told: 0 },
  byRoute: new Map(),
  leaks: [],
});

/** Asks as everybody at once, because answers are looked up together and kept, and counts those that tell too much. */
async function askAll(
  asking: Asking,
  prepared: Prepared,
  which: (probe: Probe) => boolean,
  count: Count,
): Promise<void> {
  const { on, app, choose, tags, telling } = asking;
  const reads = choose(readsAbout(on.app.server, prepared, telling));
  // What is written about another of the same name could not be told from what stands.
  const writes = choose(writesAbout(on.app.server, prepared)).filter(
    (probe) => !isAboutAnother(probe, prepared),
  );
  const askAs = async (viewer: Viewer): Promise<void> => {
    const isAllowed = maySee[prepared.state].includes(viewer);
    const asked = (isAllowed ? reads : [...reads, ...writes]).filter(
      (probe) => which(probe) && !(probe.isOfOthers && follows(viewer)),
    );
    for (const probe of asked) {
      const tag = tags.get(keyOf(viewer, probe, prepared));
      for (const known of tag === undefined ? [undefined] : [undefined, tag]) {
        const { status, tells } = await ask(app, viewer, probe, prepared, known);
        countProbe(count, `${probe.method === 'HEAD' ? 'GET' : probe.method} ${probe.route}`);
        const isSame = known !== undefined && status === 304;
        if (isAllowed) count.told += Number(tells || isSame);
        else if (tells || isSame || (probe.isDetail && status < 400 && !isAboutAnother(probe, prepared)))
          count.leaks.push(
            `${viewer}: ${probe.method} ${probe.path} ${probe.accept ?? ''} ${status} ${known ?? ''}`,
          );
      }
    }
  };
  await Promise.all(viewers.map(askAs));
}

/** Has those who follow it mark everything as read, in both ways. What they may not see must not be marked. */
async function markAllRead({ on, app }: Asking, { state, articleId }: Prepared, count: Count | undefined) {
  for (const viewer of viewers.filter((one) => count && follows(one)))
    for (const path of ['/users/me/feed/read', '/new/read']) {
      await on.app.database.query(sql`DELETE FROM read_marks WHERE article_id = ${articleId}`);
      const token = tokenOf(viewer);
      const until = on.app.now().toISOString();
      const headers = { origin: new URL(app.config.publicUrl ?? app.url).origin };
      const { status, text } = await app.call('POST', path, { token, body: { until }, headers });
      if (status >= 400) throw new Error(`${path} answered ${status}: ${text}`);
      const marks = await on.app.database.query(
        sql`SELECT 1 FROM read_marks WHERE article_id = ${articleId}`,
      );
      if (!count) continue;
      countProbe(count, `POST ${path}`);
      if (maySee[state].includes(viewer)) count.told += marks.length;
      else if (marks.length > 0) count.leaks.push(`${viewer}: POST ${path} marked what they may not see`);
    }
}

async function findTelling(asking: Asking, prepared: Prepared): Promise<void> {
  const askAs = async (viewer: Viewer): Promise<void> => {
    for (const probe of plainReads(asking.on.app.server, prepared)) {
      const { status, tells } = await ask(asking.on.app, viewer, probe, prepared);
      if (tells || (probe.isDetail && status < 400)) asking.telling.add(probe.route);
    }
  };
  await Promise.all(viewers.map(askAs));
}

/** Asks everything while it may be told, and remembers the tags of what tells something. */
async function rememberTags(asking: Asking, prepared: Prepared): Promise<void> {
  const reads = asking.choose(readsAbout(asking.on.app.server, prepared, asking.telling));
  const askAs = async (viewer: Viewer): Promise<void> => {
    for (const probe of reads) {
      const { tag, tells } = await ask(asking.app, viewer, probe, prepared);
      if (tag !== null && tells) asking.tags.set(keyOf(viewer, probe, prepared), tag);
    }
  };
  await Promise.all(viewers.map(askAs));
}

const isList = ({ isDetail }: Probe): boolean => !isDetail;
const isDetail = ({ isDetail: is }: Probe): boolean => is;
const isAny = (): boolean => true;

/** What was heard by the database is told to memory a moment later. */
async function untilHeard(asking: Asking, all: Prepared[]): Promise<void> {
  const front = { method: 'GET', path: '/articles?limit=100', isDetail: false, route: '/articles' };
  const pages = [front, { ...front, path: '/ranking/articles/likes?limit=100' }, { ...front, path: '/' }];
  const end = performance.now() + 5_000;
  for (const prepared of all.filter(({ state }) => maySee[state].length < viewers.length))
    for (const page of pages)
      while ((await ask(asking.app, 'anonymous', page, prepared)).tells && performance.now() < end);
}

/** What GitHub sends when something becomes of a repository. */
const eventOf: Record<State, [event: string, action: string]> = {
  public: ['repository', 'renamed'],
  private: ['member', 'removed'],
  'turned private': ['repository', 'privatized'],
  deleted: ['repository', 'deleted'],
  replaced: ['repository', 'deleted'],
  silent: ['repository', 'transferred'],
};

/** Has a process told of all of it. What the one that answers keeps in memory is to be gone within a second. */
async function tellByWebhooks({ on, app }: Asking, all: Prepared[]): Promise<void> {
  on.app.advance(1_000);
  for (const { state, on: repository } of all) {
    const [event, action] = eventOf[state];
    const status = await deliver(on.app.server, event, { action, repository: { id: repository.id } });
    if (status !== 202) throw new Error(`GitHub was answered ${status} to ${event} ${action}`);
  }
  on.app.advance(1);
  const end = performance.now() + 1_000;
  for (const prepared of all.filter(({ state }) => state !== 'public')) {
    const path = `/articles/${prepared.articleId}`;
    const kept = { method: 'GET', path, isDetail: true, route: '/articles/:articleId' };
    while ((await ask(app, 'anonymous', kept, prepared)).status < 400 && performance.now() < end);
  }
}

/** Lets time pass until those who come have to be told the truth, in the way of an order. */
async function letTimePass(asking: Asking, all: Prepared[], order: Order): Promise<void> {
  const { app, github } = asking.on;
  if (order === 'details first') app.advance(5 * minute);
  if (order === 'lists first') app.advance(listedForMs);
  if (order === 'lists kept in memory') {
    app.advance(listedForMs - 1_000);
    for (const prepared of all) await askAll(asking, prepared, isList, nothingOf('public', order));
    app.advance(1_000);
  }
  if (order === 'told by webhooks') await tellByWebhooks(asking, all);
  if (order === 'confirmed in the background') {
    const end = app.now().getTime() + listedForMs;
    app.advance(listedForMs - 3 * hour);
    do {
      github.takeCalls();
      await app.lists.run();
      app.advance(minute);
    } while (github.takeCalls().length > 0);
    app.advance(end - app.now().getTime());
  }
}

/** Everything but a host that is silent: all of them at the same time. */
async function runAnswered(asking: Asking, order: Order): Promise<Count[]> {
  const all: Prepared[] = [];
  for (const state of asking.inStates.filter((one) => one !== 'silent'))
    all.push(await prepare(asking.on, state));
  for (const prepared of asking.choose === chooseAll && asking.telling.size === 0 ? all.slice(0, 1) : [])
    await findTelling(asking, prepared);
  for (const prepared of all) await rememberTags(asking, prepared);
  for (const prepared of all) turn(asking.on, prepared);
  await letTimePass(asking, all, order);
  const counts = new Map(all.map(({ state }) => [state, nothingOf(state, order)]));
  const askEach = async (which: (probe: Probe) => boolean) => {
    for (const prepared of all) {
      const count = counts.get(prepared.state);
      if (count) await askAll(asking, prepared, which, count);
    }
  };
  if (order !== 'details first') await askEach(isList);
  await askEach(isDetail);
  await untilHeard(asking, all);
  await askEach(isList);
  for (const prepared of all) await markAllRead(asking, prepared, counts.get(prepared.state));
  return [...counts.values()];
}

/** A host that is silent from some moment on: what is known of one thing holds for an hour from the first question in vain. */
async function runSilent(asking: Asking, order: Order): Promise<Count[]> {
  if (!asking.inStates.includes('silent')) return [];
  const { app } = asking.on;
  const count = nothingOf('silent', order);
  const prepared = await prepare(asking.on, 'silent');
  await rememberTags(asking, prepared);
  const end = silence(asking.on, [prepared]);
  await letTimePass(asking, [prepared], order);
  if (order !== 'details first') await askAll(asking, prepared, isList, count);
  if (order !== 'told by webhooks') {
    await askAll(asking, prepared, isDetail, nothingOf('silent', order));
    app.advance(hour);
  }
  await untilHeard(asking, [prepared]);
  await askAll(asking, prepared, isAny, count);
  end();
  app.advance(minute);
  return [count];
}

/** Asks everything, as everybody, in every state and order, and counts the answers that tell too much. */
export async function runMatrix(
  on: GitHubApp,
  {
    inOrders = orders,
    inStates = states,
    choose = chooseAll,
    app = on.app,
    onCount = () => {},
  }: {
    inOrders?: readonly Order[];
    inStates?: readonly State[];
    choose?: Choose;
    app?: TestApp;
    /** Told of each count as soon as it is known. */
    onCount?: (count: Count) => void;
  } = {},
): Promise<Count[]> {
  for (const login of ['service', 'stranger', 'owner', 'former']) {
    const token = await on.join(login);
    // With which private repositories are imported and watched.
    await on.app.call('POST', '/auth/host-token', { token, body: { accessToken: token } });
  }
  await makeOwnFeeds(on.app);
  const counts: Count[] = [];
  const asking = { on, app, inStates, choose, telling: new Set<string>(), tags: new Map() };
  for (const order of inOrders)
    for (const run of [runAnswered, runSilent])
      for (const count of await run(asking, order)) {
        onCount(count);
        counts.push(count);
      }
  return counts;
}
