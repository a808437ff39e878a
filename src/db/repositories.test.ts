import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import {
  findRepository,
  makeRepositoryPrivate,
  markRepositoryUnreachable,
  saveRepository,
} from './repositories.ts';
import { grantRepository, markGrantUnreachable, withdrawGrant } from './rights.ts';

const app = await buildTestApp();
const { database } = app;
const userId: string = (await app.call('GET', '/users/me', { token: await app.signUp('ann') })).body.data.id;
const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 9, 30, seconds));
const repository = (hostRepoId: number, isPrivate: boolean) => ({
  host: 'git',
  hostRepoId,
  owner: 'acme',
  name: `r${hostRepoId}`,
  isPrivate,
});

test('a late host response does not override a newer one about a repository, and of two at the same time the one that hides it wins', async () => {
  const { id } = await saveRepository(database, repository(1, false), at(0));
  const isPublic = async () => {
    const viewer = { userId: null, now: at(60), purpose: 'detail' } as const;
    return (await findRepository(database, { repositoryId: id, viewer })) !== null;
  };
  await makeRepositoryPrivate(database, { repositoryId: id, askedAt: at(20) });
  const late = await saveRepository(database, repository(1, false), at(10));
  assert.equal(late.isPrivate, true, 'what holds is told to whoever comes late');
  assert.equal(await isPublic(), false);
  await saveRepository(database, repository(1, false), at(20));
  assert.equal(await isPublic(), false);
  await saveRepository(database, repository(1, false), at(30));
  assert.equal(await isPublic(), true);
  await makeRepositoryPrivate(database, { repositoryId: id, askedAt: at(25) });
  await markRepositoryUnreachable(database, { repositoryId: id, askedAt: at(25) });
  const viewer = { userId: null, now: at(60), purpose: 'detail' } as const;
  const found = await findRepository(database, { repositoryId: id, viewer });
  assert.equal(found?.unreachableSince, null);
  await makeRepositoryPrivate(database, { repositoryId: id, askedAt: at(30) });
  assert.equal(await isPublic(), false);
});

test('a late host response does not override a newer one about the access of a user', async () => {
  const { id: repositoryId } = await saveRepository(database, repository(2, true), at(0));
  const check = (seconds: number) => ({ repositoryId, userId, askedAt: at(seconds) });
  const find = () =>
    findRepository(database, { repositoryId, viewer: { userId, now: at(60), purpose: 'detail' } });
  await grantRepository(database, check(0));
  await withdrawGrant(database, check(20));
  await grantRepository(database, check(10));
  assert.equal(await find(), null);
  await grantRepository(database, check(20));
  assert.equal(await find(), null, 'of the same moment, what hides it');
  await grantRepository(database, check(30));
  await withdrawGrant(database, check(25));
  await markGrantUnreachable(database, check(25));
  assert.deepEqual(await find(), {
    ...repository(2, true),
    id: repositoryId,
    checkedAt: at(30),
    unreachableSince: null,
  });
});
