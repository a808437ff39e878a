import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type Reply } from '../../../test/build-app.ts';
import { sql } from '../../db/sql.ts';

const day = 24 * 60 * 60 * 1000;
const app = await buildTestApp();
const { call, tokenFor, signUp } = app;

function assertFailure(reply: Reply, status: number, code: string): void {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.body.error.code, code);
  assert.equal(reply.body.error.requestId, reply.headers.get('x-request-id'));
}

async function openSession(token: string): Promise<string> {
  const { status, body, text } = await call('POST', '/auth/session', { token });
  assert.equal(status, 201, text);
  return body.data.accessToken;
}

test('signup returns the bare user with exactly the nine fields of the specification', async () => {
  const { status, body } = await call('POST', '/auth/signup', {
    token: tokenFor('nina'),
    body: { language: 'en' },
  });
  assert.equal(status, 201);
  assert.deepEqual(Object.keys(body).sort(), [
    'avatarUrl',
    'createdAt',
    'email',
    'hostDisplayName',
    'hostUserId',
    'hostUsername',
    'id',
    'language',
    'updatedAt',
  ]);
  assert.match(body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  assert.ok(Number.isSafeInteger(body.hostUserId) && body.hostUserId > 0);
  assert.equal(body.hostUsername, 'nina');
  assert.equal(body.hostDisplayName, 'nina');
  assert.equal(body.email, `${body.hostUserId}+nina@users.noreply.git`);
  assert.equal(body.language, 'en');
  assert.match(body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.match(body.updatedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const avatar = await fetch(body.avatarUrl);
  assert.equal(avatar.status, 200);
  assert.equal(avatar.headers.get('content-type'), 'image/svg+xml');
});

test('signup without a language sets Japanese, for every way of sending no body', async () => {
  const ways: [string, object][] = [
    ['no-body', {}],
    ['empty-body', { raw: '' }],
    ['empty-json', { raw: '', headers: { 'content-type': 'application/json' } }],
    ['empty-form', { raw: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['empty-object', { body: {} }],
  ];
  for (const [name, options] of ways) {
    const reply = await call('POST', '/auth/signup', { token: tokenFor(name), ...options });
    assert.equal(reply.status, 201, `${name}: ${reply.text}`);
    assert.equal(reply.body.language, 'ja');
  }
});

test('signup refuses an invalid language code, naming the field', async () => {
  const token = tokenFor('linguist');
  for (const language of ['xx', 'EN', 'eng', 'e', '', 'j\u0000', 7, null, ['ja'], {}]) {
    const reply = await call('POST', '/auth/signup', { token, body: { language } });
    assertFailure(reply, 400, 'INVALID_REQUEST');
    assert.deepEqual(
      reply.body.error.details.map((detail: { field: string }) => detail.field),
      ['language'],
    );
  }
  assertFailure(await call('GET', '/users/me', { token }), 404, 'USER_NOT_FOUND');
});

test('a token of an unsupported host is refused with the accepted kinds of tokens', async () => {
  for (const foreign of ['ghp_abc123', 'github_pat_abc123', 'gho_abc123']) {
    const reply = await call('GET', '/users/me', { token: foreign });
    assertFailure(reply, 401, 'UNAUTHORIZED');
    assert.match(
      reply.body.error.message,
      /^This is a GitHub token, but CODE_HOST does not include GitHub\./,
    );
    assert.match(reply.body.error.message, / Send a local token \(pql_…\) from pullquote token NAME\.$/);
  }
  const unknown = await call('GET', '/users/me', { token: 'pql_abc123' });
  assertFailure(unknown, 401, 'UNAUTHORIZED');
  assert.match(unknown.body.error.message, /^This token is invalid, expired or revoked\./);
});

test('signup refuses unknown fields and a JSON body that is not an object', async () => {
  const token = tokenFor('fields');
  const reply = await call('POST', '/auth/signup', { token, body: { langauge: 'en' } });
  assertFailure(reply, 400, 'INVALID_REQUEST');
  assert.deepEqual(reply.body.error.details, [
    { field: 'langauge', problem: 'is not allowed here; allowed: language' },
  ]);
  assert.equal(
    reply.body.error.message,
    'The request body is not valid: langauge is not allowed here; allowed: language.',
  );
  for (const raw of ['null', '[]', '"en"', '7']) {
    const refused = await call('POST', '/auth/signup', {
      token,
      raw,
      headers: { 'content-type': 'application/json' },
    });
    assertFailure(refused, 400, 'INVALID_REQUEST');
  }
});

test('signing up twice is a conflict, regardless of the case of the name', async () => {
  await signUp('twice');
  assertFailure(await call('POST', '/auth/signup', { token: tokenFor('twice') }), 409, 'ALREADY_SIGNED_UP');
  assertFailure(await call('POST', '/auth/signup', { token: tokenFor('TWICE') }), 409, 'ALREADY_SIGNED_UP');
});

test('two hundred simultaneous signups of one identity create one user, and the others get 409', async () => {
  const token = tokenFor('crowd');
  const replies = await Promise.all(
    Array.from({ length: 200 }, () => call('POST', '/auth/signup', { token })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, ...Array(199).fill(409)]);
});

test('a request without a valid token is 401 with a challenge, before its body is checked', async () => {
  const good = tokenFor('mallory');
  const forged = `${good.slice(0, -4)}AAAA`;
  const payload = Buffer.from(
    JSON.stringify({ keyVersion: 1, name: 'root', expiresAt: 9e15, singleUse: false, nonce: '' }),
  );
  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic bWFsbG9yeTpzZWNyZXQ=',
    `Token ${good}`,
    `Bearer ${good} ${good}`,
    `Bearer ${forged}`,
    `Bearer pql_${payload.toString('base64url')}.${'A'.repeat(43)}`,
    'Bearer pql_',
    'Bearer pql_e30.e30',
    'Bearer pq_unknown',
    'Bearer ghp_0123456789abcdefghijABCDEFGHIJ0123456789',
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.',
    `Bearer ${'a'.repeat(5000)}`,
    `Bearer ${tokenFor('late', { expiresInMs: -1 })}`,
  ];
  for (const authorization of headers) {
    const reply = await call('POST', '/users/me', {
      raw: '{not json',
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
    });
    assertFailure(reply, 401, 'UNAUTHORIZED');
    assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer/);
  }
});

test('an identity without an account gets 404 where a user is needed, after its body is checked', async () => {
  const token = tokenFor('stranger');
  assertFailure(await call('GET', '/users/me', { token }), 404, 'USER_NOT_FOUND');
  assertFailure(await call('POST', '/users/me', { token, body: {} }), 400, 'INVALID_REQUEST');
  assertFailure(
    await call('POST', '/users/me', { token, body: { owner: 'harborline', repo: 'parcel' } }),
    404,
    'USER_NOT_FOUND',
  );
});

test('a session token is shown once, works, and is stored only as a hash', async () => {
  await signUp('sasha');
  const { status, body } = await call('POST', '/auth/session', { token: tokenFor('sasha') });
  assert.equal(status, 201);
  assert.match(body.data.accessToken, /^pq_[\w-]{43}$/);
  assert.equal(body.data.revokedAt, null);
  const me = await call('GET', '/users/me', { token: body.data.accessToken });
  assert.equal(me.body.data.hostUsername, 'sasha');
  assert.equal(me.body.data.id, body.data.userId);
  const list = await call('GET', '/auth/sessions', { token: body.data.accessToken });
  assert.equal(list.text.includes(body.data.accessToken), false);
  const rows = await app.database.query(sql`SELECT * FROM sessions`);
  assert.equal(JSON.stringify(rows).includes(body.data.accessToken.slice(3)), false);
  assert.equal(list.body.data.items.length, 1);
});

test('a session can be opened before signup and used to sign up', async () => {
  const session = await call('POST', '/auth/session', { token: tokenFor('early') });
  assert.equal(session.body.data.userId, null);
  const token = session.body.data.accessToken;
  assertFailure(await call('GET', '/users/me', { token }), 404, 'USER_NOT_FOUND');
  const { status, body } = await call('POST', '/auth/signup', { token, body: { language: 'fr' } });
  assert.equal(status, 201);
  assert.equal(body.hostUsername, 'early');
  const { body: list } = await call('GET', '/auth/sessions', { token });
  assert.equal(list.data.items[0].userId, body.id);
});

test('a session cannot open another session', async () => {
  const token = await openSession(tokenFor('nested'));
  assertFailure(await call('POST', '/auth/session', { token }), 403, 'FORBIDDEN');
});

test('logging out ends only the session that was sent', async () => {
  const one = await openSession(tokenFor('leo'));
  const other = await openSession(tokenFor('leo'));
  const { status, body } = await call('POST', '/auth/logout', { token: one });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body.data), ['loggedOutAt']);
  assertFailure(await call('GET', '/auth/sessions', { token: one }), 401, 'UNAUTHORIZED');
  assert.equal((await call('GET', '/auth/sessions', { token: other })).body.data.items.length, 1);
});

test('a local token that was logged out is refused until it opens a session again', async () => {
  const token = await signUp('rosa');
  const second = tokenFor('rosa');
  assert.equal((await call('POST', '/auth/logout', { token })).status, 200);
  assertFailure(await call('GET', '/users/me', { token }), 401, 'UNAUTHORIZED');
  assertFailure(await call('POST', '/auth/logout', { token }), 401, 'UNAUTHORIZED');
  assert.equal((await call('GET', '/users/me', { token: second })).status, 200);
  await openSession(token);
  assert.equal((await call('GET', '/users/me', { token })).status, 200);
});

test('a single-use token opens one session, even for simultaneous requests, and is refused for signup', async () => {
  const token = tokenFor('once', { singleUse: true });
  assertFailure(await call('POST', '/auth/signup', { token }), 401, 'UNAUTHORIZED');
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', '/auth/session', { token })),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(19).fill(401)]);
});

test('`/auth/identity` names the owner of a token without using it up, and refuses used tokens', async () => {
  const token = tokenFor('asker', { singleUse: true });
  for (let asked = 0; asked < 2; asked += 1) {
    const { status, headers, body } = await call('GET', '/auth/identity', { token });
    assert.equal(status, 200);
    assert.deepEqual([body.data.host, body.data.hostUsername], ['git', 'asker']);
    assert.equal(headers.get('cache-control'), 'no-store');
  }
  const session = await openSession(token);
  assertFailure(await call('GET', '/auth/identity', { token }), 401, 'UNAUTHORIZED');
  assert.equal((await call('GET', '/auth/identity', { token: session })).body.data.hostUsername, 'asker');
  assert.equal((await call('GET', '/auth/sessions', { token: session })).body.data.pagination.totalItems, 1);
  assertFailure(await call('GET', '/auth/identity', { token: `${tokenFor('asker')}x` }), 401, 'UNAUTHORIZED');
  assertFailure(await call('GET', '/auth/identity'), 401, 'UNAUTHORIZED');
});

test('sessions are listed newest first in pages, and only to their owner', async () => {
  const tokens: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    tokens.push(await openSession(tokenFor('paula')));
    app.advance(10);
  }
  const [token = ''] = tokens;
  const first = await call('GET', '/auth/sessions?limit=2', { token });
  assert.equal(first.body.data.items.length, 2);
  assert.deepEqual(first.body.data.pagination, { totalItems: 3, limit: 2, offset: 0 });
  assert.equal(first.headers.get('link'), '</auth/sessions?limit=2&offset=2>; rel="next"');
  const last = await call('GET', '/auth/sessions?limit=2&offset=2', { token });
  assert.equal(last.body.data.items.length, 1);
  assert.equal(last.headers.get('link'), '</auth/sessions?limit=2&offset=0>; rel="prev"');
  const created = [...first.body.data.items, ...last.body.data.items].map(({ createdAt }) => createdAt);
  assert.deepEqual(created, [...created].sort().reverse());
  const other = await call('GET', '/auth/sessions', { token: tokenFor('quentin') });
  assert.deepEqual(other.body.data.items, []);
});

