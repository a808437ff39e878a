import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownHosts, networkHosts } from '../../src/code-hosts/known-hosts.ts';
import { takeExclusiveLock } from '../../src/db/local-server/server-folder.ts';
import { createEgressClient } from '../../src/egress/egress-client.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { FailingHosts } from './build-failing-hosts.ts';

const minute = 60_000;

/** Moved repositories, hosts behind a sign-in, and hosts with an unknown certificate. */
export function testPlaces({ app, each }: FailingHosts): void {
  test('a repository whose owner was renamed is found by its old name, and keeps what is stored; another that takes the name is another', () =>
    each(async (host) => {
      const first = await host.ingest(host.ann, 'comet');
      host.move(72, 'acme-renamed');
      const again = await host.ingest(host.ann, 'comet');
      assert.deepEqual([first.status, again.status], [200, 200], `${host.name}: ${again.text}`);
      assert.deepEqual([again.body.data.id, again.body.data.owner], [first.body.data.id, 'acme-renamed']);
      host.addRepository(121, 'comet');
      const other = await host.codeHost.findPullRequest(host.owner, 'comet', 1, host.asAnn);
      assert.equal(other?.repository.hostRepoId, 121, host.name);
    }));

  test('what is not there is not there, as a number and as a repository', () =>
    each(async ({ name, pathOf, on, ann }) => {
      const ingest = (path: string) => app.call('POST', `${path}/ingest${on}`, { token: ann });
      const codes = [await ingest(pathOf('rocket').replace(/1$/, '404')), await ingest(pathOf('nothing'))];
      assert.deepEqual(
        codes.map(({ body }) => body.error?.code),
        ['PULL_REQUEST_NOT_FOUND', 'REPOSITORY_NOT_FOUND'],
        name,
      );
    }));

  test('what a server that is closed to those without an account calls public is private, until it opens', async () => {
    app.advance(61 * minute);
    await each(async (host) => {
      host.close(true);
      assert.equal((await host.ingest(host.ann)).status, 200, host.name);
      const seen = [undefined, host.ann].map(
        async (token) => (await app.call('GET', host.pathOf('rocket') + host.on, { token })).status,
      );
      assert.deepEqual(await Promise.all(seen), [404, 200], host.name);
      const { accessToken } = (await app.call('POST', '/auth/session', { token: host.bea })).body.data;
      assert.equal(
        (await host.ingest(accessToken)).status,
        404,
        `${host.name}, by a session without a token`,
      );
    });
    app.advance(6 * minute);
    await each(async (host) => {
      host.close(false);
      assert.equal((await host.ingest(host.ann)).status, 200, host.name);
      assert.equal((await app.call('GET', host.pathOf('rocket') + host.on)).status, 200, host.name);
    });
  });

  test('a certificate that nobody vouches for is not trusted: no token goes out, and the doctor says what to name', () =>
    each(async ({ id, name, owner, asAnn, takeCalls }) => {
      const definition = Object.values(networkHosts).find((one) => one.id === id) ?? assert.fail(name);
      const connect = (rules: Parameters<typeof createEgressClient>[1]) => createEgressClient({}, rules);
      const surroundings = {
        searchPath: process.env.PATH ?? '',
        clock: app.now,
        connect,
        networkForGit: () => assert.fail('nothing is fetched'),
        takeLock: takeExclusiveLock,
      };
      const settings = { ...app.config, dataFolder: temporaryFolder() };
      takeCalls();
      const host = await definition.open(settings as never, surroundings);
      await assert.rejects(host.findRepository(owner, 'rocket', asAnn), { code: 'HOST_ERROR' }, name);
      await host.close();
      const { findings } = await knownHosts[id as keyof typeof networkHosts].examine(settings as never, {
        connect,
        listAddedClones: async () => [],
      });
      assert.match(findings[0]?.remedy ?? '', /NODE_EXTRA_CA_CERTS/, name);
      assert.deepEqual(takeCalls(), [], name);
    }));
}
