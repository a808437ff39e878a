import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase } from '../../../test/build-app.ts';
import { standInCertificate, startGitHub } from '../../../test/github/stand-in.ts';
import { account, pull, repository } from '../../../test/github/state.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const github = await startGitHub();
github.state.accounts.push(account(1, 'ann', 'ghp_ann'));
const rocket = repository(71, 'acme/rocket', { pulls: [pull(1, 'canary')] });
const secret = repository(72, 'acme/secret', {
  visibility: 'private',
  visibleTo: new Set(['ann']),
  pulls: [pull(1, 'canary')],
});
github.state.repositories.push(rocket, secret);
const database = await freshDatabase();
const start = (environment: Record<string, string>) =>
  buildTestApp({
    database,
    environment: {
      GITHUB_URL: github.url,
      NODE_EXTRA_CA_CERTS: standInCertificate,
      GIT_REPOS: temporaryFolder(),
      ...environment,
    },
  });

test('a database refuses a second GitHub server, and articles of a host that is no longer configured are hidden', async () => {
  const mistyped = await start({ CODE_HOST: 'github', GITHUB_URL: 'https://mistyped.example' });
  await mistyped.close();
  const first = await start({ CODE_HOST: 'github' });
  const token = 'ghp_ann';
  assert.equal((await first.call('POST', '/auth/signup', { token })).status, 201);
  const asked = { token, body: { language: 'en' } };
  const written = await first.call('POST', '/repos/acme/rocket/pulls/1/article', asked);
  assert.equal(written.status, 201, written.text);
  const hidden = await first.call('POST', '/repos/acme/secret/pulls/1/article', asked);
  for (const repo of ['rocket', 'secret'])
    await first.call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
  const session = (await first.call('POST', '/auth/session', { token })).body.data.accessToken;
  rocket.name = 'spaceship';
  rocket.formerNames.push('acme/rocket');
  const again = await first.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
  assert.deepEqual(
    [again.status, again.body.data.repo],
    [200, 'spaceship'],
    'a favorite keeps after a rename',
  );
  const meta = (await first.call('GET', '/meta')).body.data;
  assert.deepEqual(meta.hosts, [{ id: 'github', webUrl: github.url }]);
  assert.deepEqual([meta.signIn, meta.suggestion], [['githubToken'], null]);
  await first.close();

  const elsewhere = start({ CODE_HOST: 'github', GITHUB_URL: 'https://octo.ghe.com' });
  await assert.rejects(elsewhere, /belongs to the github server at .*\. Set GITHUB_URL=/);

  const without = await start({ CODE_HOST: 'git' });
  const path = `/articles/${written.body.data.id}`;
  const texts = await Promise.all(
    [
      path,
      `/articles/${hidden.body.data.id}`,
      '/articles',
      '/users/me/favorite-repositories',
      '/users/me/liked-articles',
    ].map(async (asked) => (await without.call('GET', asked, { token: session })).text),
  );
  assert.doesNotMatch(texts.join('\n'), /canary|spaceship|secret/);
  assert.equal((await without.call('GET', '/users/me', { token })).status, 401);
  await without.close();

  const both = await start({ CODE_HOST: 'git,github' });
  assert.equal((await both.call('GET', path)).status, 200);
  const favorites = await both.call('GET', '/users/me/favorite-repositories', { token });
  assert.deepEqual(favorites.body.data.items.map(({ repo }: { repo: string }) => repo).sort(), [
    'secret',
    'spaceship',
  ]);
  assert.equal((await both.call('GET', '/repos/acme/spaceship/pulls/1')).status, 404, 'git is meant');
  assert.equal((await both.call('GET', '/repos/acme/spaceship/pulls/1?host=github')).status, 200);
});
