import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { buildDigestApp, day, hour } from '../../test/build-digest-app.ts';
import { makeMergedArticles } from '../../test/make-merges.ts';
import { lastPeriod } from '../domain/digests.ts';

const posted: unknown[] = [];
let webhookStatus = 200;
let timesTold = 0;
const webhook = createServer((request, response) => {
  Array.fromAsync(request).then((chunks) => {
    timesTold += 1;
    if (webhookStatus === 200) posted.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(webhookStatus).end();
  });
});
webhook.listen(0, '127.0.0.1');
await once(webhook, 'listening');
after(() => void webhook.close());
const address = webhook.address();
const { app, join } = await buildDigestApp({
  DIGEST_WEBHOOK_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
});

test('a weekly digest of public repositories is posted once, and again only after 429 or 503', async () => {
  await join('dana', { repos: ['rocket', 'secret'] });
  webhookStatus = 503;
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 3, mergedAt: app.now() });
  await makeMergedArticles(app, { fullName: 'acme/secret', count: 1, mergedAt: app.now() });
  app.advance(lastPeriod('weekly', app.now()).to.getTime() + 7 * day + 2 * hour - app.now().getTime());
  await app.lists.run();
  await app.digests.run();
  assert.deepEqual(posted, []);
  webhookStatus = 200;
  app.advance(hour);
  for (let times = 0; times < 3; times += 1) await app.digests.run();
  assert.equal(posted.length, 1);
  const [told] = posted as { repositories: { repo: string }[]; items: { url: string }[] }[];
  assert.deepEqual(
    told?.repositories.map(({ repo }) => repo),
    ['rocket'],
  );
  assert.match(told?.items[0]?.url ?? '', /^https:\/\/pullquote\.example\.org\/r\/acme\/rocket\/\d+/);
  for (const [status, times] of [
    [429, 2],
    [502, 1],
    [504, 1],
    [500, 1],
  ] as const) {
    [webhookStatus, timesTold] = [status, 0];
    await makeMergedArticles(app, { fullName: 'acme/rocket', count: 1, mergedAt: app.now() });
    app.advance(lastPeriod('weekly', app.now()).to.getTime() + 7 * day + 2 * hour - app.now().getTime());
    await app.lists.run();
    await app.digests.run();
    webhookStatus = 200;
    app.advance(hour);
    await app.digests.run();
    assert.equal(timesTold, times, `after ${status}`);
  }
});
