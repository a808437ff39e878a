import { ask } from './ask.ts';
import { type Asking, askAll, emptyTally } from './asking.ts';
import type { HostColumn } from './hosts/host-column.ts';
import type { Probe } from './probe.ts';
import { isTold, type Prepared } from './repositories.ts';
import type { State } from './rights.ts';
import { anonymous } from './visitors.ts';

export const minute = 60_000;
export const hour = 60 * minute;

/** The time after which anything still visible counts as a leak: much longer than needed, even on a busy machine. */
const mostMs = 60_000;

/** LIST_HOURS of these services. */
const confirmedWithinMs = 24 * hour;

/** The first reads after a change of repositories that every viewer has read. */
export const orders = [
  'details first',
  'lists first',
  'lists kept in memory',
  'confirmed in the background',
  'told by webhooks',
] as const;
export type Order = (typeof orders)[number];

export const isList = ({ isDetail }: Probe): boolean => !isDetail;

/** Whether an order makes sense for a change: hosts send no event about some changes. */
export const happensIn = (order: Order, { newsOf, owner }: HostColumn, state: State): boolean =>
  order !== 'told by webhooks' ||
  newsOf(state, { id: 1, owner, name: 'any', words: '', author: '', members: [] }, 1) !== undefined;

/** A notification reaches the cache slightly after the database. */
export async function untilHeard({ answering }: Asking, all: Prepared[]): Promise<void> {
  const front = { method: 'GET', path: '/articles?limit=100', isDetail: false, route: '/articles' };
  const pages = [front, { ...front, path: '/ranking/articles/likes?limit=100' }, { ...front, path: '/' }];
  const end = performance.now() + mostMs;
  for (const prepared of all.filter((one) => !isTold(one, anonymous)))
    for (const page of pages)
      while ((await ask(answering, anonymous, page, prepared)).tells && performance.now() < end);
}

/** Sends all events to a process, and waits until the responding process no longer caches their repositories. */
async function tellByWebhooks({ app, answering }: Asking, all: Prepared[]): Promise<void> {
  app.advance(1_000);
  for (const { column, state, on, shutOut } of all) {
    const news = column.newsOf(state, on, shutOut === null ? undefined : column.accountId(shutOut));
    const status = news && (await column.deliver(app.server, news));
    if (status !== 202) throw new Error(`${column.id} was answered ${status} to ${JSON.stringify(news)}`);
  }
  app.advance(1);
  const end = performance.now() + mostMs;
  for (const prepared of all) {
    const path = `/articles/${prepared.articleId}`;
    const kept = { method: 'GET', path, isDetail: true, route: '/articles/:articleId' };
    for (const visitor of prepared.visitors.filter((one) => !isTold(prepared, one)))
      while ((await ask(answering, visitor, kept, prepared)).status < 400 && performance.now() < end);
  }
}

/** Lets time pass, as an order requires, until responses must be right. */
export async function letTimePass(asking: Asking, all: Prepared[], order: Order): Promise<void> {
  const { app } = asking;
  if (order === 'details first') app.advance(5 * minute);
  if (order === 'lists first') app.advance(confirmedWithinMs);
  if (order === 'lists kept in memory') {
    app.advance(confirmedWithinMs - 1_000);
    for (const prepared of all) await askAll(asking, prepared, isList, emptyTally());
    app.advance(1_000);
  }
  if (order === 'told by webhooks') await tellByWebhooks(asking, all);
  if (order === 'confirmed in the background') {
    const columns = [...new Set(all.map(({ column }) => column))];
    const takeCalls = () => columns.flatMap((column) => column.takeCalls());
    const end = app.now().getTime() + confirmedWithinMs;
    app.advance(confirmedWithinMs - 3 * hour);
    do {
      takeCalls();
      await app.lists.run();
      app.advance(minute);
    } while (takeCalls().length > 0);
    app.advance(end - app.now().getTime());
  }
}
