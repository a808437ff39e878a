import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsAsEnvironment, settingsAsTable } from './cli/settings.ts';
import { parseConfig } from './config.ts';
import { StartupProblem } from './domain/errors.ts';

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

test('everything that is wrong is listed at once', () => {
  const wrong = {
    PORT: '80 80',
    LISTEN: 'everywhere',
    PUBLIC_URL: 'pq.example.org',
    TRUST_PROXY: '10.0.0.0/99',
    CORS_ORIGINS: 'https://a.example/path',
    RATE_LIMIT: '-1',
    DATABASE_URL: 'mysql://localhost/x',
    CODE_HOST: 'svn',
    GIT_REPOS: '/nonexistent/folder',
    GIT_PRIVATE: 'acme=alice',
    GIT_WEB_URL: 'ftp://example.org',
    SECRET_KEYS: 'secret',
    LOG_LEVEL: 'loud',
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
  assert.throws(() => parseConfig({ SECRET_KEYS: `1:${key},1:${key}` }), /SECRET_KEYS/);
  assert.throws(() => parseConfig({ CODE_HOST: ',' }), /at least one/);
});

test('.env.example and the table in the README are what `npm run docs` writes', () => {
  const root = new URL('../', import.meta.url);
  assert.equal(readFileSync(new URL('.env.example', root), 'utf8'), settingsAsEnvironment());
  assert.ok(readFileSync(new URL('README.md', root), 'utf8').includes(`\n${settingsAsTable()}\n`));
});
