import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { deliver, deliveryOf, post, signatureOf, webhookSecret } from '../../test/github/deliver.ts';
import { pull, repository, shaOf } from '../../test/github/state.ts';
import { operatorOf } from '../../test/operator-of.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { takeDeliveries } from '../actions/webhooks/take-deliveries.ts';
import { sql } from '../db/sql.ts';

const environment = {
  GITHUB_WEBHOOK_SECRETS: `the-new-secret-of-github, ${webhookSecret}`,
  GITHUB_TOKEN: 'ghp_tokenOfservice',
};
const { app, github, join } = await buildGitHubApp({ environment });
const { server, database } = app;
await join('service');
const ann = await join('ann');

const examples: { name: string; examples: object[] }[] = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@octokit/webhooks-examples')), 'utf8'),
);

let ids = 5_000;

/** A repository with an article that ann requested. */
async function withArticle(visibility: 'public' | 'private' = 'public') {
  ids += 1;
  const name = `told-${ids}`;
  const on = repository(ids, `acme/${name}`, {
    visibility,
    visibleTo: new Set(['ann', 'service']),
    pulls: [pull(1, 'words')],
  });
  github.state.repositories.push(on);
  const path = `/repos/acme/${name}/pulls/1/article`;
  const write = () => app.call('POST', path, { token: ann, body: { language: 'en' } });
  assert.equal((await write()).status, 201);
  app.advance(1_000);
  return { on, path, write, of: { repository: { id: on.id } } };
}

const countDeliveries = async (): Promise<number> =>
  (await database.query(sql`SELECT 1 FROM webhook_deliveries`)).length;

test('every example event of GitHub is accepted, and events about unknown repositories store no delivery', async () => {
  const before = await countDeliveries();
  const all = examples.flatMap(({ name: event, examples: payloads }) =>
    payloads.map((payload) => ({ event, payload })),
  );
  await Promise.all(
    all.map(async ({ event, payload }) => {
      const expected = event === 'github_app_authorization' ? 202 : 200;
      assert.equal(await deliver(server, event, payload), expected, event);
    }),
  );
  console.log(`${all.length} examples of GitHub's events`);
  assert.ok(all.length > 300);
  assert.equal(await deliver(server, 'of_next_year', { action: 'begun' }), 200);
  assert.equal((await countDeliveries()) - before, 2, 'of the users who took their rights back alone');
});

test('none of over a thousand forged signatures is accepted, and no delivery is stored', async () => {
  const { on, of } = await withArticle();
  const payload = { action: 'privatized', ...of };
  const { headers, body } = deliveryOf({ event: 'repository', payload });
  const good = signatureOf(body).slice('sha256='.length);
  const before = await countDeliveries();
  const forged: [string | string[] | undefined, string?][] = [
    [undefined],
    [''],
    [good],
    ['sha256='],
    [`sha256=${good.toUpperCase()}`],
    [`SHA256=${good}`],
    [`sha256=${good} `],
    [`sha256=${good}0`],
    [`sha256=${good},sha256=${good}`],
    [[`sha256=${good}`, `sha256=${good}`]],
    [[`sha256=${'0'.repeat(64)}`, `sha256=${good}`]],
    [`sha1=${good}`],
    [`sha1=${good.slice(0, 40)}`],
    [`sha512=${good}${good}`],
    [signatureOf(body, `${webhookSecret} `)],
    [signatureOf(body, '')],
    [signatureOf('')],
    [signatureOf(body), `${body} `],
    [signatureOf(body), ''],
    [signatureOf(body), body.replace(String(on.id), String(on.id + 1))],
  ];
  for (let length = 0; length < 64; length += 1) forged.push([`sha256=${good.slice(0, length)}`]);
  for (let place = 0; place < 64; place += 1)
    for (let digit = 0; digit < 16; digit += 1) {
      const wrong = good.slice(0, place) + digit.toString(16) + good.slice(place + 1);
      if (wrong !== good) forged.push([`sha256=${wrong}`]);
    }
  for (let place = 0; place < body.length; place += 1)
    forged.push([`sha256=${good}`, `${body.slice(0, place)}\u0001${body.slice(place + 1)}`]);
  for (let round = 0; round < 100; round += 1)
    forged.push([signatureOf(body, randomBytes(20).toString('hex'))]);
  let accepted = 0;
  for (const [signature, sentBody = body] of forged) {
    const { 'x-hub-signature-256': _, ...rest } = headers;
    const given = signature === undefined ? rest : { ...rest, 'x-hub-signature-256': signature };
    const { statusCode, json } = await post(server, given, sentBody);
    if (statusCode !== 401) accepted += 1;
    else assert.equal(json().error.code, 'UNAUTHORIZED');
  }
  console.log(`${accepted} accepted of ${forged.length} forged signatures`);
  assert.ok(forged.length >= 1_000);
  assert.equal(accepted, 0);
  assert.equal(await countDeliveries(), before);
  const { 'x-hub-signature-256': _, ...unsigned } = headers;
  const old = await post(server, { ...unsigned, 'x-hub-signature': `sha1=${'0'.repeat(40)}` }, body);
  assert.equal(old.statusCode, 401, 'GitHub signs with SHA-1 for those who cannot do better');
  assert.equal((await post(server, headers, body)).statusCode, 202, 'and the right one is');
});

