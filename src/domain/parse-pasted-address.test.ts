import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePastedAddress } from './parse-pasted-address.ts';

const hosts = [
  { id: 'git', webUrl: null },
  { id: 'github', webUrl: 'https://github.com' },
  { id: 'lab', webUrl: 'https://lab.example:8443/code/' },
];

test('an address of a host with any tail, or a name in short, names a repository or a pull request', () => {
  const of = (host: string, number: number | null) => ({ host, owner: 'acme', repo: 'rocket', number });
  for (const [pasted, address] of [
    ['https://github.com/acme/rocket/pull/7', of('github', 7)],
    ['  https://GitHub.com/acme/rocket/pull/7/files?w=1#diff-0  ', of('github', 7)],
    ['github.com/acme/rocket/pull/7/', of('github', 7)],
    ['http://github.com/acme/rocket.git', of('github', null)],
    ['https://github.com/acme/rocket/tree/main/src', of('github', null)],
    ['https://lab.example:8443/code/acme/rocket/-/merge_requests/7/diffs', of('lab', 7)],
    ['acme/rocket#7', of('git', 7)],
    ['acme/rocket/pull/7', of('git', 7)],
    ['acme/rocket/7', of('git', 7)],
    ['acme/rocket', of('git', null)],
  ] as const)
    assert.deepEqual(parsePastedAddress(pasted, hosts), address, pasted);
});

test('what is no address on a known host is null', () => {
  for (const pasted of [
    '',
    'rocket',
    'acme/rocket#0',
    'acme/rocket#99999999999999999999',
    'acme/rocket#seven',
    'https://evil.example/acme/rocket/pull/7',
    'https://github.com.evil.example/acme/rocket/pull/7',
    'https://lab.example:8443/acme/rocket/pull/7',
    'https://github.com/acme',
    'javascript:alert(1)//a/b',
    '../..',
    'acme/..',
    'what is acme/rocket about?',
  ])
    assert.equal(parsePastedAddress(pasted, hosts), null, pasted);
});
