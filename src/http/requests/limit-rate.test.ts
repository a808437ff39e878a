import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { git, makeMirror } from '../../../test/make-clone.ts';
import { makeReleases } from '../../../test/make-releases.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const app = await buildTestApp({ environment: { RATE_LIMIT: '30', TRUST_PROXY: 'loopback' }, frozen: true });
const { call, tokenFor } = app;

/** Calls until refused; returns the number of responses before that. */
async function exhaust(ask: () => ReturnType<typeof call>): Promise<number> {
  for (let count = 0; count < 40; count += 1) {
    const { status, headers, body } = await ask();
    if (status === 429) {
      assert.equal(body.error.code, 'RATE_LIMITED');
      assert.equal(headers.get('retry-after'), '1');
      assert.equal(headers.get('ratelimit-remaining'), '0');
      return count;
    }
    assert.equal(headers.get('ratelimit-limit'), '30');
    assert.equal(headers.get('ratelimit-policy'), '30;w=30');
  }
  return Number.POSITIVE_INFINITY;
}

test('each identity has its own rate limit burst, which refills evenly', async () => {
  const one = tokenFor('one');
  const other = tokenFor('other');
  assert.equal(await exhaust(() => call('GET', '/auth/sessions', { token: one })), 30);
  assert.equal((await call('GET', '/auth/sessions', { token: other })).status, 200);
  app.advance(10_000);
  assert.equal(await exhaust(() => call('GET', '/auth/sessions', { token: one })), 10);
});

test('all sessions and tokens of an identity share one rate limit burst', async () => {
  const own = [tokenFor('many'), tokenFor('many', { expiresInMs: 120_000 })];
  const openSession = async () => (await call('POST', '/auth/session', { token: own[0] })).body.data;
  for (let count = 0; count < 8; count += 1) own.push((await openSession()).accessToken);
  let asked = 0;
  const askWithEach = () => {
    asked += 1;
    return call('GET', '/auth/sessions', { token: own[asked % own.length] });
  };
  assert.equal(await exhaust(askWithEach), 30 - 8);
  for (const token of own) assert.equal((await call('GET', '/auth/sessions', { token })).status, 429);
});

test('requests with invalid or expired credentials count against the rate limit of their address', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.20' };
  const opened = await call('POST', '/auth/session', { token: tokenFor('leaver') });
  const ended = opened.body.data.accessToken;
  assert.equal((await call('POST', '/auth/logout', { token: ended })).status, 200);
  const ways: Record<string, string>[] = [
    { authorization: `Bearer ${ended}` },
    { authorization: `Bearer ${tokenFor('late', { expiresInMs: -1 })}` },
    { authorization: 'Bearer pq_unknown' },
    { authorization: 'Bearer ghp_of_a_host_that_is_not_asked' },
    { authorization: `Bearer ${'x'.repeat(9_000)}` },
    { authorization: 'Basic YTpi' },
    { cookie: 'pullquote_session=pq_unknown' },
    {},
  ];
  let asked = 0;
  const askInEachWay = () => {
    asked += 1;
    return call('GET', '/users/me', { headers: { ...headers, ...ways[asked % ways.length] } });
  };
  assert.equal(await exhaust(askInEachWay), 30);
});

test('requests for paths that cannot be decoded or found count against the rate limit', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.30' };
  const long = `/articles/${'a'.repeat(300)}`;
  let asked = 0;
  const ask = () => {
    asked += 1;
    return call('GET', ['/%zz', long, '/nope'][asked % 3] ?? '', { headers });
  };
  assert.equal(await exhaust(ask), 30);
  assert.equal((await call('GET', '/%zz', { headers })).status, 429);
});

test('addresses of one /64 share a rate limit burst, and so do all spellings of an IPv4 address', async () => {
  const askFrom = (address: string) => call('GET', '/nope', { headers: { 'x-forwarded-for': address } });
  for (const [addresses, other] of [
    [['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:0DB8:0001:0002::'], '2001:db8:1:3::1'],
    [['198.51.100.7', '::ffff:198.51.100.7', '198.51.100.7:4711'], '198.51.100.8'],
  ] as const) {
    let asked = 0;
    const askFromEach = () => {
      asked += 1;
      return askFrom(addresses[asked % addresses.length] ?? '');
    };
    assert.equal(await exhaust(askFromEach), 30, addresses[0]);
    assert.equal((await askFrom(other)).status, 404);
  }
});

