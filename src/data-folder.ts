import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { StartupProblem } from './domain/errors.ts';
import { parseSecretKeys, type SecretKeys, secretKeysFormat } from './domain/secrets.ts';

const meanings: Record<string, string> = {
  EACCES: 'this user has no permission there',
  EEXIST: 'a file is in its place or in the path to it',
  ENOENT: 'no folder can be created there',
  ENOTDIR: 'a file is in its place or in the path to it',
  EPERM: 'this user has no permission there',
  EROFS: 'its disk is read-only',
};

/** The group of the user that runs root's local PostgreSQL, which must be able to enter the data folder. */
const serverGroup = 65_534;

/** Creates the data folder with access for its owner only, or throws why it cannot be used. */
export function prepareDataFolder(folder: string): void {
  explainFolderFailure(folder, () => {
    makeFolder(resolve(folder));
    // The operator's umask may allow other users to read the files in the folder, so the folder itself is closed to
    // them.
    const { uid, gid } = statSync(folder);
    chmodSync(folder, uid === 0 && gid === serverGroup ? 0o710 : 0o700);
  });
  requireUsableDataFolder(folder);
}

export function requireUsableDataFolder(folder: string): void {
  explainFolderFailure(folder, () =>
    accessSync(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK),
  );
}

function explainFolderFailure(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const meaning = Object.hasOwn(meanings, code) ? `: ${meanings[code]}` : '';
    throw new StartupProblem(`The data folder ${folder} cannot be used (${code}${meaning}).`, {
      remedy: 'Make it a folder that this user may write to, or choose another with PULLQUOTE_DATA.',
    });
  }
}

/** Creates a folder and its parents. Node's recursive mkdir never ends in /proc, which claims to be absent. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const fileOf = ({ dataFolder }: Pick<Config, 'dataFolder'>): string => join(dataFolder, 'secret-keys');

/** Whether the keys exist already: keys that are created on first use are known to no other process. */
export const hasSecretKeys = (config: Pick<Config, 'secretKeys' | 'dataFolder'>): boolean =>
  config.secretKeys !== undefined || existsSync(fileOf(config));

export function loadSecretKeys(config: Pick<Config, 'secretKeys' | 'dataFolder'>): SecretKeys {
  if (config.secretKeys) return config.secretKeys;
  prepareDataFolder(config.dataFolder);
  const file = fileOf(config);
  const keys = parseSecretKeys((readIfThere(file) ?? generate(file)).trim());
  if (!keys) {
    throw new StartupProblem(`${file} is damaged: it should contain ${secretKeysFormat}.`, {
      remedy:
        'Restore it from a backup, or delete it to create a new one; tokens made with the old keys then become invalid.',
    });
  }
  return keys;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Two processes may do this at once: linking a complete file into place lets exactly one of them succeed. */
function generate(file: string): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `1:${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}