test('a session in the list is current only if the request was made with it', async () => {
  const token = tokenFor('rhea');
  const opened = [
    (await call('POST', '/auth/session', { token })).body.data,
    (await call('POST', '/auth/session', { token })).body.data,
  ];
  assert.deepEqual(
    opened.map(({ current }) => current),
    [false, false],
  );
  const currentOnes = async (sent: string) => {
    const { body } = await call('GET', '/auth/sessions', { token: sent });
    assert.equal(body.data.items.length, 2);
    return body.data.items.filter(({ current }: { current: boolean }) => current);
  };
  for (const { id, accessToken } of opened) {
    assert.deepEqual(
      (await currentOnes(accessToken)).map((session: { id: string }) => session.id),
      [id],
    );
  }
  assert.deepEqual(await currentOnes(token), []);
});

test('a session is ended by id once, and only by its owner', async () => {
  const session = await call('POST', '/auth/session', { token: tokenFor('uma') });
  const path = `/auth/sessions/${session.body.data.id}`;
  await openSession(tokenFor('victor'));
  assertFailure(await call('DELETE', path, { token: tokenFor('victor') }), 404, 'NOT_FOUND');
  const ended = await call('DELETE', path, { token: tokenFor('uma') });
  assert.equal(ended.status, 200);
  assert.notEqual(ended.body.data.revokedAt, null);
  assertFailure(
    await call('GET', '/auth/sessions', { token: session.body.data.accessToken }),
    401,
    'UNAUTHORIZED',
  );
  assertFailure(await call('DELETE', path, { token: tokenFor('uma') }), 404, 'NOT_FOUND');
  assertFailure(
    await call('DELETE', '/auth/sessions/17', { token: tokenFor('uma') }),
    400,
    'INVALID_REQUEST',
  );
});

