import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type Reply } from '../../test/build-app.ts';
import { scriptHost } from '../../test/script-host.ts';
import { waitUntil } from '../../test/wait-until.ts';

const app = await buildTestApp({ environment: { WRITERS: '0' } });
const host = scriptHost(app);
const pulls = '/repos/harborline/parcel/pulls';

function assertTooMany({ status, headers, body }: Reply): void {
  assert.equal(status, 429);
  assert.equal(body.error.code, 'RATE_LIMITED');
  assert.ok(Number(headers.get('retry-after')) > 0);
}

test('a user may have eight pull requests fetched at once, across endpoints and credentials', async () => {
  const token = await app.signUp('hasty');
  const session = (await app.call('POST', '/auth/session', { token })).body.data.accessToken;
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  let asked = 0;
  host.beforePullRequest = () => {
    asked += 1;
    return mayGoOn;
  };
  const ingest = (number: number, by: string) => app.call('POST', `${pulls}/${number}/ingest`, { token: by });
  const article = (number: number, by: string) =>
    app.call('POST', `${pulls}/${number}/article`, {
      token: by,
      body: {},
      headers: { prefer: 'respond-async' },
    });
  const underWay = [
    ...[1, 2, 3].map((number) => ingest(number, token)),
    ...[4, 6, 7].map((number) => ingest(number, session)),
    ...[8, 10].map((number) => article(number, token)),
  ];
  await waitUntil('eight are under way', () => asked === 8);
  for (const by of [token, session]) {
    assertTooMany(await ingest(11, by));
    assertTooMany(await article(12, by));
  }
  const other = ingest(13, await app.signUp('another'));
  await waitUntil('somebody else is served', () => asked === 9);
  goOn();
  for (const { status, text } of await Promise.all([...underWay, other]))
    assert.ok(status === 201 || status === 202, text);
  host.beforePullRequest = async () => {};
  assert.equal((await ingest(11, token)).status, 201, 'when these are over, there is room again');
});

test('a user may follow twenty jobs at once, and disconnecting makes room', async () => {
  const token = await app.signUp('watcher');
  const asked = await app.call('POST', `${pulls}/14/article`, {
    token,
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  const path = `/jobs/${asked.body.data.id}/events`;
  const follow = async () => {
    const controller = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(new URL(path, app.url), { headers, signal: controller.signal });
    assert.equal(response.status, 200);
    return () => controller.abort();
  };
  const streams = [];
  for (let count = 0; count < 20; count += 1) streams.push(await follow());
  assertTooMany(await app.call('GET', path, { token }));
  assert.equal((await app.call('GET', '/users/me', { token })).status, 200);
  for (const hangUp of streams) hangUp();
  await waitUntil('there is room again', async () => {
    try {
      (await follow())();
      return true;
    } catch {
      return false;
    }
  });
});