test('guessing tokens exhausts the rate limit of the address, while a known identity at that address continues', async () => {
  const known = tokenFor('known');
  assert.equal((await call('GET', '/auth/sessions', { token: known })).status, 200);
  let guesses = 0;
  const answered = await exhaust(() => {
    guesses += 1;
    return guesses % 2 ? call('GET', '/nope') : call('GET', '/users/me', { token: `pq_guess${guesses}` });
  });
  assert.equal(answered, 30);
  assert.equal((await call('GET', '/users/me', { token: 'pq_another' })).status, 429);
  assert.equal((await call('GET', '/auth/sessions', { token: known })).status, 200, 'who is known goes on');
});

/** A service whose git hangs on ranges of the flooded clones until the test opens a gate. */
async function buildGatedApp() {
  const root = temporaryFolder();
  const source = makeReleases(root, 'acme/free');
  const flooded = ['one', 'two', 'three'];
  for (const name of flooded) makeMirror(root, `acme/${name}`, source);
  const folder = temporaryFolder();
  const [counts, gate] = [join(folder, 'counts'), join(folder, 'gate')];
  const search = process.env.PATH ?? '';
  const program = `#!/bin/sh
PATH='${search}'
case "$*" in *--left-right*)
  echo "$GIT_OBJECT_DIRECTORY" >> ${counts}
  case "$GIT_OBJECT_DIRECTORY" in */free/*) ;; *) while [ ! -e ${gate} ]; do sleep 0.02; done;; esac
esac
exec git "$@"
`;
  writeFileSync(join(folder, 'git'), program, { mode: 0o755 });
  process.env.PATH = `${folder}:${search}`;
  const environment = { GIT_REPOS: root, RATE_LIMIT: '600', TRUST_PROXY: 'loopback' };
  const gated = await buildTestApp({ environment, frozen: true }).finally(() => {
    process.env.PATH = search;
  });
  return {
    ...gated,
    source,
    flooded,
    /** How often git counted the commits of a range. */
    counted: () => (existsSync(counts) ? readFileSync(counts, 'utf8').split('\n').length - 1 : 0),
    open: () => writeFileSync(gate, ''),
    release: (name: string, address: string, to = 'v2') =>
      gated.call('GET', `/repos/acme/${name}/release?from=v1&to=${to}`, {
        headers: { 'x-forwarded-for': address },
      }),
  };
}

const gated = await buildGatedApp();

test('a flood of releases from one address leaves git to users and other addresses, and its excess is refused', async () => {
  const token = await gated.signUp('ann');
  const address = '198.51.100.40';
  const hangUp = new AbortController();
  const answered: [number, string | null][] = [];
  const flood = Array.from({ length: 34 }, async (_, index) => {
    const url = `${gated.url}/repos/acme/${gated.flooded[index % 3]}/release?from=v1&to=v2`;
    const reply = await fetch(url, { headers: { 'x-forwarded-for': address }, signal: hangUp.signal });
    answered.push([reply.status, reply.headers.get('retry-after')]);
  });
  const over = Promise.allSettled(flood);
  try {
    await waitUntil('git is stuck for the flood', () => gated.counted() >= 1);
    const listed = await gated.call('GET', '/repos/acme/free/pulls', { token });
    assert.equal(listed.status, 200, listed.text);
    const ingested = await gated.call('POST', '/repos/acme/free/pulls/2/ingest', { token });
    assert.equal(ingested.status, 201, ingested.text);
    assert.equal((await gated.release('free', '198.51.100.41')).status, 200);
    const givenUp = answered.filter(([status]) => status !== 429);
    assert.deepEqual(givenUp, [], 'all of that was answered while the flood was stuck');
    await waitUntil('the rest is refused', () => answered.length === 2);
    assert.deepEqual(answered, [
      [429, '2'],
      [429, '2'],
    ]);
    assert.equal(gated.counted(), 2, 'one for the flood, one beside it');
    assert.equal((await gated.release('two', address)).body.error.code, 'RATE_LIMITED');
  } finally {
    hangUp.abort();
    await over;
    gated.open();
  }
  await waitUntil(
    'what hung up no longer counts',
    async () => (await gated.release('one', address)).status === 200,
  );
});

