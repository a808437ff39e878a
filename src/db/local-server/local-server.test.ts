import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { isAlive, untilGone } from '../../../test/processes-gone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { examineDatabase } from '../../cli/doctor/examine-database.ts';
import { parseConfig } from '../../config.ts';
import { openPostgres } from '../postgres.ts';
import { sql } from '../sql.ts';
import { type LocalServer, openLocalServer } from './local-server.ts';
import { readServer } from './server-folder.ts';

const isRoot = process.getuid?.() === 0;
const onlyRoot = { skip: !isRoot && 'only root can become another user' };

/** Most tests share one folder, because creating a database takes seconds. */
const dataFolder = temporaryFolder();
const serverIn = (folder = dataFolder) =>
  readServer(join(folder, 'postgres/data')) ?? assert.fail(`no server has started in ${folder}`);

async function open(command: string, folder = dataFolder): Promise<LocalServer & { announced: string[] }> {
  const announced: string[] = [];
  const announce = (sentence: string) => void announced.push(sentence);
  const server = await openLocalServer({ dataFolder: folder, command, announce });
  after(() => server.stop());
  return { ...server, announced };
}

async function ask<Row>(url: string, statement: ReturnType<typeof sql>): Promise<Row[]> {
  const database = await openPostgres(url, { migrates: false });
  try {
    return [...(await database.query<Row>(statement))];
  } finally {
    await database.close();
  }
}

let stored = 0;

/** Stores one more row and waits until it is committed. */
async function store(url: string): Promise<void> {
  await ask(url, sql`INSERT INTO kept VALUES (${stored + 1})`);
  stored += 1;
}

async function requireAllStored(url: string): Promise<void> {
  const rows = await ask<{ number: number }>(url, sql`SELECT number FROM kept ORDER BY number`);
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: stored }, (_, index) => index + 1),
  );
}

const holder = `
  import { openLocalServer } from ${JSON.stringify(import.meta.resolve('./local-server.ts'))};
  const [dataFolder, command] = process.argv.slice(1);
  const server = await openLocalServer({ dataFolder, command, announce: () => {} });
  console.log(server.url);
  process.stdin.resume().on('end', () => server.stop());`;

/** A separate process that opens the server and exits when its standard input ends. */
async function startHolder(command: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', holder, dataFolder, command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  after(() => void child.kill('SIGKILL'));
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => assert.fail('the holder has ended')),
  ]);
  return {
    child,
    pid: child.pid ?? 0,
    url: String(line).trim(),
    async end() {
      const ended = once(child, 'exit');
      child.stdin.end();
      assert.deepEqual(await ended, [0, null]);
    },
  };
}

const parentOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number);

test('stored rows survive a restart, and `stop` ends the server', async () => {
  const first = await open('serve');
  assert.match(first.announced.join(), /^Creating the database; /);
  assert.equal(first.isOwn, true);
  await ask(first.url, sql`CREATE TABLE kept (number integer)`);
  await store(first.url);
  const { pid } = serverIn();
  await first.stop();
  assert.equal(isAlive(pid), false);
  const second = await open('serve');
  assert.deepEqual(
    second.announced.map((sentence) => /runs as user 65534/.test(sentence)),
    isRoot ? [true] : [],
  );
  await requireAllStored(second.url);
  await second.stop();
});

test('a process id of another program in a stale postmaster.pid neither stops the next start nor harms that program', async () => {
  // PostgreSQL takes a process of its own user for a running server.
  const bystander = spawn('sleep', ['600'], isRoot ? { uid: 65_534, gid: 65_534 } : {});
  after(() => void bystander.kill());
  const { pid = 0 } = bystander;
  writeFileSync(
    join(dataFolder, 'postgres/data/postmaster.pid'),
    `${pid}\n${join(dataFolder, 'postgres/data')}\n1700000000\n5432\n${dataFolder}\n\n 1 1\nready   \n`,
  );
  const server = await open('serve');
  await requireAllStored(server.url);
  assert.notEqual(serverIn().pid, pid);
  await server.stop();
  assert.ok(isAlive(pid));
});

test('killing the service ends its server, and a server that is still left is replaced at the next start', async () => {
  const killed = await startHolder('serve');
  await store(killed.url);
  const orphan = serverIn().pid;
  killed.child.kill('SIGKILL');
  await untilGone(orphan);

  const victim = await startHolder('serve');
  await requireAllStored(victim.url);
  await store(victim.url);
  const left = serverIn().pid;
  const shell = parentOf(left);
  // The service is stopped, so it cannot react when the shell of its server ends.
  victim.child.kill('SIGSTOP');
  for (const pid of [shell, ...childrenOf(shell).filter((one) => one !== left)]) process.kill(pid, 'SIGKILL');
  victim.child.kill('SIGKILL');
  await untilGone(victim.pid, shell);
  assert.ok(isAlive(left), 'nothing has ended it');
  const next = await open('serve');
  await untilGone(left);
  assert.notEqual(serverIn().pid, left);
  await requireAllStored(next.url);
  await next.stop();
});

