import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostUserIn } from './host-user-claim.ts';

test('a claim names somebody by a whole number, in digits, or with the name of the host', () => {
  const firebase = { firebase: { identities: { 'github.com': ['583231'] } } };
  assert.equal(hostUserIn(firebase, ['firebase', 'identities', 'github.com', '0']), 583231);
  assert.equal(hostUserIn({ sub: 'github|583231' }, ['sub']), 583231);
  assert.equal(hostUserIn({ sub: '583231' }, ['sub']), 583231);
  assert.equal(hostUserIn({ id: Number.MAX_SAFE_INTEGER }, ['id']), Number.MAX_SAFE_INTEGER);
  assert.equal(hostUserIn({ id: '9007199254740991' }, ['id']), Number.MAX_SAFE_INTEGER);
});

test('a claim that is anything else names nobody', () => {
  const values = [
    undefined,
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    '',
    '0',
    '-1',
    '01',
    '1e3',
    '1.0',
    ' 1',
    '1\n',
    '１',
    '9007199254740992',
    '99999999999999999999',
    'github|',
    'github|-1',
    'gitlab|1',
    'github|1|2',
    'github||1',
    'auth0|1',
    [583231],
    ['583231'],
    { id: 583231 },
  ];
  for (const sub of values) assert.equal(hostUserIn({ sub }, ['sub']), null, JSON.stringify(sub));
  for (const path of [['absent'], ['sub', 'x'], ['toString'], ['constructor', 'length'], ['__proto__']])
    assert.equal(hostUserIn({ sub: '1' }, path), null, path.join('/'));
});
