import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone, makeMirror } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/Anvil', 'acme/secret', 'acme/d.o-t_s']) makeClone(root, name);
makeMirror(root, 'Mirrors/pond', join(root, 'acme/rocket'));

const environment = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=insider+Second' };
const app = await buildTestApp({ environment });
const { call, signUp } = app;

test('a new favorite is 201, and the same again is 200 with the same record', async () => {
  const token = await signUp('fay');
  const me = await call('GET', '/users/me', { token });
  const first = await call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
  assert.equal(first.status, 201);
  assert.deepEqual(Object.keys(first.body).sort(), ['data', 'message', 'success']);
  assert.equal(first.body.success, true);
  const { id, hostRepoId, registeredAt, ...named } = first.body.data;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.ok(Number.isSafeInteger(hostRepoId));
  assert.match(registeredAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(named, {
    userId: me.body.data.id,
    repositoryFullName: 'acme/rocket',
    owner: 'acme',
    repo: 'rocket',
  });

  app.advance(5000);
  const again = await call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body.data, first.body.data);
  assert.equal(again.body.success, true);
  assert.equal(typeof again.body.message, 'string');
});

test('another spelling of a repository is the same favorite, on both paths', async () => {
  const token = await signUp('gil');
  const first = await call('POST', '/users/me', { token, body: { owner: 'ACME', repo: 'anvil' } });
  assert.equal(first.status, 201);
  assert.equal(first.body.data.repositoryFullName, 'acme/Anvil');
  for (const path of ['/users/me', '/users/me/favorite-repositories']) {
    const again = await call('POST', path, { token, body: { owner: 'Acme', repo: 'ANVIL' } });
    assert.equal(again.status, 200);
    assert.equal(again.body.data.id, first.body.data.id);
  }
  const list = await call('GET', '/users/me/favorite-repositories', { token });
  assert.equal(list.body.data.pagination.totalItems, 1);
});

test('mirrors and names with dots, hyphens and underscores can be favorites', async () => {
  const token = await signUp('hal');
  const mirror = await call('POST', '/users/me', { token, body: { owner: 'mirrors', repo: 'pond' } });
  assert.equal(mirror.body.data.repositoryFullName, 'Mirrors/pond');
  assert.equal(
    (await call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'd.o-t_s' } })).status,
    201,
  );
});

test('sixty simultaneous registrations create one favorite', async () => {
  const token = await signUp('ivy');
  const body = { owner: 'acme', repo: 'rocket' };
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => call('POST', '/users/me', { token, body })),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(59).fill(200), 201]);
  assert.equal(new Set(replies.map((reply) => reply.body.data.id)).size, 1);
  const list = await call('GET', '/users/me/favorite-repositories', { token });
  assert.equal(list.body.data.pagination.totalItems, 1);
});

test('an invalid owner or repository name is 400 and names the field', async () => {
  const token = await signUp('jon');
  const wrong: unknown[] = [
    undefined,
    '',
    'a//b',
    'a/..',
    '/a',
    'a/',
    '..',
    '.',
    'a..b',
    'a\u0000b',
    'a\nb',
    'x'.repeat(401),
    7,
    null,
    ['a'],
    ' ',
  ];
  for (const value of wrong) {
    for (const field of ['owner', 'repo']) {
      const body = { owner: 'acme', repo: 'rocket', [field]: value };
      const reply = await call('POST', '/users/me', { token, body });
      assert.equal(reply.status, 400, `${field} ${JSON.stringify(value)}: ${reply.text}`);
      assert.deepEqual(
        reply.body.error.details.map((detail: { field: string }) => detail.field),
        [field],
      );
    }
  }
  const named = await call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'a/b' } });
  assert.deepEqual(named.body.error.details, [
    { field: 'repo', problem: 'may contain only letters, digits, single dots, hyphens and underscores' },
  ]);
});

test('an unknown repository, or a folder that is not a clone, is 404', async () => {
  const token = await signUp('kay');
  const names = [
    ['acme', 'nothing'],
    ['nobody', 'rocket'],
    ['acme', '.git'],
    ['acme', 'rocket.git'],
    ['Mirrors', 'pond.git'],
    ['pond.git', 'objects'],
  ];
  for (const [owner, repo] of names) {
    const reply = await call('POST', '/users/me', { token, body: { owner, repo } });
    assert.equal(reply.status, 404, `${owner}/${repo}`);
    assert.equal(reply.body.error.code, 'REPOSITORY_NOT_FOUND');
  }
  const list = await call('GET', '/users/me/favorite-repositories', { token });
  assert.equal(list.body.data.pagination.totalItems, 0);
});

test('an unknown code host or query parameter is 400', async () => {
  const token = await signUp('lea');
  const body = { owner: 'acme', repo: 'rocket' };
  assert.equal((await call('POST', '/users/me?host=git', { token, body })).status, 201);
  const reply = await call('POST', '/users/me?host=svn&colour=red', { token, body });
  assert.equal(reply.status, 400);
  assert.deepEqual(reply.body.error.details.map((detail: { field: string }) => detail.field).sort(), [
    'colour',
    'host',
  ]);
});

