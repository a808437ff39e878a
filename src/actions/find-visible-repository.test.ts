import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import type { CodeHost, HostRepository } from '../code-hosts/code-host.ts';
import { findVisibleRepository } from './find-visible-repository.ts';
import { identifyBearer } from './identify-bearer.ts';
import { ingestPullRequest } from './ingest-pull-request.ts';

const minute = 60_000;
const app = await buildTestApp({ frozen: true });
const [real] = app.codeHosts;
if (!real) throw new Error('The service has no code host.');
let now = Date.now();
const parts = {
  database: app.database,
  codeHosts: app.codeHosts,
  clock: () => new Date(now),
  maxDiffBytes: 1e6,
};

/** A host whose answers about a repository a test decides, and which counts how often it is asked. */
function scripted(answer: () => Promise<HostRepository | null>): { host: CodeHost; asked: () => number } {
  let asked = 0;
  const findRepository = () => {
    asked += 1;
    return answer();
  };
  return { host: { ...(real as CodeHost), findRepository }, asked: () => asked };
}

async function viewerNamed(name: string) {
  const viewer = await identifyBearer(parts, await app.signUp(name));
  if (!viewer?.user) throw new Error(`${name} did not sign up.`);
  return { ...viewer, user: viewer.user };
}

const parcel = { owner: 'harborline', name: 'parcel' };

test('what is known about a repository is renewed every five minutes, and hidden once the host is silent for an hour', async () => {
  await ingestPullRequest(parts, { codeHost: real, ...parcel }, 13, await viewerNamed('first'));
  const found = await real.findRepository('harborline', 'parcel', null);

  const well = scripted(async () => found);
  assert.ok(await findVisibleRepository(parts, { codeHost: well.host, ...parcel }, null));
  assert.equal(well.asked(), 0, 'it was asked a moment ago');
  now += 6 * minute;
  assert.ok(await findVisibleRepository(parts, { codeHost: well.host, ...parcel }, null));
  assert.ok(await findVisibleRepository(parts, { codeHost: well.host, ...parcel }, null));
  assert.equal(well.asked(), 1);

  const silent = scripted(async () => Promise.reject(new Error('no answer')));
  const seen = () => findVisibleRepository(parts, { codeHost: silent.host, ...parcel }, null);
  now += 6 * minute;
  assert.ok(await seen(), 'what was known holds for a while');
  now += 59 * minute;
  assert.ok(await seen());
  now += 2 * minute;
  assert.equal(await seen(), null);
  const asked = silent.asked();
  assert.equal(await seen(), null);
  assert.equal(silent.asked(), asked, 'what is hidden is not asked for');
});

test('a repository that turned private is hidden at the next renewal, and shown to whoever the host shows it to', async () => {
  const insider = await viewerNamed('insider');
  const outsider = await viewerNamed('outsider');
  const { pullRequest } = await ingestPullRequest(parts, { codeHost: real, ...parcel }, 12, insider);
  assert.equal(pullRequest.number, 12);
  const found = await real.findRepository('harborline', 'parcel', null);
  const turned: CodeHost = {
    ...real,
    findRepository: async (_owner, _name, viewer) =>
      found && viewer?.hostUserId === insider.identity.hostUserId ? { ...found, isPrivate: true } : null,
  };
  now += 6 * minute;
  assert.equal(await findVisibleRepository(parts, { codeHost: turned, ...parcel }, outsider), null);
  assert.equal(
    await findVisibleRepository(parts, { codeHost: turned, ...parcel }, insider),
    null,
    'no grant yet',
  );
  await ingestPullRequest(parts, { codeHost: turned, ...parcel }, 12, insider);
  assert.ok(await findVisibleRepository(parts, { codeHost: turned, ...parcel }, insider));
  assert.equal(await findVisibleRepository(parts, { codeHost: turned, ...parcel }, null), null);

  const withdrawn = scripted(async () => null);
  now += 6 * minute;
  assert.equal(await findVisibleRepository(parts, { codeHost: withdrawn.host, ...parcel }, insider), null);
  assert.equal(withdrawn.asked(), 1);
});
