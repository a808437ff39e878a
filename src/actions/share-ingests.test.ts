import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Gate } from '../domain/gate.ts';
import { anybody } from './call-host.ts';
import { shareIngests } from './share-ingests.ts';

test('who waits for more than a minute is told to come back, and the ingest goes on for whoever asks next', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let questions = 0;
  const found = Promise.withResolvers<null>();
  const unused = () => assert.fail('nothing was found');
  const codeHost = {
    id: 'slow',
    webUrl: null,
    avatarOrigin: null,
    signIn: 'localToken',
    app: null,
    isLocal: true,
    recognizes: () => false,
    identify: unused,
    findRepository: unused,
    findRepositoryById: unused,
    findPullRequest() {
      questions += 1;
      return found.promise;
    },
    linesUrl: () => null,
    suggestPullRequest: async () => null,
    listPullRequests: unused,
    close: async () => {},
  } as const;
  const ingest = shareIngests({
    database: { query: unused, queryBytes: unused, transaction: unused } as never,
    callerOn: async (_codeHost, _viewer, signal) => anybody(signal),
    clock: () => new Date(),
    maxDiffBytes: 1,
    runInThread: unused,
    terms: unused,
    gate: new Gate(),
  });
  const viewer = {
    user: { id: 'ann' },
    identity: { host: 'slow' },
    credential: { kind: 'session' },
  } as never;
  const address = { codeHost, owner: 'acme', name: 'rocket' };
  const first = assert.rejects(ingest(address, 1, viewer), {
    code: 'UNAVAILABLE',
    headers: { 'retry-after': '10' },
  });
  mock.timers.tick(60_000);
  await first;
  const second = assert.rejects(ingest(address, 1, viewer), { code: 'REPOSITORY_NOT_FOUND' });
  found.resolve(null);
  await second;
  assert.equal(questions, 1);
});
