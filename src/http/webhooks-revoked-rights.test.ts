import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { deliver, webhookSecret } from '../../test/github/deliver.ts';
import { pull, repository } from '../../test/github/state.ts';
import { buildBeside } from '../../test/leak-matrix/build-matrix-app.ts';
import { githubColumn } from '../../test/leak-matrix/hosts/github-column.ts';
import { runMatrix } from '../../test/leak-matrix/run-matrix.ts';
import { operatorOf } from '../../test/operator-of.ts';
import { rowsToRun } from '../../test/tables.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const database = await freshDatabase();
const { app, github, join, environment } = await buildGitHubApp({
  database,
  environment: {
    GITHUB_TOKEN: 'ghp_tokenOfservice',
    GITHUB_WEBHOOK_SECRETS: webhookSecret,
    PUBLIC_URL: 'https://pullquote.example',
  },
});

/** Another process on the same database. */
const beside = await buildBeside(app, { database, environment });
const apps = [app, beside];

/** One route of each kind that shows repositories; bench/leak-matrix.ts asks all. */
const simplest =
  /^\/(?:|articles|articles\/[^/?A-Z]+|ranking[^?]*|favorites|users\/me\/(?:feed|watches|favorite-repositories)|r\/[^?A-Z]*\/1|repos\/[^?A-Z]*(?:article|diff)|jobs\/[^/?A-Z]*|a\/[^/?]+|repositories|sitemap\/all.xml|cards\/[^?A-Z]+)$/;

test('rights revoked by a GitHub event end within a second on every route, also on another process', async () => {
  const counts = await runMatrix(
    { app, columns: [githubColumn(github)], clones: null },
    {
      inOrders: ['told by webhooks'],
      // A replaced repository sends the same event as a deleted one.
      inStates: rowsToRun(['private', 'turned private', 'public', 'deleted', 'silent'] as const, (state) =>
        state === 'private' ? 'never public' : 'public at first',
      ),
      answering: beside,
      choose: (probes) =>
        probes.filter(
          ({ method, path, accept }) => method !== 'HEAD' && accept === undefined && simplest.test(path),
        ),
    },
  );
  const leaks = counts.flatMap((count) => count.leaks);
  const probes = counts.reduce((all, count) => all + count.probes, 0);
  console.log(
    `leak matrix after events: ${leaks.length} leaks in ${probes} probes to a process that did not hear of them`,
  );
  assert.deepEqual(leaks, []);
  for (const { state, told } of counts)
    if (state === 'public' || state === 'private') assert.ok(told > 0, `who may see what is ${state} does`);
});

let ids = 7_000;

/** A private repository with articles requested by some users. */
async function withPrivate(tokens: string[]) {
  ids += 1;
  const on = repository(ids, `acme/hidden-${ids}`, {
    visibility: 'private',
    visibleTo: new Set(['bea', 'cat', 'dan']),
    pulls: [pull(1, 'words')],
  });
  github.state.repositories.push(on);
  const path = `/repos/acme/hidden-${ids}/pulls/1/article`;
  for (const token of tokens) await app.call('POST', path, { token, body: { language: 'en' } });
  const statusesFor = (token: string) =>
    Promise.all(apps.map(async ({ call }) => (await call('GET', path, { token })).status));
  return { on, statusesFor };
}

const all = (status: number): number[] => apps.map(() => status);

