import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { onlyTo, scriptHost } from '../../../test/script-host.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const root = temporaryFolder();
const app = await buildTestApp({ environment: { GIT_REPOS: root }, frozen: true });
const script = scriptHost(app);

const down = async () => Promise.reject(new Error('no answer'));
const open = async <Found>(found: Found) => found;

beforeEach(() => {
  script.decide = open;
  script.beforePullRequest = async () => {};
  // An hour is longer than any check stays fresh, so tests do not share checks.
  app.advance(hour);
});

/** A clone with pull request 1, and calls to ingest and read it. */
function begin(name: string) {
  makeClone(root, `acme/${name}`, 'feat: begin (#1)');
  const path = `/repos/acme/${name}/pulls/1`;
  return {
    path,
    ingest: (who: string) => app.call('POST', `${path}/ingest`, { token: app.tokenFor(who) }),
    statusFor: async (who?: string) =>
      (await app.call('GET', path, { token: who && app.tokenFor(who) })).status,
  };
}

const people = ['ann', 'bea', 'insider', 'outsider', 'stays', 'leaves'];
for (const name of people) await app.signUp(name);

test('a public repository is checked again after five minutes, hidden after an hour without an answer, and shown again once its host answers', async () => {
  const { ingest, statusFor } = begin('known');
  await ingest('ann');
  script.takeAskers();
  assert.equal(await statusFor(), 200);
  assert.deepEqual(script.takeAskers(), [], 'it was asked a moment ago');
  app.advance(6 * minute);
  assert.equal(await statusFor(), 200);
  assert.equal(await statusFor(), 200);
  assert.deepEqual(script.takeAskers(), [null], 'asked once, with nobody in particular');

  script.decide = down;
  app.advance(6 * minute);
  assert.equal(await statusFor(), 200, 'what was known holds for a while');
  app.advance(59 * minute);
  assert.equal(await statusFor(), 200);
  app.advance(2 * minute);
  assert.equal(await statusFor(), 404);
  const answered = Promise.withResolvers<void>();
  script.decide = async (found) => {
    await answered.promise;
    return found;
  };
  app.advance(2 * minute);
  assert.equal(await statusFor(), 404, 'nobody waits for what is hidden');
  answered.resolve();
  let status = 404;
  for (let read = 0; read < 100 && status === 404; read += 1) status = await statusFor();
  assert.equal(status, 200, 'it is asked for in the background');
});

test('a repository that turned private is hidden at the next check, and then shown only to users with a grant from its host', async () => {
  const { ingest, statusFor } = begin('turned');
  await ingest('insider');
  script.decide = onlyTo('insider');
  app.advance(6 * minute);
  assert.equal(await statusFor('outsider'), 404);
  assert.equal(await statusFor('insider'), 404, 'no grant yet');
  app.advance(second);
  assert.equal((await ingest('insider')).status, 200);
  assert.equal(await statusFor('insider'), 200);
  assert.equal(await statusFor('outsider'), 404);
  assert.equal(await statusFor(), 404);
  script.takeAskers();
  app.advance(6 * minute);
  assert.equal(await statusFor('outsider'), 404);
  assert.deepEqual(script.takeAskers(), [], 'without a grant the host is not asked');
  assert.equal(await statusFor('insider'), 200);
  assert.deepEqual(script.takeAskers(), ['insider'], 'with the rights of whoever looks');
});

test('a user who lost access stays without it when another user renews their own grant', async () => {
  const { ingest, statusFor } = begin('lost');
  script.decide = onlyTo('stays', 'leaves');
  for (const name of ['stays', 'leaves']) assert.ok((await ingest(name)).status < 300);
  script.decide = onlyTo('stays');
  for (let read = 0; read < 4; read += 1) {
    app.advance(2 * minute);
    assert.equal(await statusFor('stays'), 200);
  }
  assert.equal(await statusFor('leaves'), 404);
  script.takeAskers();
  app.advance(6 * minute);
  assert.equal(await statusFor('leaves'), 404);
  assert.deepEqual(script.takeAskers(), [], 'a grant that was withdrawn is none');
});

test('a repository that turns private during an ingest does not become public again', async () => {
  const { ingest, statusFor } = begin('ingested');
  await ingest('ann');
  app.advance(6 * minute);
  script.beforePullRequest = async () => {
    script.decide = onlyTo('somebody');
    app.advance(second);
    assert.equal(await statusFor(), 404, 'somebody else notices that it is private now');
  };
  assert.equal((await ingest('ann')).status, 404);
  assert.equal(await statusFor(), 404);
  assert.equal(await statusFor('ann'), 404);
});

test('a stored repository is checked by its host id, so a repository that takes its old name does not hide it', async (context) => {
  const { path, ingest, statusFor } = begin('named');
  const { id } = (await ingest('ann')).body.data;
  app.advance(6 * minute);
  const { findRepository, findRepositoryById } = script.host;
  context.after(() => Object.assign(script.host, { findRepository, findRepositoryById }));
  script.host.findRepository = async (...asked) => {
    const found = await findRepository(...asked);
    return found && { ...found, hostRepoId: found.hostRepoId + 1 };
  };
  script.host.findRepositoryById = async (...asked) => {
    const found = await findRepositoryById(...asked);
    return found && { ...found, name: 'spaceship' };
  };
  assert.equal(await statusFor(), 404, 'it has another name now');
  const renamed = await app.call('GET', '/repos/acme/spaceship/pulls/1');
  assert.equal(renamed.body.data.id, id);
  assert.equal((await ingest('ann')).status, 201, 'another repository of the old name');
  assert.notEqual((await app.call('GET', path)).body.data.id, id);
});

