import { chownSync, existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LockHeld, StartupProblem } from '../../domain/errors.ts';
import { takeExclusiveLock } from './exclusive-lock.ts';
import { chooseServerUser, findPrograms } from './programs.ts';
import {
  databaseUser,
  initialise,
  isServerOf,
  prepareServerFolder,
  prepareSocketFolder,
  readServer,
  stopLeftover,
} from './server-folder.ts';
import { ServerProcess } from './server-process.ts';

/** The PostgreSQL in the data folder, for one process. */
export interface LocalServer {
  url: string;
  /** Whether the disk has too little room for it. */
  isFull: () => boolean;
  isRunning: () => boolean;
  /** Whether it ends with this process. */
  isOwn: boolean;
  /** Ends the server if it is this process's own. */
  stop: () => Promise<void>;
}

interface Wanted {
  dataFolder: string;
  postgresBin?: string | undefined;
  /** The command that this process runs. */
  command: string;
  announce: (sentence: string) => void;
  /** More settings of PostgreSQL. */
  settings?: Record<string, string>;
}

/** Other commands use the server of this one. */
const service = 'serve';

const lookMs = 100;

/** How long a command waits for the server of a service that is just starting. */
const startMs = 60_000;

/** Longer than a statement runs. */
const othersMs = 20_000;

/**
 * Starts the server of a data folder, or finds that of the service that runs there. A process that finds a command there waits
 * until it has ended, because the command's server ends with it.
 */
export async function openLocalServer(wanted: Wanted): Promise<LocalServer> {
  const { dataFolder, command, announce } = wanted;
  const end = performance.now() + startMs;
  let isAnnounced = false;
  for (;;) {
    const held = takeLock(dataFolder, command);
    if (!(held instanceof LockHeld)) return startServer(wanted, held);
    const holder = `pullquote ${held.note} (process ${held.pid})`;
    if (held.note === service && command !== service) {
      const found = findServer(dataFolder);
      if (found) return found;
      if (performance.now() > end)
        throw new StartupProblem(
          `The database of ${holder} does not answer. Wait until the service has started, then try again.`,
        );
      await setTimeout(lookMs);
      continue;
    }
    if (held.note === service)
      throw new StartupProblem(
        `The data folder ${dataFolder} is in use by ${holder}. Stop it first, or set PULLQUOTE_DATA to another folder. To run ` +
          'several services on one database, set DATABASE_URL.',
      );
    if (!isAnnounced) announce(`Waiting for ${holder} to finish …`);
    isAnnounced = true;
    await setTimeout(lookMs);
  }
}

function takeLock(dataFolder: string, command: string): (() => void) | LockHeld {
  try {
    return takeExclusiveLock(join(dataFolder, 'database.lock'), command);
  } catch (error) {
    if (error instanceof LockHeld) return error;
    throw new StartupProblem(
      `The data folder ${dataFolder} cannot be locked: database.lock in it must be a file that this user may write to, on a ` +
        'disk that supports file locks. Fix that, or set PULLQUOTE_DATA to another folder.',
      { cause: error },
    );
  }
}

async function startServer(wanted: Wanted, unlock: () => void): Promise<LocalServer> {
  const { dataFolder, postgresBin, announce, settings = {} } = wanted;
  try {
    const user = chooseServerUser(dataFolder);
    const folder = prepareServerFolder(dataFolder, user, announce);
    // The owner of the data folder can then use it without root.
    if (user)
      for (const file of ['database.lock', 'database.lock.pid'])
        chownSync(join(dataFolder, file), user.uid, user.gid);
    const programs = await findPrograms(folder, { postgresBin, user });
    const data = join(folder, 'data');
    if (!existsSync(data)) announce('Creating the database; this takes a few seconds and happens once …');
    await initialise(data, programs);
    await stopLeftover(data);
    const socketFolder = prepareSocketFolder(folder, user);
    const server = new ServerProcess(programs, { folder, data, socketFolder }, settings, announce);
    await startAfterOthers(server);
    return {
      url: urlOf(socketFolder),
      isFull: () => server.isFull,
      isRunning: () => server.isRunning,
      isOwn: true,
      async stop() {
        await server.stop();
        if (socketFolder !== folder) rmSync(socketFolder, { recursive: true, force: true });
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Sessions of a server that was killed may live on for seconds, and PostgreSQL does not start beside them. */
async function startAfterOthers(server: ServerProcess): Promise<void> {
  for (const end = performance.now() + othersMs; ; await setTimeout(lookMs))
    try {
      return await server.start();
    } catch (error) {
      const isBlocked = error instanceof Error && error.message.includes('shared memory block');
      if (!isBlocked || performance.now() > end) throw error;
    }
}

const urlOf = (socketFolder: string): string =>
  `postgresql:///postgres?host=${encodeURIComponent(socketFolder)}&port=5432&user=${databaseUser}`;

/** The server of the service that runs in this folder; null while there is none. */
function findServer(dataFolder: string): LocalServer | null {
  const folder = join(dataFolder, 'postgres');
  const data = existsSync(folder) ? join(realpathSync(folder), 'data') : '';
  const server = readServer(data);
  if (!server?.isReady || !isServerOf(server.pid, data)) return null;
  return {
    url: urlOf(server.socketFolder),
    isFull: () => false,
    // What another process runs may be changed at any time.
    isRunning: () => true,
    isOwn: false,
    // It belongs to the service.
    async stop() {},
  };
}
