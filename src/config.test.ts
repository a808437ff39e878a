import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsAsEnvironment, settingsAsTable } from './cli/settings.ts';
import { parseConfig } from './config.ts';
import { StartupProblem } from './domain/errors.ts';
import { modelAccess } from './settings/model-settings.ts';

const key = 'k'.repeat(43);

test('without any setting the service is usable on this machine only', () => {
  const config = parseConfig({});
  assert.equal(config.port, 8080);
  assert.equal(config.listen, '127.0.0.1');
  assert.equal(config.databaseUrl, undefined);
  assert.deepEqual(config.codeHosts, ['git']);
  assert.equal(config.rateLimit, 600);
});

test('settings are read as what they stand for', () => {
  const config = parseConfig({
    PORT: ' 9000 ',
    PUBLIC_URL: 'https://pq.example.org/',
    TRUST_PROXY: 'loopback, 10.0.0.0/8',
    CORS_ORIGINS: 'https://a.example,https://b.example:8443',
    GIT_PRIVATE: 'acme/secret=alice+bob, acme/closed=',
    SECRET_KEYS: `2:${key},1:${key}`,
  });
  assert.equal(config.port, 9000);
  assert.equal(config.publicUrl, 'https://pq.example.org');
  assert.deepEqual(config.trustProxy, ['loopback', '10.0.0.0/8']);
  assert.deepEqual(config.corsOrigins, ['https://a.example', 'https://b.example:8443']);
  assert.deepEqual(config.gitPrivate, [
    { fullName: 'acme/secret', visibleTo: ['alice', 'bob'] },
    { fullName: 'acme/closed', visibleTo: [] },
  ]);
  assert.deepEqual(
    config.secretKeys?.map(({ version }) => version),
    [2, 1],
  );
});

test('GitHub is asked in the clear on this machine only, and by the address of its pages', () => {
  for (const url of [
    'https://github.com',
    'https://octo.ghe.com',
    'https://git.example.org:8443',
    'http://localhost:3000',
  ])
    assert.equal(parseConfig({ CODE_HOST: 'git,github', GITHUB_URL: url }).githubUrl.origin, url);
  for (const url of [
    'http://github.com',
    'https://api.github.com',
    'https://git.example.org/api/v3',
    'github.com',
  ])
    assert.throws(() => parseConfig({ GITHUB_URL: url }), /GITHUB_URL must/, url);
});

test('Gitea may lie in a folder, is asked in the clear on this machine only, and has to be somewhere', () => {
  for (const url of ['https://codeberg.org/', 'https://example.org/gitea', 'http://localhost:3000/'])
    assert.equal(parseConfig({ CODE_HOST: 'gitea', GITEA_URL: url }).giteaUrl?.href, url);
  for (const url of ['http://gitea.example.org', 'https://example.org/gitea/api/v1', 'codeberg.org'])
    assert.throws(() => parseConfig({ GITEA_URL: url }), /GITEA_URL must/, url);
  assert.throws(() => parseConfig({ CODE_HOST: 'git,gitea' }), /needs GITEA_URL/);
  const app = { CODE_HOST: 'gitea', GITEA_URL: 'https://codeberg.org', GITEA_CLIENT_ID: 'an-id-of-an-app' };
  assert.throws(
    () => parseConfig(app),
    /GITEA_CLIENT_ID and GITEA_CLIENT_SECRET must be set together[\s\S]*PUBLIC_URL/,
  );
});

