import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../../src/config.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { parseDatabaseUrl } from '../../src/domain/database-address.ts';
import { freshDatabase } from '../build-app.ts';
import { makeHistory } from '../make-history.ts';
import { freePort } from '../postgres.ts';
import { launch, program, projectFolder, runHere } from '../start-service.ts';
import { rowsToRun } from '../tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  env_file?: string;
  restart: string;
  volumes?: string[];
  depends_on?: unknown;
  healthcheck: { test: string[] };
}

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const readCompose = (
  file: string,
): { services: Record<string, ComposeService>; volumes: Record<string, null> } =>
  parse(read(file), { merge: true });
const compose = readCompose('compose.yaml');
const replicated = readCompose('compose.ha.yaml');
const ours = Object.entries(compose.services).filter(([, { image }]) => image.includes('PULLQUOTE_IMAGE'));

const root = temporaryFolder();
makeHistory(root, 'acme/comet', 2);
const secrets = join(temporaryFolder(), 'secrets');
const makeSecrets = (...parameters: string[]) =>
  execFileSync(
    'sh',
    [join(projectFolder, 'ops/make-secrets.sh'), 'https://pullquote.example.org', ...parameters],
    {
      stdio: 'pipe',
    },
  );
makeSecrets(secrets);
const secretsIn = (file = '') => parseEnv(readFileSync(join(secrets, file.replace('secrets/', '')), 'utf8'));
const database = await freshDatabase();

