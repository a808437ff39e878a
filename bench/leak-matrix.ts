import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { buildGitHubApp } from '../test/github/build-github-app.ts';
import { webhookSecret } from '../test/github/deliver.ts';
import { runMatrix } from '../test/leak-matrix/run-matrix.ts';
import { startPostgres } from '../test/postgres.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

// Who is told of repositories that they may not see: every route that the router has, in every form and spelling, asked by
// everybody, after repositories of GitHub turned private, were deleted or replaced, or GitHub fell silent; beginning with
// details, with lists that no viewer has confirmed, with lists that memory keeps, after the background has had its turn, and at
// once when GitHub sends webhooks.
// Prints how many questions were asked, how many answers told too much, and how many told those who may know.
// Usage: node bench/leak-matrix.ts [--only postgres|embedded]

const { values } = parseArgs({ options: { only: { type: 'string' } } });
let hasLeaks = false;

// The stand-in of GitHub ends with the test that it was started in.
test('the bench', async () => {
  for (const kind of ['embedded', 'postgres'].filter((one) => (values.only ?? one) === one)) {
    const server = kind === 'postgres' ? await startPostgres() : null;
    const database = { PULLQUOTE_DATA: temporaryFolder(), ...(server && { DATABASE_URL: server.url }) };
    const environment = { GITHUB_TOKEN: 'ghp_tokenOfservice', GITHUB_WEBHOOK_SECRETS: webhookSecret };
    const on = await buildGitHubApp({ database, environment });
    const start = performance.now();
    const counts = await runMatrix(on);
    const seconds = Math.round((performance.now() - start) / 1000);
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
    for (const leak of leaks.slice(0, 20)) console.log(leak);
    hasLeaks ||= leaks.length > 0;
  }
  process.exitCode = hasLeaks ? 1 : 0;
});
