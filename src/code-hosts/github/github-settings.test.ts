import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gitHubAddresses } from './github-settings.ts';

test('`addressesOf` returns the avatar hosts of github.com, of ghe.com and of an Enterprise Server', () => {
  const avatars = (url: string) => gitHubAddresses(new URL(url)).avatars;
  assert.deepEqual(avatars('https://github.com'), ['https://avatars.githubusercontent.com']);
  assert.deepEqual(avatars('https://acme.ghe.com'), ['https://avatars.acme.ghe.com', 'https://acme.ghe.com']);
  assert.deepEqual(avatars('https://git.acme.example:8443'), [
    'https://avatars.git.acme.example:8443',
    'https://git.acme.example:8443',
  ]);
});
