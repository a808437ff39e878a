import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownPath } from './own-path.ts';

test('whoever comes back stays within the service', () => {
  for (const path of ['/', '/r/acme/rocket/7?language=en#change-2', '/?period=weekly'])
    assert.equal(ownPath(path), path);
  for (const elsewhere of [
    undefined,
    '',
    'r/acme',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/\n\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    ' //evil.example',
  ])
    assert.equal(ownPath(elsewhere), '/', JSON.stringify(elsewhere));
});