test('each event that can revoke rights hides a repository only from users whom GitHub no longer shows it to', async () => {
  const [bea, cat, dan] = [await join('bea'), await join('cat'), await join('dan')];
  const idOf = (login: string) => github.state.accounts.find((one) => one.login === login)?.id;
  const told: [event: string, payload: (id: number) => object][] = [
    ['member', (id) => ({ action: 'removed', member: { id: idOf('cat') }, repository: { id } })],
    ['membership', () => ({ action: 'removed', organization: { login: 'Acme' } })],
    ['organization', () => ({ action: 'member_removed', organization: { login: 'acme' } })],
    [
      'organization',
      () => ({ action: 'renamed', organization: { login: 'b' }, changes: { login: { from: 'acme' } } }),
    ],
    [
      'team',
      (id) => ({ action: 'removed_from_repository', organization: { login: 'x' }, repository: { id } }),
    ],
    ['installation', () => ({ action: 'suspend', installation: { account: { id: 1, login: 'acme' } } })],
    [
      'installation',
      (id) => ({ action: 'deleted', installation: { account: null }, repositories: [{ id }] }),
    ],
    ['installation_repositories', (id) => ({ action: 'removed', repositories_removed: [{ id }] })],
    ['github_app_authorization', () => ({ action: 'revoked', sender: { id: idOf('cat') } })],
    ['public', (id) => ({ repository: { id } })],
  ];
  for (const [event, payload] of rowsToRun(told, ([event]) => event)) {
    const { on: hidden, statusesFor } = await withPrivate([bea, cat]);
    hidden.visibleTo.delete('cat');
    app.advance(1_000);
    assert.deepEqual(await statusesFor(cat), all(200), `${event}: nobody has said anything yet`);
    // As stored by a process whose clock is ahead.
    await app.database.query(sql`
      UPDATE repository_grants SET confirmed_at = confirmed_at + interval '1 minute'
      FROM repositories WHERE repositories.id = repository_id AND host_repo_id = ${hidden.id}`);
    assert.equal(await deliver(app.server, event, payload(hidden.id)), 202, event);
    app.advance(1_000);
    assert.deepEqual(await statusesFor(cat), all(404), event);
    assert.deepEqual(await statusesFor(bea), all(200), `${event}: it is asked for anew with her own token`);
    assert.deepEqual(await statusesFor(dan), all(404), `${event}: who was never shown it is not asked for`);
  }
});

test('after an event a repository stays hidden while GitHub is silent, even if an earlier check was answered', async () => {
  const bea = 'ghp_tokenOfbea';
  const { on: hidden, statusesFor } = await withPrivate([bea]);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const end = github.script(new RegExp(`^/repositories/${hidden.id}`), async (_response, pass) => {
    asked.resolve();
    await answered.promise;
    await pass();
  });
  app.advance(6 * 60_000);
  const before = app.call('GET', `/repos/acme/${hidden.name}/pulls/1/article`, { token: bea });
  await asked.promise;
  app.advance(1);
  assert.equal(
    await deliver(app.server, 'member', { action: 'removed', repository: { id: hidden.id } }),
    202,
  );
  answered.resolve();
  assert.equal((await before).status, 404, 'she was asked about before the event');
  end();
  app.advance(1);
  const silence = github.script(
    new RegExp(`^/repositories/${hidden.id}`),
    (response) => void response.destroy(),
  );
  assert.deepEqual(await statusesFor(bea), all(404));
  silence();
  app.advance(10 * 60_000);
  assert.deepEqual(await statusesFor(bea), all(200));
});

/** A user who revokes the app on GitHub, and the status each process returns to them. */
async function takingBack(login: string) {
  const token = await join(login);
  const account = github.state.accounts.find((one) => one.login === login) ?? assert.fail();
  const statuses = () =>
    Promise.all(apps.map(async ({ call }) => (await call('GET', '/users/me', { token })).status));
  assert.deepEqual(await statuses(), all(200));
  account.tokens.clear();
  const payload = { action: 'revoked', sender: { id: account.id } };
  return { statuses, tell: () => deliver(app.server, 'github_app_authorization', payload) };
}

test('a user who revokes the app is 401 on every process at once, despite a recent check', async () => {
  const { statuses, tell } = await takingBack('eve');
  assert.deepEqual(await statuses(), all(200), 'what GitHub said holds for five minutes');
  assert.equal(await tell(), 202);
  await waitUntil('no process knows her', async () => !(await statuses()).includes(200));
  assert.deepEqual(await statuses(), all(401));
});

test('a user who revokes the app while no process listens is 401 once one listens again', async () => {
  const { statuses, tell } = await takingBack('fay');
  await operatorOf(app).endListeners();
  assert.equal(await tell(), 202);
  await waitUntil('she is unknown', async () => !(await statuses()).includes(200));
});
