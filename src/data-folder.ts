import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs';
import { StartupProblem } from './domain/errors.ts';

/** Makes the data folder, for the eyes of its owner only, or says why it cannot be used. */
export function prepareDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    // What is in it was made under the operator's umask: no other user may look in, or worse.
    chmodSync(folder, 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new StartupProblem(
      `The data folder ${folder} cannot be used (${reason}). Make it a folder that this user may write to, ` +
        'or choose another with PULLQUOTE_DATA.',
    );
  }
}