test('100 concurrent readers of an expired check ask the host once, and once per viewer for a private repository', async () => {
  const { ingest, statusFor } = begin('crowd');
  await ingest('ann');
  app.advance(6 * minute);
  script.takeAskers();
  const read = (names: (string | undefined)[]) =>
    Promise.all(Array.from({ length: 100 }, (_, index) => statusFor(names[index % names.length])));
  assert.deepEqual([...new Set(await read([undefined, 'ann']))], [200]);
  assert.deepEqual(script.takeAskers(), [null]);

  script.decide = onlyTo('ann', 'bea');
  app.advance(second);
  for (const name of ['ann', 'bea']) assert.ok((await ingest(name)).status < 300);
  app.advance(6 * minute);
  script.takeAskers();
  assert.deepEqual([...new Set(await read(['ann', 'bea']))], [200]);
  assert.deepEqual(script.takeAskers().sort(), ['ann', 'bea']);
});

test('a host that does not answer is not asked again for half a minute, and readers do not wait for it', async () => {
  const { ingest, statusFor } = begin('silent');
  await ingest('ann');
  const silence = Promise.withResolvers<never>();
  script.decide = () => silence.promise;
  app.advance(6 * minute);
  script.takeAskers();
  for (let read = 0; read < 50; read += 1) assert.equal(await statusFor(), 200);
  assert.deepEqual(script.takeAskers(), [null]);
  silence.reject(new Error('no answer'));
  script.decide = open;
  app.advance(29 * second);
  assert.equal(await statusFor(), 200);
  assert.deepEqual(script.takeAskers(), [], 'not yet');
  app.advance(40 * second);
  assert.equal(await statusFor(), 200);
  assert.equal(await statusFor(), 200);
  assert.deepEqual(script.takeAskers(), [null]);
});

test('a late answer of a host counts by when it was asked: a refusal hides, and an older approval does not undo a newer refusal', async () => {
  const { path, ingest, statusFor } = begin('tardy');
  script.decide = onlyTo('ann', 'bea');
  for (const name of ['ann', 'bea']) assert.ok((await ingest(name)).status < 300);
  const session = await app.call('POST', '/auth/session', { token: app.tokenFor('bea') });
  app.advance(6 * minute);
  const late = Promise.withResolvers<void>();
  script.decide = async (found, viewer) => {
    await late.promise;
    return onlyTo('bea')(found, viewer);
  };
  assert.deepEqual(await Promise.all([statusFor('ann'), statusFor('bea')]), [200, 200]);
  app.advance(second);
  script.decide = onlyTo();
  const token = session.body.data.accessToken;
  assert.equal((await app.call('GET', path, { token })).status, 404, 'refused to another credential of bea');
  late.resolve();
  await waitUntil('the refusal counts', async () => (await statusFor('ann')) === 404);
  for (let read = 0; read < 20; read += 1) assert.equal(await statusFor('bea'), 404);
  app.advance(6 * minute);
  script.takeAskers();
  assert.deepEqual([await statusFor('ann'), await statusFor('bea')], [404, 404]);
  assert.deepEqual(script.takeAskers(), [], 'neither has a grant any more');
});

test('a repository whose host lookup always fails does not stop the checks of others', async () => {
  const [rocket, broken] = [begin('rocket'), begin('broken')];
  for (const { ingest } of [rocket, broken]) await ingest('ann');
  script.decide = async (found) => (found.name === 'broken' ? down() : found);
  for (let minutes = 0; minutes < 120; minutes += 1) {
    app.advance(minute);
    await broken.statusFor();
    assert.equal(await rocket.statusFor(), 200, `after ${minutes} minutes`);
  }
  assert.equal(await broken.statusFor(), 404);
});

test('a grant lasts an hour while the host fails for its user, even when it answers for other users', async () => {
  const { ingest, statusFor } = begin('grant');
  script.decide = onlyTo('ann', 'bea');
  for (const name of ['ann', 'bea']) assert.ok((await ingest(name)).status < 300);
  script.decide = (found, viewer) => (viewer?.hostUsername === 'ann' ? down() : onlyTo('bea')(found, viewer));
  const readBoth = async () => {
    // A successful check ends the pause after a failed one, so the next request asks the host again.
    const told = await statusFor('bea');
    return [await statusFor('ann'), told];
  };
  app.advance(6 * minute);
  assert.deepEqual(await readBoth(), [200, 200]);
  app.advance(59 * minute);
  assert.deepEqual(await readBoth(), [200, 200]);
  app.advance(2 * minute);
  assert.deepEqual(await readBoth(), [404, 200]);
});

test('lists include a private repository whose grant is at most a day old, and opening a pull request renews the grant', async () => {
  const { path, statusFor } = begin('listed');
  script.decide = onlyTo('ann');
  const first = app.tokenFor('ann');
  await app.call('POST', '/users/me', { token: first, body: { owner: 'acme', repo: 'listed' } });
  await app.call('POST', `${path}/article`, { token: first, body: { language: 'en' } });
  const listed = async () => {
    const token = app.tokenFor('ann');
    const favorites = await app.call('GET', '/users/me/favorite-repositories', { token });
    const articles = await app.call('GET', '/articles', { token });
    return [favorites, articles].map(({ body }) => body.data.pagination.totalItems);
  };
  app.advance(23 * hour);
  assert.deepEqual(await listed(), [1, 1]);
  app.advance(2 * hour);
  assert.deepEqual(await listed(), [0, 0]);
  assert.equal(await statusFor('ann'), 200);
  assert.deepEqual(await listed(), [1, 1]);
});