test('a killed server starts again at the same address with all committed rows', async () => {
  const server = await open('serve');
  for (let time = 0; time < 2; time += 1) {
    await store(server.url);
    const { pid } = serverIn();
    process.kill(pid, 'SIGKILL');
    await waitUntil('it runs again', () => {
      const running = readServer(join(dataFolder, 'postgres/data'));
      return running?.isReady === true && running.pid !== pid;
    });
    await requireAllStored(server.url);
  }
  assert.deepEqual(
    server.announced.filter((sentence) => sentence === 'PostgreSQL is running again.').length,
    2,
    server.announced.join('\n'),
  );
  const { pid } = serverIn();
  await server.stop();
  assert.equal(isAlive(pid), false);
});

test('a second service on a data folder is refused, and a command uses the running server and leaves it running', async () => {
  const service = await startHolder('serve');
  const { pid } = serverIn();
  await assert.rejects(open('serve'), {
    message: new RegExp(
      `^The data folder ${dataFolder} is in use by pullquote serve \\(process ${service.pid}\\)\\. Stop it first, `,
    ),
  });
  const command = await open('check');
  assert.deepEqual([command.isOwn, command.announced, serverIn().pid], [false, [], pid]);
  await requireAllStored(command.url);
  await command.stop();
  assert.ok(isAlive(pid));
  await store(service.url);
  await service.end();
  assert.equal(isAlive(pid), false);
});

test('a command or a service waits for a command that runs without a service, and says so', async () => {
  for (const command of ['backup', 'serve']) {
    const before = await startHolder('import');
    const announced: string[] = [];
    const announce = (sentence: string) => void announced.push(sentence);
    const opened = openLocalServer({ dataFolder, command, announce });
    await waitUntil('it says so', () => announced.length > 0);
    assert.deepEqual(announced, [`Waiting for pullquote import (process ${before.pid}) to finish …`]);
    await requireAllStored(before.url);
    await before.end();
    const server = await opened;
    assert.equal(server.isOwn, true);
    await requireAllStored(server.url);
    await server.stop();
  }
});

test(
  'another user cannot connect, and `doctor` warns that programs of user 65534 can',
  onlyRoot,
  async () => {
    const server = await open('serve');
    const script = `require('net').connect(process.argv[1]).on('error', ({ code }) => console.log(code)).on('connect', () => process.exit())`;
    const { socketFolder } = serverIn();
    const connectAs = (uid: number) =>
      execFileSync(process.execPath, ['-e', script, join(socketFolder, '.s.PGSQL.5432')], {
        uid,
        gid: uid,
        cwd: '/',
        encoding: 'utf8',
      }).trim();
    assert.deepEqual([connectAs(65_533), connectAs(0)], ['EACCES', '']);
    const { findings } = await examineDatabase({ ...parseConfig({}), dataFolder });
    const warnings = findings.filter(({ state }) => state === 'warning');
    assert.match(
      warnings.map(({ sentence }) => sentence).join(),
      /programs that run as this user can read the database/,
    );
    await server.stop();
  },
);

test('a data folder with a long path has its socket elsewhere, and the socket folder is deleted on stop', async () => {
  const long = join(temporaryFolder(), 'a'.repeat(90), 'b'.repeat(90));
  mkdirSync(long, { recursive: true });
  const server = await open('serve', long);
  const { socketFolder } = serverIn(long);
  assert.ok(!socketFolder.startsWith(long), socketFolder);
  assert.deepEqual(await ask(server.url, sql`SELECT 1 AS one`), [{ one: 1 }]);
  await server.stop();
  assert.equal(existsSync(socketFolder), false);
});

test(
  "a data folder of root that the server's user cannot enter has its database below /var/lib/pullquote",
  onlyRoot,
  async () => {
    const closed = temporaryFolder();
    chmodSync(closed, 0o700);
    const folder = join(closed, 'data');
    mkdirSync(folder);
    const server = await open('serve', folder);
    const place = realpathSync(join(folder, 'postgres'));
    after(() => {
      rmSync(place, { recursive: true, force: true });
      try {
        rmdirSync(dirname(place));
      } catch {
        // The folder is shared, and may contain other databases.
      }
    });
    assert.match(place, /^\/var\/lib\/pullquote\/[0-9a-f]{12}$/);
    assert.ok(server.announced.some((sentence) => sentence.includes(`the database is in ${place}.`)));
    assert.deepEqual(await ask(server.url, sql`SELECT 1 AS one`), [{ one: 1 }]);
    await server.stop();
  },
);

test('database files of another version or of the embedded database are refused with a remedy', async () => {
  const version = join(dataFolder, 'postgres/data/PG_VERSION');
  const made = readFileSync(version, 'utf8');
  writeFileSync(version, '17\n');
  await assert.rejects(open('serve'), {
    message: /was created by PostgreSQL 17, and this is PostgreSQL 18\. Back it up .* \(pullquote backup\)/,
  });
  writeFileSync(version, made);
  const server = await open('serve');
  await requireAllStored(server.url);
  await server.stop();

  const old = temporaryFolder();
  mkdirSync(join(old, 'database'));
  await assert.rejects(open('serve', old), {
    message: /contains the embedded database of an earlier version, .* Set PULLQUOTE_DATA to a new folder/,
  });
  assert.equal(existsSync(join(old, 'postgres')), false);
});
