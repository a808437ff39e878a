import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { withDiskQuota } from './run-network-git.ts';

const plenty = 1024 ** 4;

test('`withDiskQuota` goes on when a check of the free space during its work fails, and checks again', async () => {
  let looks = 0;
  const lookedAgain = Promise.withResolvers<void>();
  const freeBytes = async () => {
    looks += 1;
    if (looks === 2) throw new Error('the disk cannot be asked');
    if (looks === 3) lookedAgain.resolve();
    return plenty;
  };
  const outcome = await withDiskQuota(temporaryFolder(), { mostBytes: plenty, freeBytes }, async () => {
    await lookedAgain.promise;
    return 'fetched';
  });
  assert.deepEqual(outcome, { done: 'fetched' });
});
