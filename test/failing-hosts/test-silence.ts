import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/db/sql.ts';
import { waitUntil } from '../wait-until.ts';
import type { FailingHosts, HostInService } from './build-failing-hosts.ts';
import { json } from './failing-host.ts';

const second = 1_000;
const minute = 60 * second;

/** Slow and silent hosts. The longest of these tests takes as long as one timeout. */
export function testSilence({ app, each }: FailingHosts): void {
  test('a late response confirms a repository, so that a slow host keeps it visible for longer than an hour', async () => {
    const [open, guarded] = [310, 311];
    await each(async ({ addRepository, ingest, ann }) => {
      addRepository(open, 'open');
      addRepository(guarded, 'guarded', ['ann']);
      for (const name of ['open', 'guarded']) assert.equal((await ingest(ann, name)).status, 201);
    });
    const isConfirmed = async (host: HostInService) => {
      const rows = await app.database.query(sql`
        SELECT 1 FROM repositories LEFT JOIN repository_grants AS grants ON grants.repository_id = repositories.id
        WHERE host = ${host.id} AND host_repo_id IN (${open}, ${guarded})
          AND COALESCE(confirmed_at, checked_at) = ${app.now()}`);
      return rows.length === 2;
    };
    const readSlowly = (host: HostInService) => {
      const gone = Promise.withResolvers<void>();
      const stop = host.script(
        /^\/(?:(?:repositories|projects)\/31[01]|repos\/acme\/open)$/,
        async (_response, pass) => {
          await gone.promise;
          await pass();
        },
      );
      const read = async (name: string, token?: string) =>
        (await app.call('GET', host.pathOf(name) + host.on, { token })).status;
      return Promise.all([read('open'), read('guarded', host.ann)]).finally(() => {
        gone.resolve();
        stop();
      });
    };
    for (const minutes of [6, 61]) {
      app.advance(minutes * minute);
      await each(async (host) => {
        assert.deepEqual(await readSlowly(host), [200, 200], `${host.name} after ${minutes} minutes`);
        await waitUntil(`${host.name} is heard`, () => isConfirmed(host));
      });
    }
  });

  test('two failed calls do not stop the next; after three in a row the host is not called for 30 seconds', async () => {
    const fail = (host: HostInService) =>
      host.script(host.paths.account, (response) => void response.destroy());
    const firstOn = new Map<string, string>();
    await each(async (host) => {
      const [first = '', ...others] = ['gus', 'hal', 'ivy'].map((login) => host.addAccount(login));
      firstOn.set(host.id, first);
      const stop = fail(host);
      for (const token of others) assert.equal((await host.me(token)).status, 502, host.name);
      stop();
      const asked = await host.me(others[0] ?? '');
      assert.equal(asked.status, 404, `${host.name}: two failures, and then not signed up`);
      const stopAgain = fail(host);
      for (let time = 0; time < 3; time += 1) assert.equal((await host.me(first)).status, 502, host.name);
      stopAgain();
      host.takeCalls();
      assert.equal((await host.me(first)).status, 504, `${host.name}: three failures`);
      assert.deepEqual(host.takeCalls(), [], `${host.name} is left alone`);
    });
    app.advance(31 * second);
    await each(async (host) =>
      assert.equal((await host.me(firstOn.get(host.id) ?? '')).status, 404, host.name),
    );
  });

  test('a slow response times out without delaying others; a silent host is not called for 30 seconds, and stored data stays readable', async () => {
    app.advance(6 * minute);
    await each(prepare);
    const waiting = new Map<string, Promise<unknown>>();
    const stops: (() => void)[] = [];
    await each(async (host) => {
      const { id, script, pathsOf, ingest, ann, bea } = host;
      const asked = new Set<string>();
      const note = (name: string) => () => void asked.add(name);
      stops.push(
        script(pathsOf('slow').pullRequest, note('slow')),
        // The first request for commits gets no response; later ones pass.
        script(/\/commits/, (_response, pass) => (asked.has('late') ? pass() : note('late')())),
        script(pathsOf('drips').pullRequest, (response) => {
          note('drips')();
          const drip = setInterval(() => response.write(' '), 200);
          response.writeHead(200, json).on('close', () => clearInterval(drip));
          // A host that began to respond is not silent, so this comes before all hosts fall silent.
          response.flushHeaders();
        }),
      );
      const given = ['slow', 'late', 'drips'].map(async (name) => {
        const { status, body } = await ingest(name === 'drips' ? bea : ann, name);
        return [status, body.error?.code];
      });
      waiting.set(id, Promise.all(given));
      await waitUntil(`${host.name} is asked`, () => asked.size === 3);
      assert.equal((await ingest(bea)).status, 200, `${host.name}: others are answered`);
      stops.push(script(/./, () => {}));
      waiting.set(`${id} as a whole`, Promise.all(strangersOn(host).map((token) => host.me(token))));
    });
    await each(async (host) => {
      assert.deepEqual(
        await waiting.get(host.id),
        [
          [504, 'HOST_TIMEOUT'],
          [504, 'HOST_TIMEOUT'],
          [502, 'HOST_ERROR'],
        ],
        host.name,
      );
      const whole = (await waiting.get(`${host.id} as a whole`)) as { status: number }[];
      assert.deepEqual(
        whole.map(({ status }) => status),
        [504, 504, 504],
        host.name,
      );
    });
    for (const stop of stops) stop();
    const alone = (host: HostInService) => host.me(strangersOn(host)[0] ?? '').then(({ status }) => status);
    await each(async ({ takeCalls }) => void takeCalls());
    await each(async (host) => assert.equal(await alone(host), 504, host.name));
    app.advance(29 * second);
    await each(async (host) => {
      assert.equal(await alone(host), 504, host.name);
      assert.equal((await app.call('GET', host.pathOf('rocket') + host.on)).status, 200, host.name);
      assert.deepEqual(host.takeCalls(), [], `${host.name} is left alone`);
    });
    app.advance(2 * second);
    await each(async (host) => assert.equal(await alone(host), 404, `${host.name}: not signed up`));
  });
}

/** Accounts on each host for enough failing requests that the host is not asked any more. */
const strangers = new Map<string, string[]>();
const strangersOn = ({ id }: HostInService): string[] => strangers.get(id) ?? assert.fail(id);

async function prepare(host: HostInService): Promise<void> {
  for (const [place, name] of ['slow', 'late', 'drips'].entries()) host.addRepository(300 + place, name);
  strangers.set(
    host.id,
    ['dee', 'eli', 'fay'].map((login) => host.addAccount(login)),
  );
  for (const token of [host.ann, host.bea]) assert.equal((await host.me(token)).status, 200);
  assert.equal((await host.ingest(host.bea)).status, 200);
}
