import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { Meta } from '../contract/service.ts';
import { getMeta } from './service.ts';

const root = temporaryFolder();
makeClone(root, 'acme/secret');
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
const minute = 60_000;

test('/meta lists hosts, sign-in methods, languages and writer, and suggests no private pull request', async () => {
  const { body } = await app.call('GET', '/meta');
  const { version, ...offered } = body.data;
  assert.match(version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(offered, {
    hosts: [{ id: 'git', webUrl: null }],
    signIn: ['localToken'],
    languages: ['en', 'ja'],
    writer: 'offline',
    suggestion: null,
  });
});

test('/meta suggests a pull request within a minute after it exists', async () => {
  makeClone(root, 'acme/rocket');
  app.advance(minute);
  const suggested = async () => (await app.call('GET', '/meta')).body.data.suggestion;
  // A response leaves out a suggestion that is not found in time.
  await waitUntil('it is suggested', async () => (await suggested()) !== null);
  const { owner, repo, prNumber } = await suggested();
  assert.deepEqual([owner, repo, prNumber], ['acme', 'rocket', 1]);
  const token = await app.signUp('bob');
  const fetched = await app.call('POST', `/repos/${owner}/${repo}/pulls/${prNumber}/ingest`, { token });
  assert.equal(fetched.status, 201);
});

test('without METRICS_TOKEN /metrics is 404', async () => {
  const { status, body } = await app.call('GET', '/metrics', { token: 'a-token-that-is-long' });
  assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND']);
});

/** A server with only /meta, and a host with a scripted suggestion. */
function serveMeta(suggestPullRequest: () => Promise<null>) {
  const [git = assert.fail('there is no host')] = app.codeHosts;
  const clock = () => new Date(0);
  const server = Fastify();
  server.addSchema(Meta);
  server.route(
    getMeta({
      database: app.database,
      codeHosts: [{ ...git, suggestPullRequest }],
      issuer: null,
      languages: () => ['en'],
      currentModels: () => null,
      clock,
    })('GET', '/meta'),
  );
  return server;
}

test('simultaneous requests for /meta ask the host for a suggestion once a minute', async () => {
  let asked = 0;
  const server = serveMeta(async () => {
    asked += 1;
    return null;
  });
  await Promise.all(Array.from({ length: 50 }, () => server.inject('/meta')));
  await server.inject('/meta');
  assert.equal(asked, 1);
});

test('a host that fails to suggest a pull request does not fail /meta', async () => {
  const reply = await serveMeta(() => Promise.reject(new Error('broken'))).inject('/meta');
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.json().data.suggestion, null);
});
