import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { runMatrix } from '../../test/leak-matrix/run-matrix.ts';

const on = await buildGitHubApp({ environment: { GITHUB_TOKEN: 'ghp_tokenOfservice' } });

/** The simplest questions to routes that tell of repositories; bench/leak-matrix.ts asks all others, and in other orders. */
const simplest =
  /^\/(?:$|articles|ranking|favorites|liked|users\/me\/|r\/|repos\/|jobs\/)[^?A-Z]*$|^\/(?:search|find)\?q=[^&A-Z]*$/;

test('whoever comes to lists that nobody has looked behind is told of no repository that they may not see, though memory had kept it', async () => {
  const counts = await runMatrix(on, {
    inOrders: ['lists kept in memory'],
    choose: (probes) =>
      probes.filter(
        ({ method, path, accept }) => method !== 'HEAD' && accept === undefined && simplest.test(path),
      ),
  });
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
});
