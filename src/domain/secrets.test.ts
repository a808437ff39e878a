import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isSealedByFirst, parseSecretKeys, type SecretKeys, seal, unseal } from './secrets.ts';

const entry = (version: number) => `${version}:${randomBytes(32).toString('base64url')}`;
const keysOf = (...entries: string[]): SecretKeys =>
  parseSecretKeys(entries.join(',')) ?? assert.fail('no keys');
const [one, two] = [entry(1), entry(2)];
const binding = { purpose: 'saved token', belongsTo: ['alice', 'github'] };

test('`unseal` returns a secret only with the same key, purpose and owner', () => {
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

test('`seal` uses the first key, and `unseal` accepts every key', () => {
  const old = seal(keysOf(one), binding, 'a secret');
  const rotated = keysOf(two, one);
  assert.equal(unseal(rotated, binding, old), 'a secret');
  assert.equal(isSealedByFirst(rotated, old), false);
  const moved = seal(rotated, binding, 'a secret');
  assert.equal(isSealedByFirst(rotated, moved), true);
  assert.equal(unseal(keysOf(two), binding, moved), 'a secret');
  assert.equal(unseal(keysOf(one), binding, moved), null);
});

test('`unseal` returns null for a sealed text that is changed, cut or made up', () => {
  const keys = keysOf(one);
  const sealed = seal(keys, binding, 'a secret');
  for (let index = 0; index < sealed.length; index += 1) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    const changed = `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
    // The last base64url character has unused bits, so changing it may not change the bytes.
    if (index < sealed.length - 1) assert.equal(unseal(keys, binding, changed), null, String(index));
    assert.equal(unseal(keys, binding, sealed.slice(0, index)), null);
  }
  for (const text of ['', '.', '1.', '1.AAAA', `x${sealed}`, `${sealed} `, '1.'.padEnd(60, 'A')])
    assert.equal(unseal(keys, binding, text), null, text);
});
