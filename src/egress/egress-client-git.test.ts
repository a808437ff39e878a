import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../../test/start-service.ts';
import { networkForGit } from './egress-client.ts';

const strict = { mayBePrivate: false };

test('git is pinned to the vetted address, and private or metadata addresses are refused', async () => {
  const own = await networkForGit({}, { origin: 'https://127.0.0.1:8443', mayBePrivate: true });
  assert.deepEqual(own.configuration, { 'http.curloptResolve': '127.0.0.1:8443:127.0.0.1' });
  for (const origin of ['https://localhost', 'https://127.0.0.1', 'https://[::1]'])
    await assert.rejects(networkForGit({}, { origin, ...strict }), { rule: 'address' }, origin);
  const metadata = { origin: 'https://169.254.169.254', mayBePrivate: true };
  await assert.rejects(networkForGit({}, metadata), { rule: 'address' });
});

test('git gets every allowed address of a host and no refused one', async () => {
  const resolve = async () => ['2001:db9::1', '169.254.169.254', '203.0.114.7'];
  const { configuration } = await networkForGit({}, { origin: 'https://ghe.example', ...strict }, resolve);
  assert.deepEqual(configuration, {
    'http.curloptResolve': 'ghe.example:443:[2001:db9::1],203.0.114.7',
  });
});

test('a NO_PROXY entry with a port applies to that port only, and "*." matches subdomains only', async () => {
  const resolve = async () => ['203.0.114.7'];
  const isProxied = async (noProxy: string, origin: string) => {
    const network = { httpsProxy: 'http://proxy.example:3128', noProxy };
    const { environment } = await networkForGit(network, { origin, ...strict }, resolve);
    return environment.https_proxy !== undefined;
  };
  const cases: [string, string, boolean][] = [
    ['ghe.example:8443', 'https://ghe.example', true],
    ['ghe.example:8443', 'https://ghe.example:8443', false],
    ['example:443', 'https://ghe.example', false],
    ['*:443', 'https://ghe.example', false],
    ['*:8443', 'https://ghe.example', true],
    ['*.example', 'https://ghe.example', false],
    ['*.ghe.example', 'https://ghe.example', true],
    ['.ghe.example', 'https://ghe.example', false],
    ['GHE.example', 'https://ghe.example', false],
    ['he.example', 'https://ghe.example', true],
  ];
  for (const [noProxy, origin, expected] of cases)
    assert.equal(await isProxied(noProxy, origin), expected, `${noProxy} ${origin}`);
});

test('a proxy resolves names, except those in NO_PROXY', async () => {
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

test('certificates of the operator are added to the default ones', async () => {
  const extraCaFile = join(projectFolder, 'test/certificates/github.pem');
  const { certificates } = await networkForGit(
    { extraCaFile },
    { origin: 'https://127.0.0.1', mayBePrivate: true },
  );
  assert.ok(certificates !== null);
  assert.ok(certificates.includes(readFileSync(extraCaFile, 'utf8').trim()));
  assert.ok(certificates.split('BEGIN CERTIFICATE').length > 50);
});
