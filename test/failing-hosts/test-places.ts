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
  test('a repository of a renamed owner is found by its old name with its stored data; a new repository of that name is another one', () =>
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

  test('a missing pull request is PULL_REQUEST_NOT_FOUND, and a missing repository REPOSITORY_NOT_FOUND', () =>
    each(async ({ name, pathOf, on, ann }) => {
      const ingest = (path: string) => app.call('POST', `${path}/ingest${on}`, { token: ann });
      const codes = [await ingest(pathOf('rocket').replace(/1$/, '404')), await ingest(pathOf('nothing'))];
      assert.deepEqual(
        codes.map(({ body }) => body.error?.code),
        ['PULL_REQUEST_NOT_FOUND', 'REPOSITORY_NOT_FOUND'],
        name,
      );
    }));

  test('a public repository is private while its server requires sign-in, and public again afterwards', async () => {
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

  test('a host with an untrusted certificate gets no request, and `doctor` names NODE_EXTRA_CA_CERTS', () =>
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
