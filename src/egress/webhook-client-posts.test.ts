import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { buildDigestApp, hour } from '../../test/build-digest-app.ts';
import { numbersFrom } from '../../test/chance.ts';
import { makeMergedArticles } from '../../test/make-merges.ts';

const merges = 40;
const random = numbersFrom(72);
const posted: { text: string }[] = [];
let refusals = 0;
let inARow = 0;
const webhook = createServer((request, response) => {
  Array.fromAsync(request).then((chunks) => {
    const isTaken = random() < 0.5 || inARow === 3;
    inARow = isTaken ? 0 : inARow + 1;
    if (isTaken) posted.push(JSON.parse(Buffer.concat(chunks).toString()));
    else refusals += 1;
    response.writeHead(isTaken ? 200 : 503).end();
  });
});
webhook.listen(0, '127.0.0.1');
await once(webhook, 'listening');
after(() => void webhook.close());
const address = webhook.address();
const { app, join } = await buildDigestApp({
  DIGEST_WEBHOOK_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
  DIGEST_WEBHOOK_FORMAT: 'slack',
  DIGEST_WEBHOOK_POSTS: 'merges',
});

test('each merge of the last day is posted once and in order by a webhook that refuses every second post', async () => {
  await join('dana', { repos: ['rocket', 'secret'] });
  const minutesAgo = (minutes: number) => new Date(app.now().getTime() - minutes * 60_000);
  for (let minutes = 1; minutes <= merges; minutes += 1)
    await makeMergedArticles(app, { fullName: 'acme/rocket', count: 1, mergedAt: minutesAgo(minutes) });
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 1, mergedAt: minutesAgo(25 * 60) });
  await makeMergedArticles(app, { fullName: 'acme/secret', count: 1, mergedAt: minutesAgo(1) });
  await makeMergedArticles(app, {
    fullName: 'acme/rocket',
    count: 1,
    mergedAt: minutesAgo(1),
    author: 'dependabot[bot]',
  });
  for (let rounds = 0; posted.length < merges && rounds < merges * 6; rounds += 1) {
    await app.digests.run();
    app.advance(30_000);
  }
  const numbers = posted.map(({ text }) => Number(/\/rocket\/(\d+)/.exec(text)?.[1]));
  assert.equal(new Set(numbers).size, merges);
  assert.deepEqual(
    numbers,
    numbers.toSorted((one, other) => other - one),
  );
  assert.ok(refusals > merges / 4, `${refusals} refused`);
  assert.match(
    posted[0]?.text ?? '',
    /^<https:\/\/pullquote\.example\.org\/r\/acme\/rocket\/\d+\?language=en\|A title>\n/,
  );
  app.advance(2 * hour);
  await app.digests.run();
  assert.equal(posted.length, merges, 'and no more');
  assert.doesNotMatch(JSON.stringify(posted), /secret|dependabot/);
});