test('a signed but invalid delivery is refused with a reason, and an unsigned one is 401 regardless of its content', async () => {
  const send = async (headers: Record<string, string>, body: string | Buffer, signed = true) =>
    app.call('POST', '/webhooks/github', {
      headers: {
        'x-github-event': 'repository',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': signed ? signatureOf(body) : `sha256=${'0'.repeat(64)}`,
        ...headers,
      },
      raw: body.toString(),
    });
  const named = JSON.stringify({ action: 'privatized', repository: { id: 1 } });
  const cases: [string, Record<string, string>, string, number][] = [
    ['no JSON', {}, '{"action":', 400],
    ['no object', {}, '7', 400],
    ['nothing', {}, '', 400],
    ['an event about nothing', {}, '{"action":"privatized"}', 400],
    ['a repository that is no number', {}, '{"action":"privatized","repository":{"id":"1; DROP"}}', 400],
    ['no event', { 'x-github-event': '' }, named, 400],
    ['no delivery', { 'x-github-delivery': '' }, named, 400],
    ['a delivery with a name of 10 kB', { 'x-github-delivery': 'x'.repeat(10_000) }, named, 400],
    ['an event that every object has', { 'x-github-event': 'constructor' }, named, 200],
    ['an action that every object has', {}, '{"action":"constructor"}', 200],
    ['a ping', { 'x-github-event': 'ping' }, '{"zen":"Keep it logically awesome."}', 200],
    ['a repository that is not known here', {}, named, 200],
  ];
  for (const [what, headers, body, status] of cases) {
    const { status: answered, text } = await send(headers, body);
    assert.equal(answered, status, `${what}: ${text}`);
    assert.equal((await send(headers, body, false)).status, 401, `${what}, not signed`);
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const sentAsForm = await send(form, 'payload=%7B%7D');
  assert.equal(sentAsForm.status, 415);
  assert.match(sentAsForm.text, /Set the content type of the webhook to application\/json/);
  const unnamed = await send({ 'x-github-delivery': '' }, named);
  assert.match(unnamed.text, /Send the delivery id in X-GitHub-Delivery/);
  const large = `{"zen":"${'x'.repeat(25 * 1024 * 1024 - 10)}"}`;
  assert.equal(large.length, 25 * 1024 * 1024);
  assert.equal(
    (await send({ 'x-github-event': 'ping' }, large)).status,
    200,
    'as large as GitHub sends them',
  );
  assert.equal((await send({ 'x-github-event': 'ping' }, `${large} `)).status, 413);
  const elsewhere = await app.call('POST', '/users/me', { token: ann, raw: large.slice(0, 70_000) });
  assert.equal(elsewhere.status, 413, 'bodies of other operations stay small');
  assert.equal(
    (await app.call('POST', '/webhooks/git', { raw: named })).status,
    404,
    'a host that sends none',
  );
  assert.equal((await app.call('GET', '/webhooks/github')).status, 405);
});

test('a repeated delivery changes no article, and a failed one can be sent again', async () => {
  const { path, of, write } = await withArticle();
  const isStale = async () => (await app.call('GET', path)).body.data.contents.en.stale;
  const payload = { action: 'synchronize', number: 1, pull_request: {}, ...of };
  const { headers, body } = deliveryOf({ event: 'pull_request', payload });
  const send = async () => (await post(server, headers, body)).json();

  const { transaction } = database;
  database.transaction = async () => {
    throw Object.assign(new Error('the connection is gone'), { code: '57P01' });
  };
  assert.equal((await send()).error.code, 'UNAVAILABLE');
  database.transaction = transaction;
  assert.equal(await isStale(), false);
  assert.equal((await send()).data.outcome, 'queued');
  await waitUntil('it is stale', isStale);
  app.advance(1_000);
  assert.equal((await write()).status, 200);
  await waitUntil('it is not', async () => !(await isStale()));
  app.advance(1_000);
  const calls = await Promise.all(Array.from({ length: 5 }, send));
  assert.deepEqual([...new Set(calls.map(({ data }) => data.outcome))], ['repeated']);
  assert.equal(await isStale(), false);
  app.advance(7 * 24 * 60 * 60 * 1_000);
  await app.housekeeping.run();
  assert.equal(await countDeliveries(), 0, 'names of deliveries that are not sent again are forgotten');
});

test('a lost connection fails only the deliveries on it, not those that wait', async (t) => {
  const take = takeDeliveries({ database, clock: app.now });
  const news = { revoked: { hostUserId: 424_242 } };
  const tell = () =>
    take({ host: 'github', deliveryId: randomUUID(), news }).catch(({ code }: { code: string }) => code);
  const { transaction } = database;
  const ends: PromiseWithResolvers<void>[] = [];
  t.mock.method(database, 'transaction', async (work: Parameters<typeof transaction>[0]) => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    return transaction(work);
  });
  const told = [];
  for (const begun of [1, 2]) {
    told.push(tell());
    await waitUntil(`${begun} are under way`, async () => ends.length === begun);
  }
  told.push(tell());
  ends[0]?.reject(Object.assign(new Error('the connection is gone'), { code: '57P01' }));
  await waitUntil('the next is under way', async () => ends.length === 3);
  for (const { resolve } of ends) resolve();
  assert.deepEqual(await Promise.all(told), ['57P01', 'taken', 'taken']);
});

