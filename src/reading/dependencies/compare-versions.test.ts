import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, type VersionChange } from './compare-versions.ts';

const pairs: [string | null, string | null, VersionChange][] = [
  ['1.2.3', '1.2.4', 'upgraded'],
  ['^1.9.0', '^1.10.0', 'upgraded'],
  ['^1.2.3', '~2.0.0', 'upgraded'],
  ['~> 7.0', '~> 7.1', 'upgraded'],
  ['v2', 'v3.1.0', 'upgraded'],
  ['>= 12.22.0', '>= 14.6.0', 'upgraded'],
  ['2023.10.1', '2024.1.0', 'upgraded'],
  ['1.0.0-alpha.9', '1.0.0-alpha.10', 'upgraded'],
  ['1.0.0-beta.2', '1.0.0-rc.1', 'upgraded'],
  ['2.0.0-rc.1', '2.0.0', 'upgraded'],
  ['1.0a5', '1.0b1', 'upgraded'],
  ['18-alpine', '20-alpine', 'upgraded'],
  ['v0.0.0-20200101000000-0123456789ab', 'v0.0.0-20210101000000-ba9876543210', 'upgraded'],
  ['>=0.7.0,<1.0.0', '>=0.11.1,<1.0.0', 'upgraded'],
  ['^17.0.0 || ^18.0.0', '^17.0.1 || ^18.2.0', 'upgraded'],
  ['99999999999999999998.0', '99999999999999999999.0', 'upgraded'],
  ['3.0.0', '2.9.9', 'downgraded'],
  ['1.24rc2-alpine', '1.23.5-alpine', 'downgraded'],
  ['1.0.0', '1.0.0-rc.1', 'downgraded'],
  ['^1.2.3', '1.2.3', 'changed'],
  ['^18', '^18 || ^19', 'changed'],
  ['>=0.6,<0.8', '>=0.6,<0.9', 'changed'],
  ['<2', '>=2', 'changed'],
  ['v2.3.4', 'v2', 'changed'],
  ['1.2', '1.2.0', 'changed'],
  ['18-alpine', '18-slim', 'changed'],
  ['main', 'v4', 'changed'],
  ['1d97d84f0bc547f7b25f4c2170d87d810dc2fb2c', '82202e5e9c2f4ef1a55a3d02563e1cb6041e5332', 'changed'],
  ['1.0.0-canary.1', '1.0.0-beta.1', 'changed'],
  ['[1.0,2.0)', '[1.1,2.0)', 'changed'],
  [null, '1.0', 'changed'],
  ['', '1.0', 'changed'],
];

for (const [from, to, change] of pairs) {
  test(`from ${from} to ${to} it is ${change}`, () => assert.equal(compareVersions(from, to), change));
}

test('an upgrade read backwards is a downgrade', () => {
  for (const [from, to, change] of pairs) {
    const backwards = change === 'upgraded' ? 'downgraded' : change === 'downgraded' ? 'upgraded' : 'changed';
    assert.equal(compareVersions(to, from), backwards, `${to} to ${from}`);
  }
});