test('favorites are listed newest first in pages, and invalid limits and offsets are 400', async () => {
  const token = await signUp('max');
  for (const repo of ['rocket', 'Anvil', 'd.o-t_s']) {
    await call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
    app.advance(10);
  }
  const page = await call('GET', '/users/me/favorite-repositories?limit=2', { token });
  assert.deepEqual(
    page.body.data.items.map((item: { repo: string }) => item.repo),
    ['d.o-t_s', 'Anvil'],
  );
  assert.deepEqual(page.body.data.pagination, { totalItems: 3, limit: 2, offset: 0 });
  assert.equal(page.headers.get('link'), '</users/me/favorite-repositories?limit=2&offset=2>; rel="next"');
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit=',
    'limit=1&limit=2',
    'offset=-1',
    'offset=1.5',
    'limit=Infinity',
    'limit=1e1',
    'limit=0x10',
    'limit=%205',
  ]) {
    const reply = await call('GET', `/users/me/favorite-repositories?${query}`, { token });
    assert.equal(reply.status, 400, query);
    assert.equal(reply.body.error.details[0].field, query.split('=')[0]);
  }
});

test('favorites are filtered by owner and repository, ignoring case', async () => {
  const token = await signUp('named');
  for (const repo of ['rocket', 'anvil'])
    await call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
  await call('POST', '/users/me', { token, body: { owner: 'mirrors', repo: 'pond' } });
  const list = async (query: string) => {
    const { body } = await call('GET', `/users/me/favorite-repositories?${query}`, { token });
    const names = body.data.items.map((item: { repositoryFullName: string }) => item.repositoryFullName);
    assert.equal(body.data.pagination.totalItems, names.length);
    return names.sort();
  };
  assert.deepEqual(await list('owner=ACME'), ['acme/Anvil', 'acme/rocket']);
  assert.deepEqual(await list('repo=pond'), ['Mirrors/pond']);
  assert.deepEqual(await list('owner=acme&repo=Rocket'), ['acme/rocket']);
  assert.deepEqual(await list('owner=acme&repo=Rocket&host=git'), ['acme/rocket']);
  assert.deepEqual(await list('owner=acme&repo=pond'), []);
  const wrong = await call('GET', '/users/me/favorite-repositories?owner=a//b', { token });
  assert.equal(wrong.status, 400);
  assert.equal(wrong.body.error.details[0].field, 'owner');
});

test('a favorite is removed once, and only by its owner', async () => {
  const token = await signUp('nat');
  const { body } = await call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
  const path = `/users/me/favorite-repositories/${body.data.id}`;
  assert.equal((await call('DELETE', path, { token: await signUp('olga') })).status, 404);
  assert.equal((await call('DELETE', path, { token })).status, 200);
  assert.equal((await call('DELETE', path, { token })).status, 404);
  for (const id of ['1', `urn:uuid:${body.data.id}`, `{${body.data.id}}`]) {
    assert.equal((await call('DELETE', `/users/me/favorite-repositories/${id}`, { token })).status, 400);
  }
});

test('a private repository can be a favorite only of its listed users; for others it looks absent', async () => {
  const body = { owner: 'acme', repo: 'secret' };
  const outsider = await signUp('outsider');
  const hidden = await call('POST', '/users/me', { token: outsider, body });
  const absent = await call('POST', '/users/me', {
    token: outsider,
    body: { owner: 'acme', repo: 'absent' },
  });
  const neutral = (text: string) => text.replace(/[0-9a-f-]{36}/, 'ID').replaceAll(/secret|absent/g, 'NAME');
  assert.equal(hidden.status, 404);
  assert.equal(neutral(hidden.text), neutral(absent.text));

  for (const name of ['insider', 'second']) {
    const token = await signUp(name);
    assert.equal((await call('POST', '/users/me', { token, body })).status, 201);
    const list = await call('GET', '/users/me/favorite-repositories', { token });
    assert.equal(list.body.data.items[0].repositoryFullName, 'acme/secret');
  }
});

test('a symbolic link to a private clone is as private as the clone', async () => {
  mkdirSync(join(root, 'alias'));
  symlinkSync(join(root, 'acme/secret'), join(root, 'alias/linked'));
  symlinkSync(join(root, 'acme/secret/.git'), join(root, 'alias/bare.git'));
  const body = (repo: string) => ({ owner: 'alias', repo });
  const [insider, outsider] = [app.tokenFor('insider'), app.tokenFor('outsider')];
  for (const repo of ['linked', 'bare']) {
    assert.equal((await call('POST', '/users/me', { token: outsider, body: body(repo) })).status, 404);
    assert.equal((await call('POST', '/users/me', { token: insider, body: body(repo) })).status, 201);
  }
});

test('requests that race with the deletion of the account succeed or get 404', async () => {
  for (let round = 0; round < 10; round += 1) {
    const token = await signUp(`brief-${round}`);
    const favorite = { token, body: { owner: 'acme', repo: 'rocket' } };
    const language = { token, body: { language: 'en' } };
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => call('POST', '/users/me', favorite)),
      call('DELETE', '/users/me', { token }),
      call('DELETE', '/users/me', { token }),
      ...Array.from({ length: 5 }, () => call('PATCH', '/users/me', language)),
    ]);
    for (const { status, text } of replies) assert.ok([200, 201, 404].includes(status), text);
    const deletions = replies.slice(5, 7).filter(({ status }) => status === 200);
    assert.equal(deletions.length, 1, 'one deletion deletes');
    for (const { status, body } of replies.slice(7))
      if (status === 200) assert.equal(body.data.language, 'en');
  }
});
