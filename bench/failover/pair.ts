import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { chooseServerUser } from '../../src/db/local-server/programs.ts';
import { freePort } from '../../test/postgres.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { serverProcesses } from '../local-server.ts';
import { Forwarder } from './forwarder.ts';

const run = promisify(execFile);

/** The newest PostgreSQL of this machine with programs for replication, which npm's lacks; null without one. */
export function findPostgres(): string | null {
  const root = '/usr/lib/postgresql';
  const majors = existsSync(root) ? readdirSync(root).map(Number).filter(Boolean) : [];
  const bins = majors.sort((one, other) => other - one).map((major) => join(root, String(major), 'bin'));
  return bins.find((bin) => existsSync(join(bin, 'pg_rewind'))) ?? null;
}

/** As in ops/patroni.yaml: a partner that does not answer is noticed in seconds. */
const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  wal_keep_size: '1GB',
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '500ms',
  shared_buffers: '64MB',
};

const user = 'pullquote';

/** The processes of a server read changed settings within this time. */
const configuredMs = 300;

interface Place {
  folder: string;
  bin: string;
  name: string;
}

/** A PostgreSQL server with its own folder and port, killed and started again. */
class Server {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  /** The port through which its partner follows it. */
  readonly linkPort: number;
  readonly link: Forwarder;
  readonly sql: postgres.Sql;
  readonly #place: Place;
  #child: ChildProcess | null = null;

