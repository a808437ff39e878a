import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartupProblem } from './domain/errors.ts';

/** What the codes mean that an operator is likely to see. */
const meanings: Record<string, string> = {
  EACCES: 'this user has no rights there',
  EEXIST: 'a file stands in its place, or on the way to it',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a file stands in its place, or on the way to it',
  EPERM: 'this user has no rights there',
  EROFS: 'its disk is read-only',
};

/** The group of the user that root's local PostgreSQL runs as, which has to pass through the data folder. */
const serverGroup = 65_534;

/** Makes the data folder, for the eyes of its owner only, or says why it cannot be used. */
export function prepareDataFolder(folder: string): void {
  explainFailure(folder, () => {
    makeFolder(resolve(folder));
    // What is in it was made under the operator's umask: no other user may look in, or worse.
    const { uid, gid } = statSync(folder);
    chmodSync(folder, uid === 0 && gid === serverGroup ? 0o710 : 0o700);
  });
  requireUsableDataFolder(folder);
}

/** Says why the data folder cannot be used, and changes nothing. */
export function requireUsableDataFolder(folder: string): void {
  explainFailure(folder, () => accessSync(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK));
}

function explainFailure(folder: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const meaning = Object.hasOwn(meanings, code) ? `: ${meanings[code]}` : '';
    throw new StartupProblem(
      `The data folder ${folder} cannot be used (${code}${meaning}). Make it a folder that this user may write to, ` +
        'or choose another with PULLQUOTE_DATA.',
    );
  }
}

/** Makes a folder and those above it. Node's own way to do that never ends in /proc, which says of itself that it is absent. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
