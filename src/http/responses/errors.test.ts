import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const app = await buildTestApp();
const { call, signUp } = app;

test('an unknown path is 404 with a JSON error', async () => {
  for (const path of [
    '/nope',
    '/users',
    '/users/me/nothing',
    '/p/harborline/parcel/1',
    '/..%2f..%2fetc/passwd',
  ]) {
    const { status, body, headers } = await call('GET', path);
    assert.equal(status, 404, path);
    assert.equal(body.error.code, 'NOT_FOUND');
    assert.equal(body.error.requestId, headers.get('x-request-id'));
  }
});

test('a known path with another method is 405 and lists the allowed methods', async () => {
  const { status, body, headers } = await call('PUT', '/users/me');
  assert.equal(status, 405);
  assert.equal(body.error.code, 'METHOD_NOT_ALLOWED');
  assert.equal(headers.get('allow'), 'GET, HEAD, POST, PATCH, DELETE');
  assert.equal((await call('POST', '/healthz')).headers.get('allow'), 'GET, HEAD');
  for (const method of ['GET', 'HEAD']) {
    const refused = await call(method, '/auth/logout');
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST'], method);
  }
});

test('an unknown path or method is 404 or 405 before its body is read', async () => {
  for (const [path, status] of [
    ['/nonsense', 404],
    ['/webhooks/github', 404],
    ['/healthz', 405],
  ] as const)
    for (const [raw, type] of [
      ['{', 'application/json'],
      ['a=b', 'application/x-www-form-urlencoded'],
      ['a'.repeat(70_000), 'application/json'],
    ] as const) {
      const reply = await call('POST', path, { raw, headers: { 'content-type': type } });
      assert.equal(reply.status, status, `${path} ${type} ${reply.text}`);
    }
});

