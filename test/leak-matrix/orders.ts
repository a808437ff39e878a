import { ask } from './ask.ts';
import { type Asking, askAll, emptyTally } from './asking.ts';
import type { HostColumn } from './hosts/host-column.ts';
import type { Probe } from './probe.ts';
import { isTold, type Prepared } from './repositories.ts';
import type { State } from './rights.ts';
import { anonymous } from './visitors.ts';

export const minute = 60_000;
export const hour = 60 * minute;

/** Far more than it takes on a busy machine: what is still shown then counts as a leak. */
const mostMs = 60_000;

/** How long lists go by what a host said, in these services. */
const confirmedWithinMs = 24 * hour;

/** What is read first after something has become of repositories that everybody has read about. */
export const orders = [
  'details first',
  'lists first',
  'lists kept in memory',
  'confirmed in the background',
  'told by webhooks',
] as const;
export type Order = (typeof orders)[number];

export const isList = ({ isDetail }: Probe): boolean => !isDetail;

/** Whether there is something to see in this order: of some of what happens a host sends nothing. */
export const happensIn = (order: Order, { newsOf, owner }: HostColumn, state: State): boolean =>
  order !== 'told by webhooks' ||
  newsOf(state, { id: 1, owner, name: 'any', words: '', author: '', members: [] }, 1) !== undefined;

/** What was heard by the database is told to memory a moment later. */
export async function untilHeard({ answering }: Asking, all: Prepared[]): Promise<void> {
  const front = { method: 'GET', path: '/articles?limit=100', isDetail: false, route: '/articles' };
  const pages = [front, { ...front, path: '/ranking/articles/likes?limit=100' }, { ...front, path: '/' }];
  const end = performance.now() + mostMs;
  for (const prepared of all.filter((one) => !isTold(one, anonymous)))
    for (const page of pages)
      while ((await ask(answering, anonymous, page, prepared)).tells && performance.now() < end);
}

/** Has a process told of all of it, and waits until the one that answers no longer keeps it in memory. */
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

/** Lets time pass until those who come have to be told the truth, in the way of an order. */
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
