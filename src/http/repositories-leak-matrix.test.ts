import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { chooseFew } from '../../test/leak-matrix/few-probes.ts';
import { githubColumn } from '../../test/leak-matrix/hosts/github-column.ts';
import { runMatrix } from '../../test/leak-matrix/run-matrix.ts';
import { parseExposition } from '../../test/parse-exposition.ts';
import { rowsToRun } from '../../test/tables.ts';

const METRICS_TOKEN = 'a-token-of-the-operator';
const on = await buildGitHubApp({
  environment: { GITHUB_TOKEN: 'ghp_tokenOfservice', PUBLIC_URL: 'https://pullquote.example', METRICS_TOKEN },
});

test('cached lists show no repository to viewers without access, and metrics name none', async () => {
  const columns = [githubColumn(on.github)];
  const counts = await runMatrix(
    { app: on.app, columns, clones: null },
    {
      inOrders: ['lists kept in memory'],
      // A deleted repository leaves lists in the same way as a replaced one.
      inStates: rowsToRun(['private', 'turned private', 'public', 'replaced', 'silent'] as const, (state) =>
        state === 'private' ? 'never public' : 'public at first',
      ),
      choose: chooseFew,
    },
  );
  const sum = (of: (count: (typeof counts)[number]) => number) =>
    counts.reduce((all, one) => all + of(one), 0);
  console.log(
    `slice of the leak matrix: ${sum(({ leaks }) => leaks.length)} leaks in ${sum(({ probes }) => probes)} probes`,
  );
  assert.deepEqual(
    counts.flatMap(({ leaks }) => leaks),
    [],
  );
  for (const { state, told } of counts)
    if (state === 'public' || state === 'private') assert.ok(told > 0, `who may see what is ${state} does`);

  const { text } = await on.app.call('GET', '/metrics', { token: METRICS_TOKEN });
  const { repositories, accounts } = on.github.state;
  const names = [
    ...repositories.flatMap(({ id, owner, name }) => [owner, name, `canary-${id}`]),
    ...accounts.flatMap(({ login, tokens }) => [login, ...tokens]),
    'pqf_',
  ];
  assert.match(text, /route="\/r\/:owner\/:repo"/);
  const told = [...parseExposition(text).values()].flatMap(({ samples }) =>
    samples.flatMap(({ labels }) => Object.values(labels).map((value) => value.replaceAll(/:\w+/g, ''))),
  );
  assert.deepEqual(
    [...new Set(names)].filter((name) => told.some((value) => value.includes(name))),
    [],
    'metrics name no repository, nobody, and no feed of theirs',
  );
});
