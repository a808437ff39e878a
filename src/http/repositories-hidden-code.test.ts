import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { startGitea } from '../../test/gitea/stand-in.ts';
import { standInCertificate } from '../../test/github/stand-in.ts';
import { startGitLab } from '../../test/gitlab/stand-in.ts';
import { chooseFew } from '../../test/leak-matrix/few-probes.ts';
import { giteaColumn } from '../../test/leak-matrix/hosts/gitea-column.ts';
import { gitlabColumn } from '../../test/leak-matrix/hosts/gitlab-column.ts';
import type { HostColumn, MatrixRepository } from '../../test/leak-matrix/hosts/host-column.ts';
import { runMatrix } from '../../test/leak-matrix/run-matrix.ts';

const minute = 60_000;

const [gitea, gitlab] = [await startGitea({ folder: '/gitea' }), await startGitLab({ below: '/lab' })];

/** Hosts whose public repositories can have hidden code, with the path that shows whether it is. */
const hosts = [
  {
    column: giteaColumn(gitea),
    script: gitea.script,
    asked: /\/pulls\?state=all&limit=1$/,
    requireSignIn: () => void Object.assign(gitea.state, { requiresSignIn: true }),
  },
  {
    column: gitlabColumn(gitlab),
    script: gitlab.script,
    asked: /\/merge_requests\?per_page=1&view=simple$/,
    requireSignIn: () => void Object.assign(gitlab.state, { isClosed: true }),
  },
];

const start = ({ environment, id }: HostColumn) =>
  buildTestApp({
    frozen: true,
    environment: { CODE_HOST: id, NODE_EXTRA_CA_CERTS: standInCertificate, ...environment },
  });

for (const { column, script, asked, requireSignIn } of hosts) {
  const app = await start(column);
  const { id: host, owner } = column;
  const join = async (login: string) => {
    const token = column.addAccount(login);
    await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
    return token;
  };
  column.addAccount('service');
  const [ann, stranger] = [await join('ann'), await join('bea')];
  const add = (id: number, name: string): MatrixRepository => {
    const members = ['ann', 'service'];
    const added = { id, owner, name, words: `canary-${name}`, author: 'mona', members };
    column.add(added);
    return added;
  };
  const pathOf = ({ name }: MatrixRepository) => `/repos/${encodeURIComponent(owner)}/${name}/pulls/1`;
  const ingest = async (of: MatrixRepository, token: string) =>
    (await app.call('POST', `${pathOf(of)}/ingest`, { token })).status;
  const statuses = async (of: MatrixRepository) => {
    const reads = [ann, stranger, undefined].map((token) => app.call('GET', pathOf(of), { token }));
    return (await Promise.all(reads)).map(({ status }) => status);
  };

  test(`${host}: a public repository with hidden code is treated as private, for reads and for other users' ingests`, async () => {
    const hidden = add(501, 'hidden');
    column.closeCode(hidden);
    assert.equal(await ingest(hidden, stranger), 404, 'the token of the service sees it');
    assert.equal(await ingest(hidden, ann), 201);
    assert.deepEqual(await statuses(hidden), [200, 404, 404]);
    for (const part of ['diff', 'article']) {
      const { status } = await app.call('GET', `${pathOf(hidden)}/${part}`);
      assert.equal(status, 404, part);
    }
    assert.equal(await ingest(hidden, stranger), 404);
    const listed = await app.call('GET', pathOf(hidden).replace(/\/1$/, ''), { token: ann });
    assert.deepEqual([listed.status, listed.body.data.items.length], [200, 1]);
    const turned = add(502, 'turned');
    assert.equal(await ingest(turned, ann), 201);
    assert.deepEqual(await statuses(turned), [200, 200, 200]);
    column.closeCode(turned);
    app.advance(6 * minute);
    // Users who were not checked as members before are checked now.
    assert.deepEqual((await statuses(turned)).slice(1), [404, 404]);
    assert.equal(await ingest(turned, ann), 200);
    assert.deepEqual(await statuses(turned), [200, 404, 404]);
  });

  test(`${host}: if the host does not say whether a repository is visible, it stays public or hidden as before; if the host refuses, it is hidden`, async () => {
    const [shown, hidden] = [add(503, 'shown'), add(504, 'closed')];
    column.closeCode(hidden);
    assert.deepEqual([await ingest(shown, ann), await ingest(hidden, ann)], [201, 201]);
    const answerNobody = (answer: (response: ServerResponse) => void) =>
      script(asked, (response, pass, request) => (request.headers.authorization ? pass() : answer(response)));
    const silences: [string, (response: ServerResponse) => void][] = [
      ['429', (response) => response.writeHead(429, { 'retry-after': '60' }).end('{}')],
      ['503', (response) => response.writeHead(503).end('{}')],
      ['nothing', (response) => response.destroy()],
    ];
    for (const [what, answer] of silences) {
      app.advance(6 * minute);
      const takeBack = answerNobody(answer);
      assert.deepEqual((await statuses(shown)).slice(1), [200, 200], what);
      assert.ok((await ingest(hidden, ann)) >= 429, what);
      assert.deepEqual(await statuses(hidden), [200, 404, 404], what);
      assert.ok((await ingest(hidden, stranger)) >= 400, what);
      takeBack();
      app.advance(6 * minute);
      assert.deepEqual(await statuses(shown), [200, 200, 200], `after ${what}`);
    }
    app.advance(6 * minute);
    const takeBack = answerNobody((response) => response.writeHead(403).end('<p>Denied</p>'));
    assert.deepEqual((await statuses(shown)).slice(1), [404, 404], 'what is refused is no silence');
    assert.equal(await ingest(shown, ann), 200);
    assert.deepEqual(await statuses(shown), [200, 404, 404]);
    takeBack();
  });

  test(`${host}: no list, feed, search or tool mentions a repository with hidden code`, async () => {
    const counts = await runMatrix(
      { app, columns: [column], clones: null },
      {
        inOrders: ['lists kept in memory'],
        inStates: ['code off', 'code turned off'],
        choose: chooseFew,
      },
    );
    assert.deepEqual(
      counts.map(({ state, told }) => [state, told > 0]),
      [
        ['code off', true],
        ['code turned off', true],
      ],
    );
    assert.deepEqual(
      counts.flatMap(({ leaks }) => leaks),
      [],
    );
  });

  test(`${host}: on a server that requires sign-in, no repository is public`, async () => {
    const known = add(505, 'known');
    assert.equal(await ingest(known, ann), 201);
    requireSignIn();
    app.advance(6 * minute);
    assert.deepEqual((await statuses(known)).slice(1), [404, 404]);
    const fresh = add(506, 'fresh');
    assert.equal(await ingest(fresh, ann), 201);
    assert.deepEqual(await statuses(fresh), [200, 404, 404]);
    const { accessToken } = (await app.call('POST', '/auth/session', { token: stranger })).body.data;
    assert.equal(await ingest(fresh, accessToken), 404, 'a session without a token is shown what is public');
  });
}
