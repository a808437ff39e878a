import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { serveBeside } from '../../test/serve-beside.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import type { Database, Queries } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/secret']) makeClone(root, name);
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
const ann = await app.signUp('ann');
const eve = await app.signUp('eve');
const written = await app.call('POST', '/repos/acme/secret/pulls/1/article', { token: ann, body: {} });
assert.equal(written.status, 201, written.text);

/** Every statement and every call to the host, in order. */
let noted: string[] = [];

function noteStatements<Of extends Queries>(of: Of): Of {
  const note = (statement: Sql): Sql => {
    noted.push(statement.render().text);
    return statement;
  };
  return {
    ...of,
    query: (statement: Sql) => of.query(note(statement)),
    queryBytes: (statement: Sql) => of.queryBytes(note(statement)),
  };
}

const database: Database = {
  ...noteStatements(app.database),
  transaction: (work) => app.database.transaction((tx) => work(noteStatements(tx))),
};

const [git = assert.fail('there is no host')] = app.codeHosts;
const noteQuestion = <Parameters extends unknown[], Answer>(
  name: string,
  ask: (...parameters: Parameters) => Answer,
) => {
  return (...parameters: Parameters): Answer => {
    noted.push(name);
    return ask(...parameters);
  };
};
const codeHost: CodeHost = {
  ...git,
  findRepository: noteQuestion('findRepository', git.findRepository),
  findRepositoryById: noteQuestion('findRepositoryById', git.findRepositoryById),
  findPullRequest: noteQuestion('findPullRequest', git.findPullRequest),
  listPullRequests: noteQuestion('listPullRequests', git.listPullRequests),
  readRange: noteQuestion('readRange', git.readRange),
};
const server = await serveBeside(app, { database, codeHosts: [codeHost] });

const operations: [
  method: 'GET' | 'POST',
  path: (name: string) => string,
  body?: (name: string) => object,
][] = [
  ['GET', (name) => `/repos/acme/${name}/pulls`],
  ['POST', (name) => `/repos/acme/${name}/pulls/1/ingest`],
  ['GET', (name) => `/repos/acme/${name}/pulls/1`],
  ['GET', (name) => `/repos/acme/${name}/pulls/1/diff`],
  ['POST', (name) => `/repos/acme/${name}/pulls/1/article`],
  ['GET', (name) => `/repos/acme/${name}/pulls/1/article`],
  ['GET', (name) => `/repos/acme/${name}/release?from=v1&to=main`],
  ['GET', (name) => `/articles?owner=acme&repo=${name}`],
  ['GET', (name) => `/feeds/r/acme/${name}.atom`],
  ['GET', (name) => `/feeds/r/acme/${name}/digest.json`],
  ['POST', () => '/users/me', (repo) => ({ owner: 'acme', repo })],
];

for (const [method, path, body] of operations) {
  test(`${method} ${path('…')} does the same work for a private repository as for an absent one`, async () => {
    const workFor = async (name: string) => {
      noted = [];
      const reply = await server.inject({
        method,
        url: path(name),
        headers: { authorization: `Bearer ${eve}` },
        ...(body && { payload: body(name) }),
      });
      const { requestId: _, ...answered } = reply.json().error ?? reply.json().data;
      return { status: reply.statusCode, answered: JSON.stringify(answered).replaceAll(name, '…'), noted };
    };
    const absent = await workFor('absent');
    const hidden = await workFor('secret');
    assert.ok(hidden.noted.length > 0);
    assert.deepEqual(hidden, absent);
  });
}
