import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import postgres from 'postgres';
import { chooseServerUser, findPrograms, type PostgresPrograms } from '../src/db/local-server/programs.ts';
import { initialise } from '../src/db/local-server/server-folder.ts';
import { freePort } from './postgres.ts';
import { processesIn } from './processes-gone.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { waitUntil } from './wait-until.ts';

const settings = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  shared_buffers: '32MB',
  wal_level: 'replica',
  wal_keep_size: '256MB',
  wal_retrieve_retry_interval: '100ms',
  hot_standby: 'on',
  max_connections: '100',
  autovacuum: 'off',
};

/** One server of a cluster, which a test can kill, freeze, promote and start again. */
export class ClusterServer {
  readonly port: string;
  readonly #data: string;
  readonly #programs: PostgresPrograms;
  #child: ChildProcess | null = null;

  constructor(data: string, port: string, programs: PostgresPrograms) {
    this.#data = data;
    this.port = port;
    this.#programs = programs;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { postgres: program, user, environment } = this.#programs;
    const all = { ...settings, port: this.port, unix_socket_directories: this.#data };
    const parameters = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    await waitUntil(`the server on ${this.host} runs`, async () => {
      if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null)
        this.#child = spawn(program, ['-D', this.#data, ...parameters], {
          ...user,
          cwd: '/',
          env: { LC_ALL: 'C', ...environment },
          stdio: 'ignore',
        });
      return this.ask((sql) => sql`SELECT 1`).then(
        () => true,
        () => false,
      );
    });
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    this.#signal('SIGKILL');
    await ended;
  }

  /** Ends it in order: a standby then has everything. */
  async stop(): Promise<void> {
    if (!this.#child) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGINT');
    await ended;
  }

  /** Stops all of its processes, so that its clients get no answer and no refusal. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  async promote(): Promise<void> {
    await this.ask((sql) => sql`SELECT pg_promote()`);
  }

  /** Copies the files of this server, which does not run. */
  copyTo(data: string, port: string): ClusterServer {
    cpSync(this.#data, data, { recursive: true });
    chmodSync(data, 0o700);
    const { user } = this.#programs;
    if (user)
      for (const file of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
        chownSync(join(data, file), user.uid, user.gid);
    return new ClusterServer(data, port, this.#programs);
  }

  follow(primary: ClusterServer): void {
    writeFileSync(join(this.#data, 'standby.signal'), '');
    const address = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=pullquote'\n`;
    appendFileSync(join(this.#data, 'postgresql.auto.conf'), address);
  }

  /** Asks it directly, past the service. */
  async ask<Rows>(question: (sql: postgres.Sql) => PromiseLike<Rows>, database = 'postgres'): Promise<Rows> {
    const sql = postgres(`postgres://pullquote@${this.host}/${database}`, {
      max: 1,
      connect_timeout: 2,
      onnotice: () => {},
    });
    try {
      return await question(sql);
    } finally {
      await sql.end({ timeout: 0 });
    }
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of processesIn(this.#data))
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
  }
}

export interface Cluster {
  primary: ClusterServer;
  standby: ClusterServer;
  /** Names both servers. */
  url: string;
  /** Waits until the standby has everything that the primary has. */
  untilCaughtUp: () => Promise<void>;
}

let made: Promise<{ data: string; programs: PostgresPrograms }> | undefined;

/** Creating a database takes seconds, so the clusters of a process begin as copies of one. */
async function makeOnce() {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-cluster-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o711);
  const data = join(folder, 'made');
  const user = chooseServerUser(folder);
  if (user) chownSync(folder, user.uid, user.gid);
  const programs = await findPrograms(folder, { postgresBin: undefined, user });
  await initialise(data, programs);
  return { data, programs };
}

/** A primary and a standby that follows it, as under Patroni or in a cloud. */
export async function startCluster(): Promise<Cluster> {
  made ??= makeOnce();
  const { data, programs } = await made;
  const folder = temporaryFolder();
  const origin = new ClusterServer(data, '', programs);
  const primary = origin.copyTo(join(folder, 'first'), String(await freePort()));
  const standby = primary.copyTo(join(folder, 'second'), String(await freePort()));
  standby.follow(primary);
  after(() => Promise.all([primary.kill(), standby.kill()]));
  await primary.start();
  await standby.start();
  const positionOf = (server: ClusterServer, name: string) =>
    server
      .ask((sql) => sql.unsafe(`SELECT ${name}() - '0/0' AS position`))
      .then(([row]) => Number(row?.position));
  return {
    primary,
    standby,
    url: `postgres://pullquote@${primary.host},${standby.host}/postgres?target_session_attrs=read-write`,
    async untilCaughtUp() {
      const written = await positionOf(primary, 'pg_current_wal_lsn');
      await waitUntil(
        'the standby has caught up',
        async () => (await positionOf(standby, 'pg_last_wal_replay_lsn')) >= written,
      );
    },
  };
}
