import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf } from './github-settings.ts';

test('pictures of people are looked for where a GitHub of each kind keeps them, and nowhere else', () => {
  const avatars = (url: string) => addressesOf(new URL(url)).avatars;
  assert.deepEqual(avatars('https://github.com'), ['https://avatars.githubusercontent.com']);
  assert.deepEqual(avatars('https://acme.ghe.com'), ['https://avatars.acme.ghe.com', 'https://acme.ghe.com']);
  assert.deepEqual(avatars('https://git.acme.example:8443'), [
    'https://avatars.git.acme.example:8443',
    'https://git.acme.example:8443',
  ]);
});