test('a privatized repository is hidden at once, even after a check by a process whose clock is ahead', async () => {
  const { on, path, of } = await withArticle();
  await database.query(sql`
    UPDATE repositories SET checked_at = checked_at + interval '1 minute' WHERE host_repo_id = ${on.id}`);
  on.visibility = 'private';
  assert.equal(await deliver(server, 'repository', { action: 'privatized', ...of }), 202);
  await waitUntil('it is hidden', async () => (await app.call('GET', path)).status === 404);
});

test('a pull request event makes the article outdated at once, whatever its order, until it is fetched again', async () => {
  const { on, path, write, of } = await withArticle();
  const [moving] = on.pulls;
  assert.ok(moving);
  const read = async () => (await app.call('GET', path)).body.data;
  const tell = (action: string, said: object = {}) =>
    deliver(server, 'pull_request', { action, number: 1, pull_request: said, ...of });
  for (const action of ['synchronize', 'edited', 'reopened', 'ready_for_review']) {
    app.advance(1_000);
    assert.equal(
      await tell(action, { merged: true, title: 'made up', head: { sha: shaOf('made up') } }),
      202,
    );
    await waitUntil(action, async () => (await read()).contents.en.stale);
    assert.equal((await read()).title, moving.title, 'what the delivery says of it is not believed');
    app.advance(1_000);
    github.takeCalls();
    assert.equal((await write()).status, 200, 'it is asked for anew, and is what it was');
    assert.ok(github.takeCalls().length > 0);
    await waitUntil('it is up to date', async () => !(await read()).contents.en.stale);
  }
  moving.head.sha = shaOf('pushed');
  moving.updatedAt = app.now().toISOString();
  moving.mergedAt = app.now().toISOString();
  moving.state = 'closed';
  app.advance(1_000);
  assert.equal(await tell('closed', { merged: true }), 202);
  assert.equal(
    (await read()).contents.en.stale,
    false,
    'that it is closed says nothing about what is written',
  );
  assert.equal(await tell('synchronize'), 202);
  assert.equal(await tell('opened'), 200);
  app.advance(1_000);
  assert.equal((await write()).status, 201);
  await waitUntil('it is merged', async () => (await read()).state === 'merged');
  const { headSha, contents } = await read();
  assert.deepEqual([headSha, contents.en.stale], [shaOf('pushed'), false]);
});

test('deliveries signed with any configured secret are accepted, and other secrets are refused', async () => {
  const statusWith = async (secret: string) => {
    const { headers, body } = deliveryOf({ event: 'ping', payload: { zen: '' }, secret });
    return (await post(server, headers, body)).statusCode;
  };
  const secrets = [webhookSecret, 'the-new-secret-of-github', 'the-secret-before'];
  assert.deepEqual(await Promise.all(secrets.map(statusWith)), [200, 200, 401]);
});

test('a token is checked with its host again after its revocation may have been missed', async () => {
  const check = () => app.call('GET', '/users/me', { token: ann });
  await check();
  github.takeCalls();
  await check();
  assert.deepEqual(github.takeCalls(), [], 'it is known');
  await operatorOf(app).endListeners();
  await waitUntil('it is checked', async () => {
    await check();
    return github.takeCalls().includes('GET /user');
  });
});