  private constructor(place: Place, ports: { port: number; link: Forwarder; linkPort: number }) {
    this.#place = place;
    this.name = place.name;
    this.port = ports.port;
    this.link = ports.link;
    this.linkPort = ports.linkPort;
    this.data = join(this.#folder, 'postgres', 'data');
    this.sql = postgres(`postgres://${user}@127.0.0.1:${this.port}/postgres`, {
      max: 1,
      idle_timeout: 1,
      onnotice: () => {},
    });
  }

  static async make(place: Place): Promise<Server> {
    const port = await freePort();
    const link = new Forwarder();
    const server = new Server(place, { port, link, linkPort: await link.open(port) });
    const folder = join(place.folder, place.name, 'postgres');
    mkdirSync(folder, { recursive: true });
    const owner = chooseServerUser(place.folder);
    if (owner) for (const one of [join(folder, '..'), folder]) chownSync(one, owner.uid, owner.gid);
    return server;
  }

  get #folder(): string {
    return join(this.#place.folder, this.name);
  }

  async run(program: string, ...parameters: string[]): Promise<void> {
    const owner = chooseServerUser(this.#place.folder);
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', PGCONNECT_TIMEOUT: '10' };
    await run(join(this.#place.bin, program), parameters, { ...owner, cwd: '/', env });
  }

  create(): Promise<void> {
    const how = [`--username=${user}`, '--auth=trust', '--encoding=UTF8', '--locale=C', '--data-checksums'];
    return this.run('initdb', '-D', this.data, ...how);
  }

  /** `partner` is the server for whose confirmation each commit waits. */
  async start(partner: string | null): Promise<void> {
    this.#configure(partner);
    const log = openSync(join(this.#folder, 'log'), 'a');
    const owner = chooseServerUser(this.#place.folder);
    this.#child = spawn(
      join(this.#place.bin, 'postgres'),
      ['-D', this.data, '-c', `config_file=${this.#configuration}`],
      { ...owner, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, stdio: ['ignore', log, log] },
    );
    closeSync(log);
    const child = this.#child;
    await waitUntil(`${this.name} takes connections`, async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended: see ${this.#folder}/log`);
      return (await this.sql`SELECT 1`.catch(() => [])).length > 0;
    });
  }

  async rewind(source: string): Promise<void> {
    this.#configure(null);
    // With these settings, the recovery that comes first keeps the log that pg_rewind reads.
    const how = ['-D', this.data, `--config-file=${this.#configuration}`];
    await this.run('pg_rewind', ...how, `--source-server=${source}`, '--write-recovery-conf');
  }

  get #configuration(): string {
    return join(this.#folder, 'own.conf');
  }

  #configure(partner: string | null): void {
    const all = {
      ...settings,
      port: String(this.port),
      unix_socket_directories: this.#folder,
      hba_file: join(this.data, 'pg_hba.conf'),
      synchronous_standby_names: partner ?? '',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
    writeFileSync(this.#configuration, lines.join(''));
  }

  async waitFor(partner: string | null): Promise<void> {
    this.#configure(partner);
    await this.sql`SELECT pg_reload_conf()`;
  }

  /** Kills all of its processes, or only the first, whose death the others notice. */
  async kill({ all }: { all: boolean }): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = null;
    const others = serverProcesses(this.#folder);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    if (all)
      for (const pid of others)
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
    await ended;
  }

  /** Waits until no process of a killed server is left. */
  untilGone(): Promise<void> {
    return waitUntil(`${this.name} is gone`, () => serverProcesses(this.#folder).length === 0);
  }

  async stop(): Promise<void> {
    await this.sql.end({ timeout: 1 });
    this.link.close();
    await this.kill({ all: true });
  }
}

interface Standing {
  state: string;
  syncState: string;
  isCaughtUp: boolean;
}

/** How the one that was killed comes back. */
export type Return = 'pg_rewind' | 'pg_basebackup';

/**
 * A primary and a standby. What Patroni does in production is done here by hand: the promoted server waits for nobody until
 * the other one follows it.
 */
export class PostgresPair {
  readonly servers: readonly [Server, Server];
  readonly #isSynchronous: boolean;
  #primary = 0;

  private constructor(servers: readonly [Server, Server], isSynchronous: boolean) {
    this.servers = servers;
    this.#isSynchronous = isSynchronous;
  }

  static async start(
    bin: string,
    folder: string,
    { isSynchronous }: { isSynchronous: boolean },
  ): Promise<PostgresPair> {
    const make = (name: string) => Server.make({ folder, bin, name });
    const pair = new PostgresPair([await make('a'), await make('b')], isSynchronous);
    await pair.primary.create();
    await pair.primary.start(null);
    await pair.follow('pg_basebackup');
    return pair;
  }

  get primary(): Server {
    return this.servers[this.#primary] ?? this.servers[0];
  }

  get standby(): Server {
    return this.servers[1 - this.#primary] ?? this.servers[1];
  }

  /** An address that names both, through the given ports. */
  static urlOf(ports: readonly number[], name = 'postgres'): string {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join();
    return `postgres://${user}@${hosts}/${name}?target_session_attrs=read-write`;
  }

  get url(): string {
    return PostgresPair.urlOf(this.servers.map(({ port }) => port));
  }

  async killPrimary({ all }: { all: boolean }): Promise<void> {
    await this.primary.kill({ all });
  }

  async promote(): Promise<void> {
    await this.standby.run('pg_ctl', 'promote', '-D', this.standby.data, '-w', '-t', '60');
    this.#primary = 1 - this.#primary;
  }

  /** The other server follows the primary, as it is now, and commits wait for it again. */
  async follow(way: Return): Promise<void> {
    const { primary, standby } = this;
    await standby.untilGone();
    const source = `host=127.0.0.1 port=${primary.linkPort} user=${user} dbname=postgres application_name=${standby.name}`;
    // pg_rewind compares timelines by the last checkpoint.
    await primary.sql`CHECKPOINT`;
    const rewound =
      way === 'pg_rewind' &&
      (await standby
        .rewind(source)
        .then(() => true)
        .catch((error) => void process.stderr.write(`pg_rewind: ${error}\n`)));
    if (!rewound) {
      rmSync(standby.data, { recursive: true, force: true });
      await standby.run(
        'pg_basebackup',
        '-D',
        standby.data,
        '-d',
        source,
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
      );
    }
    await standby.start(null);
    await this.untilFollowed();
  }

  /** Waits until the standby has everything, and commits wait for it. */
  async untilFollowed(): Promise<void> {
    await waitUntil('the standby follows', async () => (await this.#look())?.state === 'streaming');
    if (this.#isSynchronous) {
      await this.primary.waitFor(this.standby.name);
      await waitUntil('commits wait for it', async () => (await this.#look())?.syncState === 'sync');
      await wait(configuredMs);
    }
    // Commits before this position may not have waited.
    const [now] = await this.primary.sql<{ lsn: string }[]>`SELECT pg_current_wal_flush_lsn()::text AS lsn`;
    await waitUntil(
      'the standby has everything',
      async () => (await this.#look(now?.lsn))?.isCaughtUp === true,
    );
  }

  /** The primary goes on alone, as soon as it has noticed that its standby does not answer. */
  async goAlone(): Promise<void> {
    await waitUntil(
      'the primary notices that the standby is away',
      async () => (await this.#look()) === null,
    );
    await this.primary.waitFor(null);
  }

  async #look(lsn = '0/0'): Promise<Standing | null> {
    const [found] = await this.primary.sql<Standing[]>`
      SELECT state, sync_state AS "syncState", coalesce(flush_lsn >= ${lsn}::pg_lsn, false) AS "isCaughtUp"
      FROM pg_stat_replication WHERE application_name = ${this.standby.name} LIMIT 1`.catch(() => []);
    return found ?? null;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop();
  }
}
