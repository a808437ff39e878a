import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import { makeReleases } from '../../test/make-releases.ts';
import { program, runToEnd } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
makeReleases(root, 'acme/secret');
const database = await freshDatabase();

const run = (...parameters: string[]) =>
  runToEnd({
    command: [process.execPath, program, 'notes', ...parameters],
    environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', PORT: '1', ...database },
  });

test('`pullquote notes` prints the notes of a private clone, and reports a swapped range or a missing clone on standard error with code 1', async () => {
  const notes = await run('acme/secret', 'v1...v2', '--language', 'ja');
  assert.equal(notes.code, 0, notes.stderr);
  assert.match(
    notes.stdout,
    /^# v2\n\nacme\/secret · v1 からの変更\n\n## 互換性に影響\n\n- 修正（互換性に影響）：another thrust \(#6, Rin Example\)\n/,
  );
  const swapped = await run('acme/secret', 'v2...v1');
  assert.deepEqual([swapped.code, swapped.stdout], [1, '']);
  const absent = await run('acme/absent', 'v1...v2');
  assert.deepEqual([absent.code, absent.stdout], [1, '']);
  assert.match(
    absent.stderr,
    /no clone of acme\/absent, .* with the settings of the service, such as PULLQUOTE_DATA/,
  );
  assert.match(swapped.stderr, /v2 comes after v1 .*: pullquote notes acme\/secret v1\.\.\.v2/);
});
