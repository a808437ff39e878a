import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFailingHosts } from '../../test/failing-hosts/build-failing-hosts.ts';
import { testAnswers } from '../../test/failing-hosts/test-answers.ts';
import { testDeliveries } from '../../test/failing-hosts/test-deliveries.ts';
import { testPlaces } from '../../test/failing-hosts/test-places.ts';
import { testSignIn } from '../../test/failing-hosts/test-sign-in.ts';
import { testSilence } from '../../test/failing-hosts/test-silence.ts';
import { testTokens } from '../../test/failing-hosts/test-tokens.ts';
import { dumpedTables, placesOfTokens } from '../../test/github/find-tokens.ts';

const service = await buildFailingHosts();
testAnswers(service);
testDeliveries(service);
testSilence(service);
testPlaces(service);
testSignIn(service);
// Token tests run last: they advance the clock so far that stored rows expire.
testTokens(service);

test('tokens appear in no log, response, table or file after all tests of failing hosts', async () => {
  const { app, answers, hosts } = service;
  assert.ok(app.logLines().length > 20);
  const [{ pathOf, on, ann } = assert.fail()] = hosts;
  const job = await app.call('POST', `${pathOf('rocket')}/article${on}`, {
    token: ann,
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  assert.equal(job.status, 202, job.text);
  assert.match((await dumpedTables(app)).get('public.jobs') ?? '', /queued|running|done/);
  assert.deepEqual(
    await placesOfTokens(
      app,
      answers,
      hosts.flatMap(({ secrets }) => secrets()),
    ),
    [],
  );
});
