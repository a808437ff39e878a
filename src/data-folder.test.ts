import assert from 'node:assert/strict';
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { prepareDataFolder } from './data-folder.ts';
import { StartupProblem } from './domain/errors.ts';

test('a data folder is made with those above it, is closed to others, and may be there already', () => {
  const folder = join(temporaryFolder(), 'above', 'data');
  for (const _ of [1, 2]) {
    prepareDataFolder(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  }
});

test('where no data folder can be, that is said with what is in its way, which stays as it is', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, 'kept', { mode: 0o644 });
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'nowhere'), link);
  for (const [place, reason] of [
    [file, 'EEXIST: a file'],
    [join(file, 'below', 'it'), 'EEXIST: a file'],
    [join(link, 'below'), 'EEXIST: a file'],
    ['/sys/pullquote', 'E(PERM|ACCES|ROFS): '],
    [join(folder, 'long'.repeat(100)), 'ENAMETOOLONG\\)'],
  ] as const) {
    assert.throws(
      () => prepareDataFolder(place),
      (error) =>
        error instanceof StartupProblem && new RegExp(`cannot be used \\(${reason}`).test(error.message),
      place,
    );
  }
  assert.equal(statSync(file).mode & 0o777, 0o644);
  assert.equal(existsSync(join(folder, 'nowhere')), false);
});