test('a body that is not JSON, too large or of another type gets 400, 413 or 415', async () => {
  const token = await signUp('ernie');
  const json = { 'content-type': 'application/json' };
  const broken: [string, Record<string, string>, number, string][] = [
    ['{"owner":', json, 400, 'INVALID_REQUEST'],
    ['{"__proto__":{"owner":"a"},"owner":"a","repo":"b"}', json, 400, 'INVALID_REQUEST'],
    [`{"owner":"${'a'.repeat(70_000)}"}`, json, 413, 'PAYLOAD_TOO_LARGE'],
    ['owner=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['<owner/>', { 'content-type': 'application/xml' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['{}', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ];
  for (const [raw, headers, status, code] of broken) {
    const reply = await call('POST', '/users/me', { token, raw, headers });
    assert.equal(reply.status, status, reply.text);
    assert.equal(reply.body.error.code, code);
  }
});

test('a validation error names the part, the field and the expected value, and a long one is cut', async () => {
  const token = await signUp('wrongdoer');
  const said = async (method: string, path: string, body?: unknown) => {
    const reply = await call(method, path, { token, ...(body !== undefined && { body }) });
    assert.equal(reply.status, 400, reply.text);
    return reply.body.error.message;
  };
  const of = (part: string) => `The request ${part} is not valid: `;
  const number = 'number must be a whole number, 1 or greater.';
  for (const wrong of ['x', '0', '013', '1.5', '9'.repeat(20)])
    assert.equal(await said('GET', `/repos/a/b/pulls/${wrong}`), of('path') + number);
  assert.match(
    await said('GET', '/articles/7'),
    /^The request path .* valid: \w+ must be a UUID, such as [\da-f-]{36}\.$/,
  );
  assert.equal(
    await said('GET', '/articles?limit=1000&lmit=1'),
    `${of('query')}lmit is not allowed here; allowed: language, host, owner, repo, author, changeType, bots, limit, offset; ` +
      'limit must be a whole number from 1 to 100.',
  );
  assert.equal(
    await said('GET', '/articles?offset=05'),
    `${of('query')}offset must be a whole number from 0 to 2147483647.`,
  );
  assert.equal(await said('POST', '/users/me', []), `${of('body')}it must be an object.`);
  assert.equal(
    await said('POST', '/repos/a/b/import', {}),
    `${of('body')}it must contain exactly one of numbers, last, since and rewrite.`,
  );
  assert.equal(
    await said('POST', '/repos/a/b/import', { since: '2026' }),
    `${of('body')}since must be a date or time, such as 2026-03-01 or 2026-03-01T09:30:00Z.`,
  );
  assert.equal(
    await said('POST', '/users/me/feed/read', { until: 'yesterday' }),
    `${of('body')}until must be an ISO 8601 time, such as 2026-03-01T09:30:00Z.`,
  );
  assert.equal(
    await said('POST', '/users/me', { owner: '', repo: 7 }),
    `${of('body')}owner may contain only letters, digits, single dots, hyphens and underscores, with a / between groups; repo must be text.`,
  );
  const endless = await said('POST', '/users/me', { ['a'.repeat(10_000)]: 1, b: 2, c: 3, d: 4 });
  assert.match(endless, /aaa… .*; see details for the rest\.$/);
  assert.ok(endless.length < 400, endless);
});

test('a path that cannot be decoded or is too long is 400 with the usual headers and a log line without its secrets', async () => {
  const usual = (await call('DELETE', '/nope')).headers;
  for (const [path, logged] of [
    ['/%zz?code=hush#behind', '/%zz'],
    ['/users/%E0%A4%A', '/users/%E0%A4%A'],
    [`/auth/sessions/${'hush'.repeat(101)}`, '/auth/sessions/…'],
  ] as const) {
    const { status, headers, body } = await call('DELETE', path);
    assert.equal(status, 400, path.slice(0, 40));
    assert.equal(body.error.code, 'INVALID_REQUEST');
    assert.deepEqual([...headers.keys()], [...usual.keys()]);
    for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy'])
      assert.equal(headers.get(name), usual.get(name));
    assert.equal(headers.get('x-request-id'), body.error.requestId);
    const line = app.logLines().find(({ reqId }) => reqId === body.error.requestId);
    assert.deepEqual([line?.method, line?.path, line?.status], ['DELETE', logged, 400]);
  }
  assert.equal(JSON.stringify(app.logLines()).includes('hush'), false);
});

test('a browser gets an HTML page for a path that cannot be decoded', async () => {
  const { status, headers, text } = await call('GET', '/%zz', { headers: { accept: 'text/html,*/*' } });
  assert.equal(status, 400);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  assert.match(text, /<a href="\/">/);
});

test('a request with an absolute URL is logged by its path only', async () => {
  const answer = await sendRaw(
    'GET http://ann:hush@localhost/meta?code=hush HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );
  const [, id] = /x-request-id: (\S+)/.exec(answer) ?? [];
  await waitUntil('it is logged', () => app.logLines().some(({ reqId }) => reqId === id));
  assert.equal(app.logLines().find(({ reqId }) => reqId === id)?.path, '/meta');
});

test('an unknown path below a known route is 404, and OPTIONS on a route is 405', async () => {
  assert.equal((await call('GET', '/docs/static/nope')).status, 404);
  assert.equal((await call('OPTIONS', '/users/me')).status, 405);
});

test('a browser gets an HTML page for an unknown path', async () => {
  const { status, headers, text } = await call('GET', '/nope', { headers: { accept: 'text/html,*/*' } });
  assert.equal(status, 404);
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  assert.match(text, /Page not found/);
});

test('a client that prefers JSON never gets HTML, neither from a page nor as an error', async () => {
  const secret = 'a'.repeat(43);
  const token = await signUp('json');
  const paths = [
    ...[
      '/',
      '/go',
      '/find?q=x',
      '/sign-in',
      '/sign-up',
      '/settings',
      '/favorites',
      '/liked',
      '/new',
      '/my/digest',
    ],
    ...['/repositories', '/a/nobody', '/r/no/where', '/r/no/where/release', '/r/no/where/1', '/r/no/where/0'],
    ...['/docs', '/docs/', '/docs/static/index.html', '/auth/callback', '/nope', '/%zz', '/?period=none'],
    ...[`/digest/confirm/${secret}`, `/digest/unsubscribe/${secret}`],
  ];
  for (const path of paths)
    for (const accept of ['application/json', 'application/json, text/html;q=0.5', 'application/*']) {
      // The cache holds the HTML page.
      await call('GET', path, { headers: { accept: 'text/html' } });
      for (const by of [undefined, token]) {
        const { status, headers, body } = await call('GET', path, { token: by, headers: { accept } });
        assert.match(headers.get('content-type') ?? '', /^application\/json/, `${path} ${accept}`);
        assert.ok([400, 404].includes(status) && body.error.code, `${path} ${accept}: ${status}`);
      }
    }
  for (const path of [`/digest/unsubscribe/${secret}`, '/favorites', '/r/no/where/1/like']) {
    const { headers } = await call('POST', path, { raw: '', headers: { accept: 'application/json' } });
    assert.match(headers.get('content-type') ?? '', /^application\/json/, path);
  }
  for (const accept of ['*/*', 'text/html, application/json;q=0.9', 'image/*'])
    assert.match((await call('GET', '/', { headers: { accept } })).headers.get('content-type') ?? '', /html/);
  for (const accept of ['*/*', 'application/json, text/html;q=0.1', 'text/html;q=0'])
    assert.equal((await call('GET', '/nope', { headers: { accept } })).body?.error.code, 'NOT_FOUND', accept);
});

async function sendRaw(text: string): Promise<string> {
  const { port } = new URL(app.url);
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

test('a malformed HTTP request gets a JSON error with a request id', async () => {
  const inputs = [
    'NONSENSE\r\n\r\n',
    'BREW /tea HTTP/1.1\r\nHost: localhost\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  ];
  for (const input of inputs) {
    const answer = await sendRaw(input);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const { success, error } = JSON.parse(body);
    assert.equal(success, false);
    assert.equal(error.code, 'INVALID_REQUEST');
    assert.ok(head.includes(`X-Request-Id: ${error.requestId}`));
    assert.match(head, /x-content-type-options: nosniff/);
  }
});

test('an unsupported Expect header is 400 with a JSON error, and 100-continue is answered', async () => {
  for (const expectation of ['200-ok', '100-continue, more', 'x'.repeat(1_000)]) {
    const answer = await sendRaw(
      `GET /meta HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: ${expectation}\r\n\r\n`,
    );
    assert.match(answer.replace('HTTP/1.1 100 Continue\r\n\r\n', ''), /^HTTP\/1\.1 400 /);
    const { error } = JSON.parse(answer.slice(answer.indexOf('{"')));
    assert.equal(error.code, 'INVALID_REQUEST');
    assert.equal(error.details[0].field, 'expect');
    assert.ok(answer.includes(`x-request-id: ${error.requestId}`));
    const line = app.logLines().find(({ reqId }) => reqId === error.requestId);
    assert.equal(line?.status, 400);
  }
  const answer = await sendRaw(
    'GET /meta HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-Continue\r\n\r\n',
  );
  assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
});

test('the request id is generated, never taken from the caller, and is in the log', async () => {
  const { headers } = await call('GET', '/meta', { headers: { 'x-request-id': 'mine' } });
  const id = headers.get('x-request-id');
  assert.notEqual(id, 'mine');
  const line = app.logLines().find(({ reqId }) => reqId === id);
  assert.equal(line?.path, '/meta');
  assert.equal(line?.status, 200);
});

test('neither tokens nor cookies nor queries are logged', async () => {
  const token = await signUp('secretive');
  const session = (await call('POST', '/auth/session', { token })).body.data.accessToken;
  await call('GET', '/users/me?code=hush', { token, headers: { cookie: 'pullquote_session=pq_hidden' } });
  await call('GET', '/users/me', { token: `${session}x` });
  const log = JSON.stringify(app.logLines());
  for (const secret of [token, session, 'hush', 'pq_hidden']) assert.equal(log.includes(secret), false);
});

test('public reads have an ETag and return 304 for it', async () => {
  for (const path of ['/meta', '/openapi.json', '/']) {
    const first = await call('GET', path);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{27}(-gzip)?"$/, path);
    const second = await call('GET', path, { headers: { 'if-none-match': `"other", ${etag}` } });
    assert.equal(second.status, 304);
    assert.equal(second.text, '');
  }
});

test('clients that disconnect while sending a body cause no error in the log', async () => {
  const { port, hostname } = new URL(app.url);
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(Number(port), hostname);
    const arrived = once(app.server.server, 'request');
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    const [request] = await arrived;
    const ended = new Promise((resolve) => request.once('close', resolve));
    socket.resetAndDestroy();
    await ended;
  }
  const errors = app.logLines().filter(({ level }) => Number(level) >= 50);
  assert.deepEqual(errors, []);
});

test('if the database fails, requests get 503 and /healthz names the database', async () => {
  const broken = await buildTestApp();
  const token = await broken.signUp('fred');
  await broken.database.close();
  const health = await broken.call('GET', '/healthz');
  assert.equal(health.status, 503);
  assert.equal(health.body.error.code, 'UNAVAILABLE');
  assert.equal(health.body.error.details[0].field, 'database');
  assert.ok(health.headers.get('retry-after'));
  const reply = await broken.call('GET', '/users/me', { token });
  assert.equal(reply.status, 503, reply.text);
  assert.doesNotMatch(reply.text, /select/i);
});