test('a range of a clone is cached until one of its refs moves', async () => {
  const read = async () => (await gated.release('free', '198.51.100.50')).body.data;
  const first = await read();
  // A ref written within the last moment could change unnoticed, so it is not cached yet.
  await waitUntil('a range is kept', async () => {
    const before = gated.counted();
    assert.deepEqual(await read(), first);
    return gated.counted() === before;
  });
  git(gated.source, 'tag', '--force', 'v2', 'v3');
  assert.notDeepEqual(await read(), first);
});

test("300 simultaneous requests of one client do not delay another client's requests for the same pages", async () => {
  const busy = await buildTestApp({ environment: { RATE_LIMIT: '600', TRUST_PROXY: 'loopback' } });
  const askFrom = (address: string, path: string) =>
    busy.call('GET', path, { headers: { 'x-forwarded-for': address } });
  const pages = ['/articles', '/repositories'];
  // Warms up each page; a response with an Origin header is not cached.
  for (const path of pages) await busy.call('GET', path, { headers: { origin: 'http://reader.example' } });
  const paths = [...Array.from({ length: 298 }, (_, offset) => `/articles?offset=${offset + 1}`), ...pages];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { query } = busy.database;
  const held = mock.method(busy.database, 'query', async (...asked: Parameters<typeof query>) => {
    await opened;
    return query(...asked);
  });
  let arrived = 0;
  let answered = 0;
  busy.server.server.on('request', () => {
    arrived += 1;
  });
  const flood = paths.map(async (path) => {
    const { status } = await askFrom('198.51.100.1', path);
    answered += 1;
    return status;
  });
  await waitUntil('the flood is there', () => arrived === paths.length);
  held.mock.restore();
  open();
  const others = pages.map(async (path) => (await askFrom('198.51.100.2', path)).status);
  assert.deepEqual(await Promise.all(others), [200, 200]);
  assert.ok(answered < 200, `${answered} of the flood were answered before`);
  assert.deepEqual(new Set(await Promise.all(flood)), new Set([200]));
});

test('after a large response, the next response to the same client is delayed', async () => {
  const busy = await buildTestApp({ environment: { RATE_LIMIT: '600' } });
  const ask = async () => {
    const { text } = await busy.call('GET', '/openapi.json', {
      headers: { origin: 'http://reader.example' },
    });
    return { bytes: Buffer.byteLength(text), at: performance.now() };
  };
  const answers = await Promise.all([ask(), ask(), ask()]);
  const [first, , last] = answers.toSorted((one, other) => one.at - other.at);
  const restMs = ((first?.bytes ?? 0) / 2 ** 22) * 1000;
  assert.ok(restMs > 30, `${restMs} ms`);
  // Timers may fire early, and the first response was sent before it was read.
  assert.ok((last?.at ?? 0) - (first?.at ?? 0) > restMs / 2, JSON.stringify(answers));
});

test('two hanging requests of a client do not block its next one', async () => {
  const busy = await buildTestApp({ environment: { RATE_LIMIT: '600' } });
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { query } = busy.database;
  let held = 0;
  mock.method(busy.database, 'query', async (statement: Parameters<typeof query>[0]) => {
    if (held < 2 && statement.render().text.includes('page AS MATERIALIZED')) {
      held += 1;
      await opened;
    }
    return query(statement);
  });
  const stuck = [1, 2].map((offset) => busy.call('GET', `/articles?offset=${offset}`));
  await waitUntil('both are stuck', () => held === 2);
  const other = busy.call('GET', '/articles?offset=3').then(({ status }) => status);
  try {
    await waitUntil('another is answered', () =>
      Promise.race([other, null]).then((status) => status === 200),
    );
  } finally {
    open();
  }
  for (const { status } of await Promise.all(stuck)) assert.equal(status, 200);
});
