import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOfOutput, readRecord } from '../../scripts/record-writer.ts';

test('the version of the offline writer is raised whenever its articles about the samples change', async () => {
  assert.equal(
    await hashOfOutput(),
    readRecord().output,
    'The output of the writer changed: run "npm run writer". It raises the version in src/writing/writer-version.json, so that ' +
      'stored articles are rewritten in the background.',
  );
});