/** A service with a low limit that trusts a proxy's addresses. */
const { app: limited } = await buildGitHubApp({
  environment: { ...environment, RATE_LIMIT: '20', TRUST_PROXY: 'loopback' },
});

test('signed deliveries are not rate limited and other requests are; without a secret the path is 404', async () => {
  const { headers, body } = deliveryOf({ event: 'ping', payload: { zen: '' } });
  const send = (signed: Record<string, string>) => post(limited.server, signed, body);
  const inChunks = (of: string) => post(limited.server, headers, Readable.from([of]));
  for (let round = 0; round < 50; round += 1) {
    assert.equal((await send(headers)).statusCode, 200);
    assert.equal((await inChunks(body)).statusCode, 200, 'its length need not be said beforehand');
  }
  const forged = { ...headers, 'x-hub-signature-256': signatureOf(`${body} `) };
  assert.equal((await send(forged)).headers['ratelimit-remaining'], '19');
  assert.equal((await inChunks(' '.repeat(25 * 1024 * 1024 + 1))).statusCode, 413);
  assert.equal((await send(forged)).headers['ratelimit-remaining'], '17', 'that was too long counts too');
  const statuses: number[] = [];
  for (let round = 0; round < 30; round += 1) statuses.push((await send(forged)).statusCode);
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  assert.equal((await send(headers)).statusCode, 200, 'whatever others send from the same address');
  const without = await buildGitHubApp();
  const unknown = await without.app.call('POST', '/webhooks/nowhere', { raw: body, headers });
  const unset = await without.app.call('POST', '/webhooks/github', { raw: body, headers });
  for (const { body: said } of [unknown, unset]) delete said.error.requestId;
  assert.deepEqual([unset.status, unset.body], [404, unknown.body]);
  assert.equal((await without.app.call('GET', '/webhooks/github')).status, 404);
});

test('simultaneous deliveries of one address are taken in batches', async (t) => {
  const { query } = limited.database;
  let looks = 0;
  t.mock.method(limited.database, 'query', (statement: Parameters<typeof query>[0]) => {
    if (statement.render().text.includes('repositories.host_repo_id')) looks += 1;
    return query(statement);
  });
  const about = { repository: { id: 424_242 }, action: 'edited', number: 1, pull_request: { merged: false } };
  const statuses = await Promise.all(
    Array.from({ length: 200 }, () => deliver(limited.server, 'pull_request', about)),
  );
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.ok(looks < 20, `${looks} looks`);
});

test('unsigned senders that stall do not block large deliveries for long', async () => {
  const arrived: Socket[] = [];
  limited.server.server.on('connection', (socket) => arrived.push(socket));
  const kib = 1024;
  const { headers, body } = deliveryOf({ event: 'ping', payload: { zen: 'x'.repeat(700 * kib) } });
  const begin = (address: string, deliveryId: string): ClientRequest => {
    const length = Buffer.byteLength(body);
    const sent = { 'x-forwarded-for': address, 'x-github-delivery': deliveryId, 'content-length': length };
    const url = new URL('/webhooks/github', limited.url);
    return request(url, { method: 'POST', headers: { ...headers, ...sent }, agent: false });
  };
  /** Sends part of an unsigned body, waits until it has arrived, and stalls. */
  const stall = async (address: string, bytes: number) => {
    const slow = begin(address, randomUUID()).on('error', () => {});
    const answered = new Promise<number | undefined>((resolve) =>
      slow.on('response', ({ statusCode }) => resolve(statusCode)),
    );
    const already = arrived.length;
    slow.write(' '.repeat(bytes));
    await waitUntil('it has arrived', () => (arrived[already]?.bytesRead ?? 0) >= Math.min(bytes, 512 * kib));
    return { slow, answered };
  };
  const statusOf = async (sending: ClientRequest): Promise<number | undefined> => {
    const [response] = (await once(sending.end(body), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const deliverLarge = () => statusOf(begin('192.0.2.1', randomUUID()));

  const small = [await stall('192.0.2.2', 500 * kib), await stall('192.0.2.3', 500 * kib)];
  assert.equal(await deliverLarge(), 200, 'the first 512 KiB take no slot');

  const oneAddress = [await stall('192.0.2.4', 600 * kib), await stall('192.0.2.4', 600 * kib)];
  const refused = Promise.race(oneAddress.map(({ answered }) => answered));
  assert.equal(await Promise.race([refused, deliverLarge()]), 200, 'an address gets one slot');

  const other = await stall('192.0.2.5', 600 * kib);
  assert.equal(await deliverLarge(), 200, 'a slot is free again after a while');
  assert.equal(await refused, 400, 'of a sender that was too slow');
  for (const { slow } of [...small, ...oneAddress, other]) slow.destroy();
});
