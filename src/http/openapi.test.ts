import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { everyOperation } from '../../scripts/client-types/print-client-types.ts';
import { buildTestApp } from '../../test/build-app.ts';

const app = await buildTestApp({ environment: everyOperation });

test('the OpenAPI document passes the recommended rules without an error or a warning', async () => {
  const { text, body } = await app.call('GET', '/openapi.json');
  assert.equal(body.openapi, '3.1.0');
  // Browser sign-in succeeds with a redirect, so its operation has no 2xx response.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } });
  for (const [path, operations] of Object.entries<Record<string, { responses: object }>>(body.paths))
    for (const [method, { responses }] of Object.entries(operations))
      assert.match(Object.keys(responses).join(' '), /\b2\d\d\b|^302\b/, `${method} ${path}`);
  const problems = await lintFromString({ source: text, config });
  assert.deepEqual(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
});

test('the schemas of the original specification exist under their names', async () => {
  const { body } = await app.call('GET', '/openapi.json');
  const expected = [
    'ArticleContent',
    'ArticleLike',
    'AuthSession',
    'BeforeAfter',
    'CategoryEnum',
    'ChangeTypeEnum',
    'ErrorCode',
    'ErrorObject',
    'FavoriteRepository',
    'HealthCheckResponseData',
    'LikedArticleInfo',
    'LogoutResponseData',
    'MainChange',
    'NotablePoint',
    'Pagination',
    'PullRequest',
    'PullRequestArticle',
    'RankedArticleInfo',
    'User',
  ];
  for (const name of expected) assert.ok(name in body.components.schemas, name);
});

test('the two operations of the original specification document its statuses', async () => {
  const { paths } = (await app.call('GET', '/openapi.json')).body;
  for (const status of ['200', '201', '400', '401', '404', '500']) {
    assert.ok(status in paths['/users/me'].post.responses, status);
  }
  for (const status of ['201', '409']) assert.ok(status in paths['/auth/signup'].post.responses, status);
});

/** Operations that are open for one repository, and need a credential otherwise. */
const openWith: Record<string, string> = { '/digest': '?owner=acme&repo=nothing' };

interface Documented {
  security?: Record<string, string[]>[];
}

test('an operation returns 401 without a credential exactly if the document requires one', async () => {
  const {
    paths,
    security: usual,
  }: { paths: Record<string, Record<string, Documented>> } & Required<Documented> = (
    await app.call('GET', '/openapi.json')
  ).body;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => ({ method, path, ...documented })),
  );
  assert.ok(operations.length > 20);
  for (const { method, path, security = usual } of operations) {
    const isOpen = security.length === 0 || security.some((way) => Object.keys(way).length === 0);
    const asked = path
      .replace('{number}', '1')
      .replace('{host}', 'github')
      .replace(/\{\w*id\}/i, crypto.randomUUID());
    const { status } = await app.call(
      method.toUpperCase(),
      asked.replace(/\{\w+\}/g, 'en') + (openWith[path] ?? ''),
    );
    assert.equal(status === 401, !isOpen, `${method} ${path} answered ${status}`);
  }
});

test('the reference page loads only files of the service', async () => {
  const page = await app.call('GET', '/docs');
  assert.equal(page.status, 200);
  const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
  assert.ok(addresses.length > 3);
  for (const address of addresses) assert.doesNotMatch(address, /^(https?:)?\/\//);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'/);
  for (const address of addresses) {
    assert.equal((await app.call('GET', new URL(address, `${app.url}/docs`).pathname)).status, 200, address);
  }
});

test('the document shares error responses, does not depend on the configured hosts, and marks article and job by `kind`', async () => {
  const { text, body } = await app.call('GET', '/openapi.json');
  const { paths, components } = body;
  const operations = Object.values<Record<string, { responses: Record<string, object> }>>(paths).flatMap(
    (methods) => Object.values(methods),
  );
  for (const { responses } of operations)
    for (const [status, response] of Object.entries(responses))
      if (Number(status) >= 400)
        assert.match(JSON.stringify(response), /^{"\$ref":"#\/components\/responses\//);
  assert.ok(
    text.length < 3_300 * operations.length,
    `${text.length} characters for ${operations.length} operations`,
  );
  const { schema, example } = components.parameters.hostInQuery;
  assert.deepEqual([schema, example], [{ type: 'string' }, 'github']);
  assert.doesNotMatch(text, /"enum":\["git"\]/);
  const unknownHost = await app.call('GET', '/articles?owner=a&host=none');
  assert.equal(unknownHost.status, 400, 'a host that is not there is refused all the same');
  const { PullRequestArticle, Job } = components.schemas;
  assert.deepEqual(
    [PullRequestArticle, Job].map(({ properties, required }) => [
      properties.kind.enum,
      required.includes('kind'),
    ]),
    [
      [['article'], true],
      [['job'], true],
    ],
  );
  assert.match(body.info.description, /\[Home\]\(\/\)[\s\S]*auth\/signup[\s\S]*\/article/);
});
