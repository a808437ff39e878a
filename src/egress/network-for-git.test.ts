import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../test/start-service.ts';
import { networkForGit } from './network-for-git.ts';

const strict = { mayBePrivate: false };

test('git is told the address that was vetted, and is sent nowhere else', async () => {
  const own = await networkForGit({}, { origin: 'https://127.0.0.1:8443', mayBePrivate: true });
  assert.deepEqual(own.configuration, { 'http.curloptResolve': '127.0.0.1:8443:127.0.0.1' });
  for (const origin of ['https://localhost', 'https://127.0.0.1', 'https://[::1]'])
    await assert.rejects(networkForGit({}, { origin, ...strict }), { rule: 'address' }, origin);
  const metadata = { origin: 'https://169.254.169.254', mayBePrivate: true };
  await assert.rejects(networkForGit({}, metadata), { rule: 'address' });
});

test('behind a proxy it is the proxy that resolves names, but for those that are excepted', async () => {
  const network = { httpsProxy: 'http://proxy.example:3128', noProxy: 'inside.example,.own.example' };
  const away = await networkForGit(network, { origin: 'https://github.example', ...strict });
  assert.deepEqual(away.environment, {
    https_proxy: 'http://proxy.example:3128',
    http_proxy: 'http://proxy.example:3128',
  });
  assert.deepEqual(away.configuration, {});
  const here = await networkForGit(network, { origin: 'https://127.0.0.1', mayBePrivate: true });
  assert.deepEqual(here.environment, {});
  for (const name of ['inside.example', 'git.inside.example', 'git.own.example'])
    await assert.rejects(
      networkForGit(network, { origin: `https://${name}`, ...strict }),
      { code: /^E/ },
      name,
    );
});

test('certificates of the operator are trusted beside the usual ones', async () => {
  const extraCaFile = join(projectFolder, 'test/certificates/github.pem');
  const { certificates } = await networkForGit(
    { extraCaFile },
    { origin: 'https://127.0.0.1', mayBePrivate: true },
  );
  assert.ok(certificates !== null);
  assert.ok(certificates.includes(readFileSync(extraCaFile, 'utf8').trim()));
  assert.ok(certificates.split('BEGIN CERTIFICATE').length > 50);
});
