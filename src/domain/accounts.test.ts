import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostilePaths } from '../../test/hostile-paths.ts';
import { safeReturnPath } from './accounts.ts';

test('`safeReturnPath` returns "/" for 50 forms of open redirect and for a missing path', () => {
  assert.ok(hostilePaths.length >= 50);
  for (const path of hostilePaths) assert.equal(safeReturnPath(path), '/', JSON.stringify(path));
  assert.equal(safeReturnPath(undefined), '/');
});

test('`safeReturnPath` returns "/" for a path that is too long for a cookie once it is encoded', () => {
  assert.equal(safeReturnPath(`/search?words=${'語'.repeat(1_000)}`), '/');
  assert.equal(safeReturnPath(`/search?words=${'x'.repeat(1_000)}`).length, 1_014);
});

test('`safeReturnPath` returns the path of a page unchanged', () => {
  for (const path of [
    '/',
    '/r/acme/rocket/1',
    '/r/acme/rocket/1?language=ja#point-2',
    '/ranking?period=weekly&next=https%3A%2F%2Facme.example',
    '/r/acme/%E6%97%A5',
    '/authors',
    '/r/group%2Fsub/rocket/1?language=ja',
  ])
    assert.equal(safeReturnPath(path), path);
});
