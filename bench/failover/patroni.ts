import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'yaml';
import { programSearchPath } from '../../src/config.ts';
import { chooseServerUser } from '../../src/db/local-server/programs.ts';
import { freePort } from '../../test/postgres.ts';
import { serverProcesses } from '../local-server.ts';

const project = join(import.meta.dirname, '../..');

interface Container {
  command: string[];
  environment: Record<string, string>;
}

/** Why Patroni cannot run on this machine; null if it can. */
export function whyNoPatroni(): string | null {
  for (const program of ['etcd', 'patroni']) {
    const { error, status } = spawnSync(program, ['--version'], { stdio: 'ignore' });
    if (error || status !== 0)
      return `${program} is not installed or does not run: apt install etcd-server patroni`;
  }
  return null;
}

const passwords = {
  PATRONI_SUPERUSER_PASSWORD: 'of-pullquote',
  PATRONI_REPLICATION_PASSWORD: 'of-replicator',
  PATRONI_RESTAPI_PASSWORD: 'of-patroni',
};

class Program {
  readonly #folder: string;
  readonly #command: string[];
  readonly #environment: Record<string, string>;
  #child: ChildProcess | null = null;

  constructor(folder: string, command: string[], environment: Record<string, string>) {
    this.#folder = folder;
    this.#command = command;
    this.#environment = environment;
  }

  start(): void {
    const log = openSync(join(this.#folder, 'log'), 'a');
    const [program = '', ...parameters] = this.#command;
    this.#child = spawn(program, parameters, {
      ...chooseServerUser(this.#folder),
      cwd: '/',
      env: this.#environment,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
  }

  /** Kills it with all that it started, or only the PostgreSQL that it started. */
  async kill(which: 'all' | 'PostgreSQL'): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    // Patroni starts PostgreSQL as no child of its own.
    const servers = existsSync(join(this.#folder, 'postgres')) ? serverProcesses(this.#folder) : [];
    const ended = which === 'all' ? once(child, 'exit') : null;
    for (const pid of which === 'all' ? [child.pid, ...servers] : servers)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    await ended;
    if (ended) this.#child = null;
  }
}

interface Member {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
}

const leaderOf = (members: Member[]): string | null =>
  members.find(({ role, state }) => role === 'leader' && state === 'running')?.name ?? null;

/** A server that comes back may copy everything, and on a busy machine Patroni's programs start slowly. */
const mostMs = 300_000;
const lookMs = 100;

/** The etcd and the two PostgreSQL of compose.ha.yaml as processes, with other ports and folders. */
export class PatroniCluster {
  readonly url: string;
  readonly #programs: Map<string, Program>;
  readonly #restPorts: number[];

  private constructor(url: string, programs: Map<string, Program>, restPorts: number[]) {
    this.url = url;
    this.#programs = programs;
    this.#restPorts = restPorts;
  }

  static async start(bin: string, root: string): Promise<PatroniCluster> {
    const { services }: { services: Record<string, Container> } = parse(
      readFileSync(join(project, 'compose.ha.yaml'), 'utf8'),
      { merge: true },
    );
    const etcdPorts = [await freePort(), await freePort()];
    const names = ['postgres-1', 'postgres-2'];
    const ports = await Promise.all(names.map(() => freePort()));
    const restPorts = await Promise.all(names.map(() => freePort()));
    const folderOf = (name: string): string => {
      const folder = join(root, name);
      const owner = chooseServerUser(root);
      for (const one of [folder, ...(name === 'etcd' ? [] : [join(folder, 'postgres')])]) {
        mkdirSync(one, { mode: 0o700 });
        if (owner) chownSync(one, owner.uid, owner.gid);
      }
      return folder;
    };
    const programs = new Map<string, Program>();
    const path = `${bin}:${programSearchPath()}`;
    const etcdFolder = folderOf('etcd');
    const etcdCommand = (services.etcd?.command ?? []).map((part) =>
      part
        .replace('=/etcd', `=${join(etcdFolder, 'data')}`)
        .replace(/(?:0\.0\.0\.0|etcd):2379/, `127.0.0.1:${etcdPorts[0]}`),
    );
    const peers = `--listen-peer-urls=http://127.0.0.1:${etcdPorts[1]}`;
    programs.set('etcd', new Program(etcdFolder, [...etcdCommand, peers], { PATH: path }));
    for (const [place, name] of names.entries()) {
      const folder = folderOf(name);
      const postgresAt = `127.0.0.1:${ports[place]}`;
      const restAt = `127.0.0.1:${restPorts[place]}`;
      const environment = {
        ...services[name]?.environment,
        ...passwords,
        PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPorts[0]}`,
        PATRONI_POSTGRESQL_LISTEN: postgresAt,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgresAt,
        PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'postgres/data'),
        PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
        PATRONI_RESTAPI_LISTEN: restAt,
        PATRONI_RESTAPI_CONNECT_ADDRESS: restAt,
        PATRONI_POSTGRESQL_BIN_DIR: bin,
        PATH: path,
        LC_ALL: 'C.UTF-8',
      };
      programs.set(name, new Program(folder, ['patroni', join(project, 'ops/patroni.yaml')], environment));
    }
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join();
    const user = `pullquote:${passwords.PATRONI_SUPERUSER_PASSWORD}`;
    const url = `postgres://${user}@${hosts}/pullquote?target_session_attrs=read-write`;
    const cluster = new PatroniCluster(url, programs, restPorts);
    for (const program of programs.values()) program.start();
    try {
      await cluster.untilFollowed();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Kills the PostgreSQL that takes writes, or its whole machine, and settles when the other one takes them. */
  async failOver(which: 'all' | 'PostgreSQL'): Promise<void> {
    const leader = leaderOf(await this.#members());
    await this.#programs.get(leader ?? '')?.kill(which);
    await this.#until('another PostgreSQL leads', (members) => {
      const now = leaderOf(members);
      return now !== null && now !== leader;
    });
    if (which === 'all') this.#programs.get(leader ?? '')?.start();
  }

  untilFollowed(): Promise<void> {
    return this.#until('both servers run, and one waits for the other', (members) => {
      const roles = members
        .filter(({ state }) => /^(?:running|streaming)$/.test(state))
        .map(({ role }) => role);
      return roles.includes('leader') && roles.includes('sync_standby');
    });
  }

  async #until(what: string, isSo: (members: Member[]) => boolean): Promise<void> {
    const end = performance.now() + mostMs;
    for (;;) {
      const members = await this.#members();
      if (isSo(members)) return;
      if (performance.now() > end)
        throw new Error(`Waited ${mostMs / 1000} s in vain until ${what}: ${JSON.stringify(members)}`);
      await wait(lookMs);
    }
  }

  async #members(): Promise<Member[]> {
    for (const port of this.#restPorts)
      try {
        const answer = await fetch(`http://127.0.0.1:${port}/cluster`, {
          signal: AbortSignal.timeout(2_000),
        });
        const { members }: { members: Member[] } = JSON.parse(await answer.text());
        return members;
      } catch {
        // The other one may answer.
      }
    return [];
  }

  async stop(): Promise<void> {
    for (const program of [...this.#programs.values()].reverse()) await program.kill('all');
  }
}
