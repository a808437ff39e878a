import type { TestApp } from '../build-app.ts';
import {
  type Asking,
  askAll,
  type Choose,
  emptyTally,
  findTelling,
  markAllRead,
  rememberTags,
  type Tally,
} from './asking.ts';
import type { HostColumn, Shelf } from './hosts/host-column.ts';
import { happensIn, hour, isList, letTimePass, minute, type Order, orders, untilHeard } from './orders.ts';
import type { Probe } from './probe.ts';
import { type Place, type Prepared, prepare, turn } from './repositories.ts';
import { type State, states } from './rights.ts';
import { join, joinLocally } from './visitors.ts';

/** A service and its hosts. */
export interface MatrixApp {
  app: TestApp;
  columns: HostColumn[];
  /** A host with the names of the first one again; null with a single host. */
  clones: Shelf | null;
}

export interface Count extends Tally {
  host: string;
  state: State;
  order: Order;
}

interface Going extends Asking {
  places: Place[];
  inStates: readonly State[];
}

const chooseAll: Choose = (probes) => probes;
const isAny = (): boolean => true;
const isDetail = ({ isDetail: is }: Probe): boolean => is;

async function prepareAll(going: Going, order: Order, which: (state: State) => boolean): Promise<Prepared[]> {
  const all: Prepared[] = [];
  for (const place of going.places)
    for (const state of place.column.states)
      if (going.inStates.includes(state) && which(state) && happensIn(order, place.column, state))
        all.push(await prepare(going.app, place, state));
  return all;
}

const countOf = ({ column, state }: Prepared, order: Order): Count => ({
  ...{ host: column.id, state, order },
  ...emptyTally(),
});

/** All states except a silent host, at the same time. */
async function runAnswered(going: Going, order: Order): Promise<Count[]> {
  const all = await prepareAll(going, order, (state) => state !== 'silent');
  for (const prepared of going.choose === chooseAll && going.telling.size === 0 ? all.slice(0, 1) : [])
    await findTelling(going, prepared);
  for (const prepared of all) await rememberTags(going, prepared);
  for (const prepared of all) turn(prepared);
  await letTimePass(going, all, order);
  const counted = all.map((prepared) => ({ prepared, count: countOf(prepared, order) }));
  const askEach = async (which: (probe: Probe) => boolean) => {
    for (const { prepared, count } of counted) await askAll(going, prepared, which, count);
  };
  if (order !== 'details first') await askEach(isList);
  await askEach(isDetail);
  await untilHeard(going, all);
  await askEach(isList);
  for (const { prepared, count } of counted) await markAllRead(going, prepared, count);
  return counted.map(({ count }) => count);
}

/** A host that becomes silent: known access lasts an hour from the first failed check. */
async function runSilent(going: Going, order: Order): Promise<Count[]> {
  const all = await prepareAll(going, order, (state) => state === 'silent');
  const counts: Count[] = [];
  for (const prepared of all) {
    const count = countOf(prepared, order);
    await rememberTags(going, prepared);
    const end = prepared.column.silence(prepared.on);
    await letTimePass(going, [prepared], order);
    if (order !== 'details first') await askAll(going, prepared, isList, count);
    if (order !== 'told by webhooks') {
      await askAll(going, prepared, isDetail, emptyTally());
      going.app.advance(hour);
    }
    await untilHeard(going, [prepared]);
    await askAll(going, prepared, isAny, count);
    end();
    going.app.advance(minute);
    counts.push(count);
  }
  return counts;
}

/** Every viewer has an account with the same login and number on each host. */
async function joinAll({ app, columns, clones }: MatrixApp): Promise<Place[]> {
  const places: Place[] = [];
  for (const column of columns) {
    // The service's own token sees everything on the host, and must show only public repositories.
    column.addAccount('service');
    const visitors = [];
    for (const viewer of ['stranger', 'owner', 'former'] as const)
      visitors.push(await join(app, column, viewer));
    const before = places.at(-1);
    const owner = before?.visitors.find(({ viewer }) => viewer === 'owner');
    const twins =
      before && owner
        ? { shelf: before.column, namesake: { ...owner, viewer: 'namesake' as const } }
        : clones && { shelf: clones, namesake: await joinLocally(app) };
    places.push({ column, visitors, twins });
  }
  return places;
}

/** Asks everything as every viewer, in every state and order, and counts the leaks. */
export async function runMatrix(
  on: MatrixApp,
  {
    inOrders = orders,
    inStates = states,
    choose = chooseAll,
    answering = on.app,
    onCount = () => {},
  }: {
    inOrders?: readonly Order[];
    inStates?: readonly State[];
    choose?: Choose;
    answering?: TestApp;
    /** Called with each count when it is known. */
    onCount?: (count: Count) => void;
  } = {},
): Promise<Count[]> {
  const counts: Count[] = [];
  const places = await joinAll(on);
  const { app } = on;
  const going = { app, answering, places, inStates, choose, telling: new Set<string>(), tags: new Map() };
  for (const order of inOrders)
    for (const run of [runAnswered, runSilent])
      for (const count of await run(going, order)) {
        onCount(count);
        counts.push(count);
      }
  return counts;
}
