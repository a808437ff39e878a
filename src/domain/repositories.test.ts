import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePastedAddress } from './repositories.ts';

const clones = { id: 'git', webUrl: null, isLocal: true };
const hosts = [
  clones,
  { id: 'github', webUrl: 'https://github.com', isLocal: false },
  { id: 'lab', webUrl: 'https://lab.example:8443/code/', isLocal: false, ownersNest: true },
];
const of = (host: string, number: number | null) => ({ host, owner: 'acme', repo: 'rocket', number });

test('`parsePastedAddress` reads a URL of a known host with any tail, a git address or a short name', () => {
  for (const [pasted, address] of [
    ['https://github.com/acme/rocket/pull/7', of('github', 7)],
    ['  https://GitHub.com/acme/rocket/pull/7/files?w=1#diff-0  ', of('github', 7)],
    ['https://www.github.com/acme/rocket/pull/7/commits/0a1b2c', of('github', 7)],
    ['<https://github.com/acme/rocket/pull/7>.', of('github', 7)],
    ['(https://github.com/acme/rocket/pull/7?notification_referrer_id=1#issuecomment-2)', of('github', 7)],
    ['github.com/acme/rocket/pull/7/', of('github', 7)],
    ['http://github.com/acme/rocket.git', of('github', null)],
    ['git@github.com:acme/rocket.git', of('github', null)],
    ['ssh://git@github.com/acme/rocket.git', of('github', null)],
    ['git://github.com/acme/rocket.git', of('github', null)],
    ['ssh://git@lab.example:2222/code/acme/rocket.git', of('lab', null)],
    ['https://github.com/acme/rocket/tree/main/src', of('github', null)],
    ['https://lab.example:8443/code/acme/rocket/-/merge_requests/7/diffs', of('lab', 7)],
    ['acme/rocket#7', of('git', 7)],
    ['acme/rocket #7', of('git', 7)],
    ['acme/rocket/pull/7', of('git', 7)],
    ['acme/rocket/7', of('git', 7)],
    ['acme/rocket', of('git', null)],
    ['https://lab.example:8443/code/acme/rocket/-/tree/main/acme/rocket', of('lab', null)],
    ['https://lab.example:8443/code/acme/rocket/-/issues/7', of('lab', null)],
    ['acme/rocket!7', of('lab', 7)],
  ] as const)
    assert.deepEqual(parsePastedAddress(pasted, hosts), address, pasted);
});

test('a nested address gives all names but the last as the owner, and selects a host with nested owners', () => {
  const nested = (number: number | null) => ({
    host: 'lab',
    owner: 'acme/inner/core',
    repo: 'rocket',
    number,
  });
  for (const [pasted, number] of [
    ['https://lab.example:8443/code/acme/inner/core/rocket/-/merge_requests/7/diffs?view=inline#a_1', 7],
    ['https://lab.example:8443/code/acme/inner/core/rocket/merge_requests/7', 7],
    ['https://lab.example:8443/code/acme/inner/core/rocket/', null],
    ['https://lab.example:8443/code/acme/inner/core/rocket/-/blob/main/a/b.ts', null],
    ['ssh://git@lab.example:2222/code/acme/inner/core/rocket.git', null],
    ['acme/inner/core/rocket!7', 7],
    ['acme/inner/core/rocket#7', 7],
    ['acme/inner/core/rocket.git', null],
    ['acme/inner/core/rocket', null],
  ] as const)
    assert.deepEqual(parsePastedAddress(pasted, hosts), nested(number), pasted);
  assert.deepEqual(parsePastedAddress('acme/inner/rocket!7', [clones]), {
    ...of('git', 7),
    owner: 'acme/inner',
  });
});

test('clones without a web address match GitHub addresses and those of no other host', () => {
  const paste = (pasted: string, webUrl: string | null = null) =>
    parsePastedAddress(pasted, [{ ...clones, webUrl }]);
  assert.deepEqual(paste('https://github.com/acme/rocket/pull/7/files'), of('git', 7));
  assert.deepEqual(paste('git@github.com:acme/rocket.git'), of('git', null));
  assert.equal(paste('https://elsewhere.example/acme/rocket/pull/7'), null);
  assert.equal(paste('https://github.com/acme/rocket/pull/7', 'https://lab.example'), null);
  assert.deepEqual(
    paste('https://lab.example/acme/rocket/merge_requests/7', 'https://lab.example'),
    of('git', 7),
  );
});

test('`parsePastedAddress` returns null for plain text, unknown hosts, unsafe paths and numbers out of range', () => {
  for (const pasted of [
    '',
    'rocket',
    'acme/rocket#seven',
    'https://evil.example/acme/rocket/pull/7',
    'https://github.com.evil.example/acme/rocket/pull/7',
    'https://lab.example:8443/acme/rocket/pull/7',
    'https://github.com/acme',
    'git@evil.example:acme/rocket.git',
    'javascript:alert(1)//a/b',
    '../..',
    'acme/..',
    'acme/../rocket',
    'acme//rocket',
    'https://lab.example:8443/code/acme/-/merge_requests/7',
    'https://lab.example:8443/code/acme/%2e%2e/rocket',
    'what is acme/rocket about?',
    'acme/rocket#99999999999999999999',
    'https://github.com/acme/rocket/pull/9007199254740993',
    'acme/rocket#0',
    'https://github.com/acme/rocket/pull/0',
  ])
    assert.equal(parsePastedAddress(pasted, hosts), null, pasted);
});
