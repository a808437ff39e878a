import assert from 'node:assert/strict';
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { mintLocalToken, readLocalToken } from './code-hosts/git/local-token.ts';
import { loadSecretKeys, prepareDataFolder } from './data-folder.ts';
import { StartupProblem } from './domain/errors.ts';
import { parseSecretKeys, type SecretKeys } from './domain/secrets.ts';

test('a data folder is made with those above it, is closed to others, and may be there already', () => {
  const folder = join(temporaryFolder(), 'above', 'data');
  for (const _ of [1, 2]) {
    prepareDataFolder(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  }
});

test('where no data folder can be, that is said with what is in its way, which stays as it is', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, 'kept', { mode: 0o644 });
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'nowhere'), link);
  for (const [place, reason] of [
    [file, 'EEXIST: a file is'],
    [join(file, 'below', 'it'), 'EEXIST: a file is'],
    [join(link, 'below'), 'EEXIST: a file is'],
    ['/sys/pullquote', 'E(PERM|ACCES|ROFS): '],
    [join(folder, 'long'.repeat(100)), 'ENAMETOOLONG\\)'],
  ] as const) {
    assert.throws(
      () => prepareDataFolder(place),
      (error) =>
        error instanceof StartupProblem && new RegExp(`cannot be used \\(${reason}`).test(error.message),
      place,
    );
  }
  assert.equal(statSync(file).mode & 0o777, 0o644);
  assert.equal(existsSync(join(folder, 'nowhere')), false);
});

const keys = (text: string): SecretKeys => parseSecretKeys(text) ?? assert.fail();
const now = new Date('2026-03-01T00:00:00Z');
const local = { name: 'alice', expiresAt: new Date(now.getTime() + 1000), singleUse: false };

test('keys are made once, kept readable for their owner only, and the same ever after', () => {
  const dataFolder = join(temporaryFolder(), 'data');
  const first = loadSecretKeys({ dataFolder, secretKeys: undefined });
  assert.deepEqual(loadSecretKeys({ dataFolder, secretKeys: undefined }), first);
  assert.equal(statSync(join(dataFolder, 'secret-keys')).mode & 0o777, 0o600);
  assert.ok(first[0].secret.length >= 32);
});

test('a damaged key file stops the start and says what to do', () => {
  const dataFolder = temporaryFolder();
  writeFileSync(join(dataFolder, 'secret-keys'), 'garbage');
  assert.throws(() => loadSecretKeys({ dataFolder, secretKeys: undefined }), /secret-keys is damaged/);
});

test('the first key signs, all verify, and a key that was removed no longer does', () => {
  const one = 'a'.repeat(43);
  const two = 'b'.repeat(43);
  const old = mintLocalToken(keys(`1:${one}`), local);
  assert.equal(readLocalToken(keys(`2:${two},1:${one}`), old, now)?.name, 'alice');
  assert.equal(readLocalToken(keys(`2:${two}`), old, now), null);
  assert.equal(readLocalToken(keys(`1:${two}`), old, now), null);
  const fresh = mintLocalToken(keys(`2:${two},1:${one}`), local);
  assert.equal(readLocalToken(keys(`2:${two}`), fresh, now)?.name, 'alice');
});

test('a token ends at its time and has exactly one spelling', () => {
  const secret = keys(`1:${'c'.repeat(43)}`);
  const token = mintLocalToken(secret, local);
  assert.ok(readLocalToken(secret, token, now));
  assert.equal(readLocalToken(secret, token, local.expiresAt), null);
  assert.notEqual(mintLocalToken(secret, local), token, 'two tokens differ');
  const others = [
    `${token}=`,
    `${token}.`,
    `${token}A`,
    token.slice(0, -1),
    token.replace('pql_', 'pqx_'),
    `${token}\n`,
  ];
  for (const other of others) assert.equal(readLocalToken(secret, other, now), null, other);
});
