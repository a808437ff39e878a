import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBlock, RateLimiter, refillSeconds } from './limits.ts';

test('`RateLimiter` refuses calls beyond its burst, and refills evenly up to the burst', () => {
  const limiter = new RateLimiter(3);
  const take = (now: number) => limiter.take('a', now);
  assert.deepEqual(take(0), { allowed: true, limit: 3, remaining: 2, resetSeconds: refillSeconds / 3 });
  assert.deepEqual(
    [take(0), take(0)].map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 1],
      [true, 0],
    ],
  );
  const refused = { allowed: false, limit: 3, remaining: 0, resetSeconds: refillSeconds / 3 };
  assert.deepEqual(take(0), refused);
  assert.equal(limiter.isExhausted('a', 0), true);
  assert.equal(limiter.isExhausted('b', 0), false, 'who never asked has all');
  const one = (refillSeconds / 3) * 1000;
  assert.equal(take(one - 1).allowed, false);
  assert.equal(limiter.isExhausted('a', one), false);
  assert.equal(take(one).allowed, true);
  assert.equal(take(one).allowed, false);
  assert.equal(take(1e9).remaining, 2, 'a long rest is worth one burst');
  assert.equal(take(0).remaining, 1, 'a clock that goes back gives nothing');
});

test('`RateLimiter` forgets the keys that were quiet longest above 50,000 keys', () => {
  const limiter = new RateLimiter(1);
  const most = 50_000;
  for (let index = 0; index < most; index += 1) limiter.take(`key ${index}`, 0);
  limiter.take('key 0', 0);
  limiter.take('one more', 0);
  limiter.take('and another', 0);
  assert.deepEqual(
    ['key 0', 'key 1', 'key 2', 'key 3', 'one more', 'and another'].map((key) => limiter.isExhausted(key, 0)),
    [true, false, false, true, true, true],
  );
});

test('`addressBlock` returns an IPv4 address itself for each spelling', () => {
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

test('`addressBlock` returns the /64 of an IPv6 address for each spelling', () => {
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

test('`addressBlock` returns text that is not an address unchanged', () => {
  assert.deepEqual(['unknown', '', '_hidden'].map(addressBlock), ['unknown', '', '_hidden']);
});
