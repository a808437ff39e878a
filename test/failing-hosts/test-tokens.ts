import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailingHosts } from './build-failing-hosts.ts';
import { raw, say } from './failing-host.ts';

const minute = 60_000;

/** A token is sent only to its own host, and has the rights that the host gives it. */
export function testTokens({ app, hosts, each }: FailingHosts): void {
  test('a token is sent only to the host that its format belongs to', async () => {
    const presented = new Map(hosts.map(({ id }) => [id, new Set<string>()]));
    const stops = hosts.map(({ id, script }) =>
      script(/./, (_response, pass, { headers: { authorization } }) => {
        if (authorization) presented.get(id)?.add(authorization);
        return pass();
      }),
    );
    app.advance(6 * minute);
    for (const asker of hosts) {
      assert.equal((await asker.me(asker.ann)).body.data.hostUsername, 'ann');
      for (const other of hosts.filter((one) => one !== asker)) {
        const saved = { token: asker.ann, body: { accessToken: other.ann } };
        assert.equal((await app.call('POST', `/auth/host-token${asker.on}`, saved)).status, 400);
        assert.ok((await other.ingest(asker.ann)).status < 300, `${asker.name} to ${other.name}`);
      }
    }
    for (const stop of stops) stop();
    for (const { id, ann } of hosts) {
      const seen = [...(presented.get(id) ?? [])].map((one) =>
        one.startsWith('Basic ') ? atob(one.slice(6)) : one,
      );
      assert.ok(
        seen.some((one) => one.includes(ann)) && seen.every((one) => one.includes(ann)),
        `${id}: ${seen}`,
      );
    }
  });

  test('a token without the needed scopes is not saved, and the saved one stays', () =>
    each(async ({ name, on, join, addNarrowToken, addRepository, ingest }) => {
      if (!addNarrowToken) return;
      const token = await join('ivy');
      addRepository(77, 'kept', ['ivy']);
      const save = async (accessToken: string) => {
        const { status, body } = await app.call('POST', `/auth/host-token${on}`, {
          token,
          body: { accessToken },
        });
        return [status, body.error?.code];
      };
      assert.deepEqual(await save(token), [200, undefined], name);
      assert.deepEqual(await save(addNarrowToken('ivy')), [409, 'HOST_TOKEN_INVALID'], name);
      const session = await app.call('POST', '/auth/session', { token });
      const { status, text } = await ingest(session.body.data.accessToken, 'kept');
      assert.equal(status, 201, `${name}: ${text}`);
    }));

  test('equal names on two hosts are two repositories and two accounts', async () => {
    const ids = await Promise.all(hosts.map(async ({ me, ann }) => (await me(ann)).body.data.id));
    assert.equal(new Set(ids).size, hosts.length);
    for (const { url, pathOf, on } of hosts) {
      const { body } = await app.call('GET', pathOf('rocket') + on);
      assert.ok(body.data.hostPrUrl.startsWith(`${url}/`), 'below the folder that it is installed in');
    }
  });

  test('a valid or invalid token is checked with its host once in five minutes, and a token of another format never', async () => {
    app.advance(6 * minute);
    await each(async ({ name, me, ann, takeCalls, lookalikes }) => {
      const nobodys = ann.replace(/.{3}$/, 'fff');
      takeCalls();
      for (const [token, status] of [
        [ann, 200],
        [nobodys, 401],
      ] as const)
        for (let time = 0; time < 3; time += 1) assert.equal((await me(token)).status, status, name);
      assert.equal(takeCalls().filter((call) => call === 'GET /user').length, 2, name);
      for (const token of [...lookalikes, 'pql_x.y', 'x'])
        assert.equal((await me(token)).status, 401, `${name}: ${token}`);
      assert.deepEqual(takeCalls(), [], name);
    });
  });

  test('a token is 401 if its host rejects it, and 502 without being remembered if a proxy does', async () => {
    const dora = new Map<string, string>();
    await each(async ({ id, join }) => void dora.set(id, await join('nell')));
    const answered = [
      ['a page that blocks', () => raw('<html>', { 'content-type': 'text/html' }, 403), 502],
      ['401', () => say(401, { message: 'Bad credentials' }), 401],
      ['that the account is shut out', ({ shutOut }: (typeof hosts)[number]) => shutOut, 401],
    ] as const;
    for (const [what, answerOf, status] of answered) {
      app.advance(6 * minute);
      await each(async (host) => {
        const token = dora.get(host.id) ?? '';
        const stop = host.script(host.paths.account, answerOf(host));
        const reply = await host.me(token);
        stop();
        const after = (await host.me(token)).status;
        assert.deepEqual(
          [reply.status, after],
          [status, status === 401 ? 401 : 200],
          `${host.name}, ${what}: only what the host says is remembered`,
        );
      });
    }
    app.advance(6 * minute);
    await each(async ({ me, id }) => assert.equal((await me(dora.get(id) ?? '')).status, 200));
  });

  test('a logged-out token stays 401, even after 400 days, until it opens a session', async () => {
    const cid = new Map<string, string>();
    const me = async ({ id, me: ask }: (typeof hosts)[number]) => (await ask(cid.get(id) ?? '')).status;
    await each(async (host) => {
      const token = await host.join('cid');
      cid.set(host.id, token);
      assert.equal((await app.call('POST', '/auth/logout', { token })).status, 200);
      assert.equal(await me(host), 401);
    });
    app.advance(400 * 24 * 60 * minute);
    await app.housekeeping.run();
    await each(async (host) => {
      assert.equal(await me(host), 401, 'nobody knows when it expires');
      const session = await app.call('POST', '/auth/session', { token: cid.get(host.id) });
      assert.deepEqual([session.status, await me(host)], [201, 200]);
    });
  });

  test('a token of another application is 401, and one of the own application signs in', () =>
    each(async ({ name, app: { give } }) => {
      const session = async (isOurs: boolean) =>
        (await app.call('POST', '/auth/session', { token: give('ann', isOurs).accessToken })).status;
      assert.deepEqual([await session(false), await session(true)], [401, 201], name);
    }));
}