test('everything that is wrong is listed at once', () => {
  const wrong = {
    PORT: '80 80',
    LISTEN: 'everywhere',
    PUBLIC_URL: 'pq.example.org',
    TRUST_PROXY: '10.0.0.0/99',
    CORS_ORIGINS: 'https://a.example/path',
    RATE_LIMIT: '-1',
    DATABASE_URL: 'mysql://localhost/x',
    SECRET_KEYS: 'secret',
    LOG_LEVEL: 'loud',
    CODE_HOST: 'svn',
    GIT_REPOS: '/nonexistent/folder',
    GIT_PRIVATE: 'acme=alice',
    GIT_WEB_URL: 'ftp://example.org',
    GITHUB_WEBHOOK_SECRETS: 'a-secret-of-github-is-long-enough,too-short',
    AI_MODEL: 'loud',
    HTTPS_PROXY: 'ftp://example.org',
  };
  assert.throws(
    () => parseConfig(wrong),
    (error: Error) => {
      assert.ok(error instanceof StartupProblem);
      const lines = error.message.split('\n').slice(1);
      assert.deepEqual(
        lines.map((line) => line.trim().split(' ')[0]),
        Object.keys(wrong),
      );
      return true;
    },
  );
  assert.throws(
    () => parseConfig({ PUBLIC_URL: 'https://example.org/pullquote' }),
    /PUBLIC_URL must not have a path: only scheme, host name and port, such as/,
  );
  for (const CONTACT_URL of [
    'http://example.org',
    'mailto:nobody',
    'javascript:alert(1)',
    'editor@example.org',
  ])
    assert.throws(() => parseConfig({ CONTACT_URL }), /CONTACT_URL must be an https or mailto URL/);
  assert.throws(() => parseConfig({ SECRET_KEYS: `1:${key},1:${key}` }), /SECRET_KEYS/);
  assert.throws(() => parseConfig({ CODE_HOST: ',' }), /at least one/);
});

test('a model that cannot be called stops the start with the sentence that helps', () => {
  const complaintAbout = (environment: Record<string, string>): string => {
    try {
      parseConfig(environment);
      return '';
    } catch (error) {
      assert.ok(error instanceof StartupProblem);
      return error.message.split('\n').slice(1).join('\n').trim();
    }
  };
  assert.match(
    complaintAbout({ AI_MODEL: 'mistral/large' }),
    /^AI_MODEL must be a provider .*anthropic, openai/,
  );
  assert.match(complaintAbout({ AI_MODEL: 'claude' }), /^AI_MODEL must be a provider/);
  assert.match(complaintAbout({ AI_MODEL: 'anthropic/c' }), /set ANTHROPIC_API_KEY\.$/);
  assert.match(complaintAbout({ AI_MODEL: 'openai/g' }), /set OPENAI_API_KEY\.$/);
  assert.match(complaintAbout({ AI_MODEL: 'google/g' }), /set GEMINI_API_KEY\.$/);
  assert.match(
    complaintAbout({ AI_MODEL: 'compatible/l', AI_API_KEY: 'k' }),
    /set AI_BASE_URL, for example to http/,
  );
  assert.match(complaintAbout({ AI_JUDGE_MODEL: 'openai/g', OPENAI_API_KEY: 'k' }), /set AI_MODEL too/);
  const judged = { AI_MODEL: 'anthropic/c', ANTHROPIC_API_KEY: 'k', AI_JUDGE_MODEL: 'openai/g' };
  assert.match(complaintAbout(judged), /^AI_JUDGE_MODEL=openai\/g needs a key: set OPENAI_API_KEY\.$/);
  const app = { GITHUB_CLIENT_ID: 'Iv1.x', GITHUB_CLIENT_SECRET: 'x' };
  assert.match(complaintAbout(app), /^GITHUB_CLIENT_ID needs PUBLIC_URL/);
  assert.match(
    complaintAbout({ GITHUB_CLIENT_SECRET: 'x' }),
    /must be set together: set both, or neither\.$/,
  );
  assert.equal(complaintAbout({ ...app, PUBLIC_URL: 'https://pullquote.example.org' }), '');
  const oidc = { OIDC_ISSUER: 'https://a.example/', OIDC_AUDIENCE: 'a', OIDC_HOST_USER_CLAIM: '/sub' };
  assert.match(
    complaintAbout({ OIDC_ISSUER: 'https://a.example' }),
    /also needs OIDC_AUDIENCE and OIDC_HOST_USER_CLAIM:/,
  );
  assert.match(
    complaintAbout({ OIDC_JWKS_URL: 'https://a.example/k' }),
    /also needs OIDC_ISSUER and OIDC_AUDIENCE and/,
  );
  assert.match(complaintAbout(oidc), /set CODE_HOST=github, or CODE_HOST=git,github\.$/);
  assert.equal(complaintAbout({ ...oidc, CODE_HOST: 'git,github' }), '');
  assert.match(
    complaintAbout({ OIDC_HOST_USER_CLAIM: 'sub' }),
    /^OIDC_HOST_USER_CLAIM must be a JSON pointer/,
  );
  assert.match(complaintAbout({ OIDC_ISSUER: 'http://a.example' }), /^OIDC_ISSUER must be an https URL/);
  const inTheClear = { ...oidc, CODE_HOST: 'github', OIDC_JWKS_URL: 'http://keys.example/k' };
  assert.match(complaintAbout(inTheClear), /^OIDC_JWKS_URL must be an https URL/);
  assert.match(complaintAbout({ GITHUB_SCOPES: 'repo;x' }), /^GITHUB_SCOPES must be scopes/);
  assert.match(complaintAbout({ ANTHROPIC_API_KEY: 'two words' }), /^ANTHROPIC_API_KEY must be a key/);
  assert.match(complaintAbout({ AI_PRIVATE: 'yes' }), /^AI_PRIVATE must be true or false/);
  assert.match(
    complaintAbout({ NODE_EXTRA_CA_CERTS: '/nonexistent' }),
    /^NODE_EXTRA_CA_CERTS must be a readable file/,
  );
  assert.match(complaintAbout({ HTTPS_PROXY: 'ftp://p' }), /^HTTPS_PROXY must be the URL of a proxy/);
});

