import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/build-app.ts';
import { checkAgainstContract } from '../../../test/check-against-contract.ts';

const METRICS_TOKEN = 'a-token-of-the-operator';
const own = { PUBLIC_URL: 'https://pq.example.org', METRICS_TOKEN, WRITERS: '0' };
const app = await buildTestApp({ environment: own });

/** Sends a request with a Host header, which `fetch` would overwrite. */
async function ask(of: TestApp, path: string, headers: Record<string, string>) {
  const sent = send(new URL(path, of.url), { headers });
  sent.end();
  const [answer] = await once(sent, 'response');
  const text = Buffer.concat(await Array.fromAsync(answer)).toString();
  const body = answer.headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : undefined;
  const reply = { status: answer.statusCode, headers: new Headers(answer.headers), body };
  checkAgainstContract(of.server, 'GET', path, reply);
  return { ...reply, text };
}

const statusFor = async (host: string, path = '/meta') => (await ask(app, path, { host })).status;

test('with PUBLIC_URL set, its host name and loopback are accepted in every spelling', async () => {
  for (const host of [
    'pq.example.org',
    'PQ.Example.ORG',
    'pq.example.org:443',
    'pq.example.org.',
    'pq.example.org.:443',
    new URL(app.url).host,
    'localhost',
    'LOCALHOST.:8080',
    '127.4.5.6:1',
    '[::1]:8080',
    '',
  ])
    assert.equal(await statusFor(host), 200, host);
});

test('with PUBLIC_URL set, any other host name is 421, except for /healthz and /metrics', async () => {
  for (const host of [
    'evil.example',
    'evil.pq.example.org',
    'pq.example.org.evil.example',
    'pq.example.org:8443',
    'pq.example.org:80',
    'ann@pq.example.org',
    'pq.example.org/meta',
    'pq.exam\tple.org',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '[2001:db8::1]',
    'not a host',
  ]) {
    const { status, body } = await ask(app, '/meta', { host });
    assert.equal(status, 421, host);
    assert.equal(body.error.code, 'INVALID_REQUEST');
    assert.match(body.error.message, /https:\/\/pq\.example\.org/);
    assert.equal(await statusFor(host, '/healthz'), 200);
    const byOperator = { host, authorization: `Bearer ${METRICS_TOKEN}` };
    assert.equal((await ask(app, '/metrics', byOperator)).status, 200);
    assert.equal(await statusFor(host, '/nope'), 421);
    assert.equal(await statusFor(host, '/%zz'), 421);
  }
  const { status, text } = await ask(app, '/', { host: 'evil.example', accept: 'text/html' });
  assert.equal(status, 421);
  assert.match(text, /<a href="https:\/\/pq\.example\.org">/);
});

test('a cached response is not sent for another host name', async () => {
  const path = '/ranking/articles/likes';
  const usual = { host: 'pq.example.org' };
  for (let times = 0; times < 2; times += 1) assert.equal((await ask(app, path, usual)).status, 200);
  assert.equal(await statusFor('evil.example', path), 421);
});

async function sendRaw(text: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.write(text);
  return Buffer.concat(await Array.fromAsync(socket)).toString();
}

test('a request without a Host header is answered, and one with an absolute URL is checked by that URL', async () => {
  assert.match(await sendRaw('GET /meta HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
  const byAddress = (name: string) =>
    sendRaw(`GET http://${name}/meta HTTP/1.1\r\nHost: pq.example.org\r\nConnection: close\r\n\r\n`);
  assert.match(await byAddress('evil.example'), /^HTTP\/1\.1 421 /);
  assert.match(await byAddress('localhost'), /^HTTP\/1\.1 200 /);
});

test('X-Forwarded-Host counts only from a trusted proxy', async () => {
  const forwarded = (host: string, name: string) => ({ host, 'x-forwarded-host': name });
  assert.equal((await ask(app, '/meta', forwarded('evil.example', 'pq.example.org'))).status, 421);
  assert.equal((await ask(app, '/meta', forwarded('pq.example.org', 'evil.example'))).status, 200);
  const behind = await buildTestApp({ environment: { ...own, TRUST_PROXY: 'loopback' } });
  for (const [host, name, expected] of [
    ['upstream:8080', 'pq.example.org', 200],
    ['upstream:8080', 'evil.example, pq.example.org', 200],
    ['upstream:8080', 'pq.example.org, evil.example', 421],
    ['pq.example.org', 'evil.example', 421],
    ['evil.example', '', 421],
    ['evil.example', 'pq.example.org,', 421],
  ] as const)
    assert.equal((await ask(behind, '/meta', forwarded(host, name))).status, expected, name);
});

test('without PUBLIC_URL, IP addresses and localhost are accepted, and any other host name is 421', async () => {
  const unnamed = await buildTestApp({ environment: { METRICS_TOKEN } });
  const { host: ownHost } = new URL(unnamed.url);
  for (const host of [
    ownHost,
    'localhost',
    'LOCALHOST.:8080',
    '192.0.2.7:1',
    '[2001:DB8::1]',
    '[::1]:80',
    '',
  ])
    assert.equal((await ask(unnamed, '/meta', { host })).status, 200, host);
  for (const host of [
    'evil.example',
    `evil.example:${new URL(unnamed.url).port}`,
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.localhost',
    'ann@127.0.0.1',
    '127.0.0.1/meta',
    '127.0.0.1:80:80',
    '[evil.example]',
    'not a host',
  ]) {
    const { status, body } = await ask(unnamed, '/meta', { host });
    assert.deepEqual([status, body.error.code], [421, 'INVALID_REQUEST'], host);
    assert.match(body.error.message, /Set PUBLIC_URL/);
    assert.equal((await ask(unnamed, '/healthz', { host })).status, 200);
    const byOperator = { host, authorization: `Bearer ${METRICS_TOKEN}` };
    assert.equal((await ask(unnamed, '/metrics', byOperator)).status, 200);
  }
  const path = '/ranking/articles/likes';
  for (let times = 0; times < 2; times += 1)
    assert.equal((await ask(unnamed, path, { host: ownHost })).status, 200);
  assert.equal((await ask(unnamed, path, { host: 'evil.example' })).status, 421, 'from memory neither');
  const page = await ask(unnamed, '/', { host: 'evil.example', accept: 'text/html' });
  assert.equal(page.status, 421);
  assert.match(page.text, /Set PUBLIC_URL/);
  assert.doesNotMatch(page.text, /undefined/);
});

test('requests with a wrong host name are rate limited', async () => {
  const strict = await buildTestApp({ environment: { ...own, RATE_LIMIT: '3' }, frozen: true });
  const statuses: number[] = [];
  for (let asked = 0; asked < 4; asked += 1)
    statuses.push((await ask(strict, '/meta', { host: 'evil.example' })).status);
  assert.deepEqual(statuses, [421, 421, 421, 429]);
});
