import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBlock } from './address-block.ts';

test('an IPv4 address is counted by itself, however it is written', () => {
  for (const address of [
    '192.0.2.7',
    '::ffff:192.0.2.7',
    '::FFFF:c000:207',
    '0:0:0:0:0:ffff:192.0.2.7',
    '192.0.2.7:4711',
    '[::ffff:192.0.2.7]:4711',
  ])
    assert.equal(addressBlock(address), '192.0.2.7', address);
  assert.notEqual(addressBlock('192.0.2.8'), addressBlock('192.0.2.7'));
});

test('an IPv6 address is counted by its /64, however it is written', () => {
  const block = addressBlock('2001:db8:0:7::1');
  for (const address of [
    '2001:DB8:0:7:ffff:ffff:ffff:ffff',
    '2001:0db8:0000:0007::',
    '2001:db8:0:7:1::192.0.2.1',
    '[2001:db8:0:7::2]:443',
    '2001:db8:0:7::1%eth0',
  ])
    assert.equal(addressBlock(address), block, address);
  assert.equal(addressBlock('::1'), addressBlock('0:0:0:0:1::'));
  assert.equal(addressBlock('2001:db8::7:0:0:1'), addressBlock('2001:db8::1'));
  const others = ['2001:db8:0:8::1', '2001:db8::1', '::1', '64:ff9b::192.0.2.1'];
  assert.equal(new Set([block, ...others.map(addressBlock)]).size, 5);
});

test('what a proxy calls somebody without an address is counted as it is', () => {
  assert.deepEqual(['unknown', '', '_hidden'].map(addressBlock), ['unknown', '', '_hidden']);
});