test('a token of a user may be as long as identity providers make them, and an invalid one is rejected with how to get one', () => {
  const token = `ey${'J'.repeat(8_190)}`;
  assert.equal(parseConfig({ PULLQUOTE_TOKEN: token }).agentToken, token);
  for (const bad of ['short', 'two words of a token', `${token}J`])
    assert.throws(
      () => parseConfig({ PULLQUOTE_TOKEN: bad }),
      /PULLQUOTE_TOKEN must be your token from pullquote token or pullquote login/,
    );
});

test('a model is called at the address and with the key of its provider', () => {
  const accessOf = (environment: Record<string, string>) =>
    modelAccess(parseConfig(environment)) ?? assert.fail();
  assert.equal(modelAccess(parseConfig({})), null);
  const anthropic = { AI_MODEL: 'anthropic/claude', ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o' };
  const { writer, judge } = accessOf(anthropic);
  assert.deepEqual(writer, {
    provider: 'anthropic',
    name: 'claude',
    apiKey: 'a',
    baseUrl: 'https://api.anthropic.com/v1',
    isOwnAddress: false,
  });
  assert.deepEqual(judge, writer);
  assert.equal(accessOf({ ...anthropic, AI_PART_MODEL: 'anthropic/small' }).partReader.name, 'small');
  assert.equal(accessOf({ ...anthropic, AI_JUDGE_MODEL: 'off' }).judge, null);
  const proxied = accessOf({
    ...anthropic,
    AI_BASE_URL: 'https://llm.example',
    AI_JUDGE_MODEL: 'openai/gpt',
  });
  assert.equal(proxied.writer?.baseUrl, 'https://llm.example/v1');
  assert.equal(proxied.judge?.baseUrl, 'https://api.openai.com/v1');
  const mixed = { ...anthropic, AI_BASE_URL: 'http://10.0.0.5:11434/v1/', AI_JUDGE_MODEL: 'compatible/a/b' };
  assert.equal(accessOf(mixed).writer?.baseUrl, 'https://api.anthropic.com/v1');
  assert.deepEqual(accessOf(mixed).judge, {
    provider: 'compatible',
    name: 'a/b',
    apiKey: undefined,
    baseUrl: 'http://10.0.0.5:11434/v1',
    isOwnAddress: true,
  });
});

test('`https_proxy` takes precedence over `HTTPS_PROXY` and needs no scheme, and `NO_PROXY` is read', () => {
  const config = parseConfig({ https_proxy: 'proxy:3128', HTTPS_PROXY: 'http://other', NO_PROXY: '.corp' });
  assert.equal(config.httpsProxy, 'http://proxy:3128/');
  assert.equal(config.noProxy, '.corp');
});

test('.env.example and the table of settings are what `npm run docs` writes', () => {
  const root = new URL('../', import.meta.url);
  assert.equal(readFileSync(new URL('.env.example', root), 'utf8'), settingsAsEnvironment());
  assert.ok(readFileSync(new URL('docs/settings.md', root), 'utf8').includes(`\n${settingsAsTable()}\n`));
});
