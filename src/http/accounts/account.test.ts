import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';

const { call, signUp, tokenFor, advance } = await buildTestApp();

test('the current user is returned in the envelope, with private caching', async () => {
  const token = await signUp('ada');
  const { status, body, headers } = await call('GET', '/users/me', { token });
  assert.equal(status, 200);
  assert.equal(body.success, true);
  assert.equal(body.data.hostUsername, 'ada');
  assert.equal(headers.get('cache-control'), 'private, no-cache');
  assert.equal(headers.get('vary'), 'Authorization, Cookie, Accept, Accept-Language');
});

test('the language can be changed only to valid codes, and no other field', async () => {
  const token = await signUp('ben');
  advance(1000);
  const changed = await call('PATCH', '/users/me', { token, body: { language: 'de' } });
  assert.equal(changed.status, 200);
  assert.equal(changed.body.data.language, 'de');
  assert.ok(changed.body.data.updatedAt > changed.body.data.createdAt);
  for (const body of [{}, { language: 'xx' }, { language: 'de', email: 'x@example.org' }]) {
    assert.equal((await call('PATCH', '/users/me', { token, body })).status, 400);
  }
  assert.equal((await call('GET', '/users/me', { token })).body.data.language, 'de');
});

test('deleting an account deletes its favorites and sessions, and the user can sign up again', async () => {
  const token = await signUp('cleo');
  const { body: before } = await call('GET', '/users/me', { token });
  const session = (await call('POST', '/auth/session', { token })).body.data.accessToken;
  await call('POST', '/users/me', { token, body: { owner: 'harborline', repo: 'parcel' } });
  assert.equal((await call('DELETE', '/users/me', { token })).status, 200);
  assert.equal((await call('GET', '/users/me', { token: session })).status, 401);
  assert.equal((await call('GET', '/users/me', { token })).status, 404);
  assert.equal((await call('DELETE', '/users/me', { token })).status, 404);

  await signUp('cleo');
  const after = await call('GET', '/users/me', { token: tokenFor('cleo') });
  assert.notEqual(after.body.data.id, before.data.id);
  const favorites = await call('GET', '/users/me/favorite-repositories', { token: tokenFor('cleo') });
  assert.deepEqual(favorites.body.data.items, []);
});

test('a body is refused where none is expected, naming its fields', async () => {
  const token = await signUp('dora');
  const { status, body } = await call('POST', '/auth/logout', { token, body: { everywhere: true } });
  assert.equal(status, 400);
  assert.deepEqual(body.error.details, [{ field: 'everywhere', problem: 'is not allowed here' }]);
  assert.equal((await call('GET', '/users/me', { token })).status, 200);
});

test('a generated avatar is the same SVG each time, without sign-in', async () => {
  const token = await signUp('emil');
  const { avatarUrl } = (await call('GET', '/users/me', { token })).body.data;
  const path = new URL(avatarUrl).pathname;
  const [one, other] = await Promise.all([call('GET', path), call('GET', path)]);
  assert.equal(one.text, other.text);
  assert.match(one.text, /^<svg /);
  assert.equal((await call('GET', '/avatars/nobody.svg')).status, 400);
});
