import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isSealedByFirst, parseSecretKeys, type SecretKeys, seal, unseal } from './secrets.ts';

const entry = (version: number) => `${version}:${randomBytes(32).toString('base64url')}`;
const keysOf = (...entries: string[]): SecretKeys =>
  parseSecretKeys(entries.join(',')) ?? assert.fail('no keys');
const [one, two] = [entry(1), entry(2)];
const binding = { purpose: 'saved token', belongsTo: ['alice', 'github'] };

test('what is sealed is read with the same keys for the same purpose and person, and with nothing else', () => {
  const keys = keysOf(one);
  const sealed = seal(keys, binding, 'a secret');
  assert.doesNotMatch(sealed, /secret/);
  assert.notEqual(seal(keys, binding, 'a secret'), sealed);
  assert.equal(unseal(keys, binding, sealed), 'a secret');
  const others = [
    { ...binding, purpose: 'sign-in' },
    { ...binding, belongsTo: ['bob', 'github'] },
    { ...binding, belongsTo: ['alice', 'gitlab'] },
    { ...binding, belongsTo: ['alicegithub'] },
  ];
  for (const other of others) assert.equal(unseal(keys, other, sealed), null);
  assert.equal(unseal(keysOf(two), binding, sealed), null);
  assert.equal(unseal(keysOf(one.replace('1:', '2:')), binding, sealed.replace('1.', '2.')), null);
});

test('the first key writes and all read', () => {
  const old = seal(keysOf(one), binding, 'a secret');
  const rotated = keysOf(two, one);
  assert.equal(unseal(rotated, binding, old), 'a secret');
  assert.equal(isSealedByFirst(rotated, old), false);
  const moved = seal(rotated, binding, 'a secret');
  assert.equal(isSealedByFirst(rotated, moved), true);
  assert.equal(unseal(keysOf(two), binding, moved), 'a secret');
  assert.equal(unseal(keysOf(one), binding, moved), null);
});

test('whatever is changed, cut or made up is nothing', () => {
  const keys = keysOf(one);
  const sealed = seal(keys, binding, 'a secret');
  for (let index = 0; index < sealed.length; index += 1) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    const changed = `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
    // The last letter carries bits that stand for nothing.
    if (index < sealed.length - 1) assert.equal(unseal(keys, binding, changed), null, String(index));
    assert.equal(unseal(keys, binding, sealed.slice(0, index)), null);
  }
  for (const text of ['', '.', '1.', '1.AAAA', `x${sealed}`, `${sealed} `, '1.'.padEnd(60, 'A')])
    assert.equal(unseal(keys, binding, text), null, text);
});
