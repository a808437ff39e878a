import { test } from 'node:test';
import { parseArgs } from 'node:util';
import type { Choose } from '../test/leak-matrix/asking.ts';
import { buildBeside, buildMatrixApp, type Choice, choices } from '../test/leak-matrix/build-matrix-app.ts';
import { orders } from '../test/leak-matrix/orders.ts';
import { states } from '../test/leak-matrix/rights.ts';
import { type Count, runMatrix } from '../test/leak-matrix/run-matrix.ts';
import { startPostgres } from '../test/postgres.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

// Looks for repositories shown to viewers without access: every route in every form and spelling, asked by all viewers,
// about repositories that are private, became private, were deleted or replaced, or whose host fell silent, blocked a
// member or revoked their token. Starting with details, with lists that no viewer has confirmed, with cached lists,
// after a background round, and directly after a webhook. GitHub, GitLab and Gitea each alone, then all of them and
// clones in one service, where another host has a public repository of the same owner, name and number. With one
// process, and with two that share a PostgreSQL: webhooks and writes go to one and requests to the other. Prints the
// number of questions by kind, of leaks, and of responses to viewers with access.
// Usage: node bench/leak-matrix.ts [--processes 1|2] [--host github|gitlab|gitea|several] [--right RIGHT] [--order ORDER] [--route ROUTE] [--simply],
// such as 'turned private', 'told by webhooks', and /mcp. Each may be named several times; --simply asks each question
// in one form only.

const { values } = parseArgs({
  options: {
    ...{ processes: { type: 'string', multiple: true }, host: { type: 'string', multiple: true } },
    ...{ right: { type: 'string', multiple: true }, order: { type: 'string', multiple: true } },
    ...{ route: { type: 'string', multiple: true }, simply: { type: 'boolean' } },
  },
});
const { route: beginnings = [''] } = values;

function chosen<One extends string>(
  known: readonly One[],
  name: 'processes' | 'host' | 'right' | 'order',
): One[] {
  const named: string[] = values[name] ?? [...known];
  const unknown = named.filter((one) => !known.some((other) => other === one));
  if (unknown.length > 0)
    throw new Error(`--${name} ${unknown.join()} is not known; known are: ${known.join(', ')}.`);
  return known.filter((one) => named.includes(one));
}

const choose: Choose = (probes) =>
  probes.filter(
    ({ route, method, accept }) =>
      beginnings.some((one) => route.startsWith(one)) &&
      !(values.simply && (method === 'HEAD' || accept !== undefined)),
  );
const choice = values.route || values.simply ? { choose } : {};
const wanted = { inOrders: chosen(orders, 'order'), inStates: chosen(states, 'right'), ...choice };

const sum = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);

function print(heading: string, counts: Count[], seconds: number): void {
  const leaks = counts.flatMap((count) => count.leaks);
  const probes = sum(counts.map((count) => count.probes));
  console.log(`${heading}: ${leaks.length} leaks in ${probes} probes, ${seconds} s`);
  console.table(
    counts.map(({ host, state, order, probes: asked, leaks: { length }, told }) => ({
      ...{ host, right: state, order },
      ...{ probes: asked, leaks: length, told },
    })),
  );
  const byRoute = new Map<string, number>();
  for (const [route, asked] of counts.flatMap((count) => [...count.byRoute]))
    byRoute.set(route, (byRoute.get(route) ?? 0) + asked);
  console.table([...byRoute].sort().map(([route, asked]) => ({ 'what was asked': route, probes: asked })));
  for (const leak of leaks.slice(0, 20)) console.log(leak);
}

async function run(processes: string, host: Choice): Promise<boolean> {
  const server = processes === '2' ? await startPostgres() : null;
  const database = { PULLQUOTE_DATA: temporaryFolder(), ...(server && { DATABASE_URL: server.url }) };
  const on = await buildMatrixApp(host, database);
  const { app, environment } = on;
  const start = performance.now();
  const beside = server ? await buildBeside(app, { database, environment }) : null;
  const onCount = (count: Count) =>
    process.stderr.write(
      `processes: ${processes}, ${host}, ${count.host}, ${count.order}, ${count.state}: ${count.leaks.length} leaks, ${count.told} told, ${count.probes} probes\n`,
    );
  const counts = await runMatrix(on, { ...wanted, onCount, ...(beside && { answering: beside }) });
  const seconds = Math.round((performance.now() - start) / 1000);
  await beside?.close();
  await app.close();
  await server?.stop();
  print(`processes: ${processes}, ${host}`, counts, seconds);
  return counts.some(({ leaks }) => leaks.length > 0);
}

// The stand-ins of hosts end with the test that started them.
test('the bench', async () => {
  let hasLeaks = false;
  for (const processes of chosen(['1', '2'], 'processes'))
    for (const host of chosen(choices, 'host')) hasLeaks = (await run(processes, host)) || hasLeaks;
  process.exitCode = hasLeaks ? 1 : 0;
});