test('a cookie session shows no token, allows writes only from its own origin, and is cleared by logging out', async () => {
  const { status, body, headers } = await call('POST', '/auth/session', {
    token: tokenFor('cookie-monster'),
    body: { cookie: true },
  });
  assert.equal(status, 201);
  assert.equal('accessToken' in body.data, false);
  const setCookie = headers.get('set-cookie') ?? '';
  assert.match(
    setCookie,
    /^pullquote_session=pq_[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const cookie = setCookie.split(';')[0] ?? '';

  assert.equal((await call('GET', '/auth/sessions', { headers: { cookie } })).status, 200);
  const foreign = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `${app.url}.evil.example` },
  ];
  for (const origin of foreign) {
    assertFailure(await call('POST', '/auth/signup', { headers: { cookie, ...origin } }), 403, 'FORBIDDEN');
  }
  assert.equal((await call('POST', '/auth/signup', { headers: { cookie, origin: app.url } })).status, 201);

  const bothSent = { cookie, authorization: 'Bearer pq_nonsense' };
  assertFailure(await call('GET', '/users/me', { headers: bothSent }), 401, 'UNAUTHORIZED');

  const out = await call('POST', '/auth/logout', { headers: { cookie, origin: app.url } });
  assert.match(out.headers.get('set-cookie') ?? '', /^pullquote_session=; .*Expires=Thu, 01 Jan 1970/);
  assertFailure(await call('GET', '/auth/sessions', { headers: { cookie } }), 401, 'UNAUTHORIZED');
});

test('a login name with another spelling is updated at the next session', async () => {
  const token = await signUp('kim');
  app.advance(1000);
  await openSession(tokenFor('KIM'));
  const { body } = await call('GET', '/users/me', { token: await openSession(tokenFor('Kim')) });
  assert.equal(body.data.hostUsername, 'Kim');
  assert.ok(body.data.updatedAt > body.data.createdAt);
  assert.equal((await call('GET', '/users/me', { token })).body.data.id, body.data.id);
});

test('a session ends after 14 idle days, and after 90 days in any case', async () => {
  const idle = await openSession(tokenFor('idle', { expiresInMs: 400 * day }));
  const busy = await openSession(tokenFor('busy', { expiresInMs: 400 * day }));
  for (let week = 1; week <= 12; week += 1) {
    app.advance(7 * day);
    assert.equal((await call('GET', '/auth/sessions', { token: busy })).status, 200, `busy in week ${week}`);
    if (week >= 2) assert.equal((await call('GET', '/auth/sessions', { token: idle })).status, 401);
  }
  app.advance(6 * day);
  assert.equal((await call('GET', '/auth/sessions', { token: busy })).status, 401);
});