/** Starts a process as compose.yaml describes its container, with other ports, folders and host names. */
async function startAs({ command, environment = {}, env_file }: ComposeService) {
  const settings: Record<string, string> = {
    ...(secretsIn(env_file) as Record<string, string>),
    ...environment,
    DATABASE_URL: database.DATABASE_URL ?? '',
    PULLQUOTE_DATA: temporaryFolder(),
    GIT_REPOS: root,
    PORT: String(await freePort()),
  };
  const { child, written } = launch({
    command: [process.execPath, program, ...(command ?? [])],
    environment: settings,
  });
  const url = `http://127.0.0.1:${settings.PORT}`;
  return {
    url,
    settings,
    /** Runs the health check of compose.yaml. */
    check: (test: string[]) => runHere(settings, ...test.slice(test.indexOf('healthcheck'))),
    untilReady: () =>
      waitUntil(`${command} answers`, async () => {
        if (child.exitCode !== null) assert.fail(written.stdout + written.stderr);
        return (await fetch(`${url}/healthz`).catch(() => null))?.status === 200;
      }),
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}

async function startAll(role: string) {
  const described = ours.filter(([name]) => name.startsWith(role)).map(([, service]) => service);
  // Services of a role differ in their names only.
  const started = await Promise.all(rowsToRun(described, () => role).map(startAs));
  await Promise.all(started.map((one) => one.untilReady()));
  return started;
}

test('every compose service restarts, has a health check and declared volumes, and the proxy lists the API services', () => {
  for (const { services, volumes: declared } of [compose, replicated])
    for (const [name, { restart, healthcheck, volumes = [] }] of Object.entries(services)) {
      assert.equal(restart, 'unless-stopped', name);
      assert.equal(healthcheck.test[0], 'CMD', `${name} needs no shell`);
      for (const [volume = ''] of volumes.map((one) => one.split(':')))
        assert.ok(volume.startsWith('./') || Object.hasOwn(declared, volume), `${name}: ${volume}`);
    }
  assert.deepEqual(
    ours.map(([name]) => name),
    ['api-1', 'api-2', 'writer-1', 'writer-2'],
  );
  const [, upstreams] = /reverse_proxy (.+) \{/.exec(read('ops/Caddyfile')) ?? [];
  assert.equal(upstreams, 'api-1:8080 api-2:8080');
  assert.match(read('Dockerfile'), /^EXPOSE 8080$/m);
  assert.equal(
    new URL(secretsIn('pullquote.env').DATABASE_URL ?? '').password,
    secretsIn('postgres.env').POSTGRES_PASSWORD,
  );
});

test('compose.ha.yaml differs from compose.yaml only in its databases, which `DATABASE_URL` and ops/patroni.yaml fit', () => {
  const withoutDatabases = ({ services }: typeof compose) =>
    Object.fromEntries(
      Object.entries(services)
        .filter(([name]) => !/^(?:postgres|etcd)/.test(name))
        .map(([name, { depends_on: _, ...service }]) => [name, service]),
    );
  assert.deepEqual(withoutDatabases(replicated), withoutDatabases(compose));
  const databases = Object.entries(replicated.services).filter(([name]) => name.startsWith('postgres-'));
  for (const [name, { environment = {} }] of databases) {
    assert.equal(environment.PATRONI_NAME, name);
    assert.equal(environment.PATRONI_POSTGRESQL_CONNECT_ADDRESS, `${name}:5432`);
    assert.equal(environment.PATRONI_RESTAPI_CONNECT_ADDRESS, `${name}:8008`);
    assert.equal(environment.PATRONI_ETCD3_HOSTS, 'etcd:2379');
  }
  const hosts = databases.map(([name]) => `${name}:5432`).join();
  assert.ok(
    read('compose.ha.yaml').includes(`ops/make-secrets.sh https://pullquote.example.org secrets ${hosts}`),
  );
  const folder = join(temporaryFolder(), 'secrets');
  makeSecrets(folder, hosts);
  const url = parseEnv(readFileSync(join(folder, 'pullquote.env'), 'utf8')).DATABASE_URL ?? '';
  const { hosts: named } = parseDatabaseUrl(url) ?? assert.fail(url);
  assert.equal(named.map(({ host, port }) => `${host}:${port}`).join(), hosts);
  const password = parseEnv(readFileSync(join(folder, 'postgres.env'), 'utf8')).PATRONI_SUPERUSER_PASSWORD;
  assert.ok(
    url.startsWith(`postgres://${databases[0]?.[1].environment?.PATRONI_SUPERUSER_USERNAME}:${password}@`),
  );
  const { bootstrap } = parse(read('ops/patroni.yaml'));
  const { ttl, loop_wait: loopWait, retry_timeout: retryTimeout, ...how } = bootstrap.dcs;
  assert.ok(ttl >= loopWait + 2 * retryTimeout, 'Patroni lowers retry_timeout otherwise');
  assert.equal(how.synchronous_mode, true);
  assert.match(bootstrap.post_bootstrap, new RegExp(`^createdb ${parseDatabaseUrl(url)?.database} `));
});

test('`make-secrets.sh` overwrites none of its three files, and creates none if one exists', () => {
  const begun = temporaryFolder();
  for (const file of ['postgres.env', 'proxy.env', 'pullquote.env']) {
    writeFileSync(join(begun, file), 'A=kept\n');
    assert.throws(() => makeSecrets(begun), new RegExp(`${file} is there already, and stays as it is`));
    assert.deepEqual(readdirSync(begun), [file]);
    rmSync(join(begun, file));
  }
});

test('API processes do not write, writers serve no pages, and health checks succeed on both', async () => {
  const answering = await startAll('api');
  const [first] = answering;
  assert.ok(first);
  const keys = loadSecretKeys(parseConfig(first.settings));
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = mintLocalToken(keys, { name: 'ann', expiresAt, singleUse: false });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(`${first.url}${path}`, {
      method: 'POST',
      headers: { ...headers, prefer: 'respond-async' },
      body: JSON.stringify(body),
    });
  assert.equal((await post('/auth/signup', {})).status, 201);
  const asked = await post('/repos/acme/comet/pulls/1/article', { language: 'en' });
  assert.equal(asked.status, 202, await asked.clone().text());
  const { data: job }: { data: { id: string } } = JSON.parse(await asked.text());
  const stateAt = async (url: string): Promise<string> =>
    JSON.parse(await (await fetch(`${url}/jobs/${job.id}`, { headers })).text()).data.state;
  const readAll = () =>
    Promise.all(
      answering.map(async ({ url }) => (await fetch(`${url}/repos/acme/comet/pulls/1/article`)).status),
    );
  const all = (status: number) => answering.map(() => status);
  assert.deepEqual(await readAll(), all(404));
  for (const { url } of answering) assert.equal(await stateAt(url), 'queued');

  const writing = await startAll('writer');
  await waitUntil(
    'the article is written',
    async () => (await stateAt(answering.at(-1)?.url ?? '')) === 'done',
  );
  assert.deepEqual(await readAll(), all(200));
  for (const { url } of writing)
    for (const path of ['/articles', '/', '/docs', '/assets/style.css']) {
      const refused = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
      assert.equal(refused.status, 404);
      assert.match(
        await refused.text(),
        /"This process writes articles and only answers \/healthz and \/metrics\./,
      );
    }
  const [, { healthcheck }] = ours[0] ?? assert.fail();
  for (const one of [first, ...writing.slice(0, 1)]) {
    const { code, stderr } = await one.check(healthcheck.test);
    assert.equal(code, 0, stderr);
  }
  for (const one of [...answering, ...writing]) assert.equal(await one.stop(), 0);
});
