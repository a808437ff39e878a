import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { buildBeside, buildGitHubApp } from '../test/github/build-github-app.ts';
import { webhookSecret } from '../test/github/deliver.ts';
import type { Probe } from '../test/leak-matrix/questions.ts';
import { type Count, orders, runMatrix } from '../test/leak-matrix/run-matrix.ts';
import { startPostgres } from '../test/postgres.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

// Who is told of repositories that they may not see: every route that the router has, in every form and spelling, asked by
// everybody, after repositories of GitHub turned private, were deleted or replaced, or GitHub fell silent; beginning with
// details, with lists that no viewer has confirmed, with lists that memory keeps, after the background has had its turn, and at
// once when GitHub sends webhooks. On PostgreSQL a process answers that is told of nothing: webhooks and writes go to another.
// Prints how many questions were asked, of which kind, how many answers told too much, and how many told those who may know.
// Usage: node bench/leak-matrix.ts [--only postgres|embedded] [--order ORDER] [--route ROUTE], such as 'told by webhooks', and /mcp

const { values } = parseArgs({
  options: { only: { type: 'string' }, order: { type: 'string' }, route: { type: 'string' } },
});
/** What the addresses of all that is asked begin with, where it is not everything. */
const { route: beginning } = values;
const choice =
  beginning === undefined
    ? {}
    : { choose: (probes: Probe[]) => probes.filter(({ route }) => route.startsWith(beginning)) };
const inOrders = orders.filter((order) => (values.order ?? order) === order);
let hasLeaks = false;

// The stand-in of GitHub ends with the test that it was started in.
test('the bench', async () => {
  for (const kind of ['embedded', 'postgres'].filter((one) => (values.only ?? one) === one)) {
    const server = kind === 'postgres' ? await startPostgres() : null;
    const database = { PULLQUOTE_DATA: temporaryFolder(), ...(server && { DATABASE_URL: server.url }) };
    const environment = {
      GITHUB_TOKEN: 'ghp_tokenOfservice',
      GITHUB_WEBHOOK_SECRETS: webhookSecret,
      PUBLIC_URL: 'https://pullquote.example',
    };
    const on = await buildGitHubApp({ database, environment });
    const start = performance.now();
    const beside = server ? await buildBeside(on, { database, environment }) : null;
    const onCount = ({ order, state, probes, told, leaks }: Count) =>
      process.stderr.write(
        `${kind}, ${order}, ${state}: ${leaks.length} leaks, ${told} told, ${probes} probes\n`,
      );
    const counts = await runMatrix(on, { inOrders, onCount, ...choice, ...(beside && { app: beside }) });
    const seconds = Math.round((performance.now() - start) / 1000);
    await beside?.close();
    await on.app.close();
    await server?.stop();
    const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
    const leaks = counts.flatMap((count) => count.leaks);
    console.log(
      `${kind}: ${leaks.length} leaks in ${sum(counts.map(({ probes }) => probes))} probes, ${seconds} s`,
    );
    console.table(
      counts.map(({ order, state, probes, told, leaks: { length } }) => ({
        order,
        state,
        probes,
        leaks: length,
        told,
      })),
    );
    const byRoute = new Map<string, number>();
    for (const [route, probes] of counts.flatMap((count) => [...count.byRoute]))
      byRoute.set(route, (byRoute.get(route) ?? 0) + probes);
    console.table([...byRoute].sort().map(([route, probes]) => ({ 'what was asked': route, probes })));
    for (const leak of leaks.slice(0, 20)) console.log(leak);
    hasLeaks ||= leaks.length > 0;
  }
  process.exitCode = hasLeaks ? 1 : 0;
});
