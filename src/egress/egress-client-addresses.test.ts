import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowedAddress } from './egress-client.ts';

const strict = { mayBePrivate: false };
const own = { mayBePrivate: true };

test('link-local, metadata, multicast and unspecified addresses are refused under every policy', () => {
  const never = [
    '0.0.0.0',
    '0.1.2.3',
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '0:0:0:0:0:0:0:0',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'ff02::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::ffff:0:169.254.169.254',
    '64:ff9b:1::169.254.169.254',
    '2001:0:1:2:3:4:5601:5601',
    '::0.0.1.2',
    '::ffff:0.0.0.0',
    'metadata.google.internal',
    '',
  ];
  assert.deepEqual(
    never.filter((address) => isAllowedAddress(address, own) || isAllowedAddress(address, strict)),
    [],
  );
});

test('private and loopback addresses are allowed only where the policy permits them', () => {
  const inside = [
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    '0:0:0:0:0:0:0:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b:1::10.0.0.1',
    '2001:0:1:2:3:4:80ff:fffe',
  ];
  assert.deepEqual(
    inside.filter((address) => isAllowedAddress(address, strict)),
    [],
  );
  assert.deepEqual(
    inside.filter((address) => !isAllowedAddress(address, own)),
    [],
  );
});

test('public addresses are allowed under every policy', () => {
  const open = [
    '1.1.1.1',
    '140.82.121.4',
    '172.32.0.1',
    '172.15.255.255',
    '100.128.0.1',
    '169.253.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:81b::200a',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '2001:0:1:2:3:4:fefe:fefe',
    '2001:4860:4860::8888',
  ];
  assert.deepEqual(
    open.filter((address) => !isAllowedAddress(address, strict) || !isAllowedAddress(address, own)),
    [],
  );
});
