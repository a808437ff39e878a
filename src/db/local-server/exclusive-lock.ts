import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LockHeld } from '../../domain/errors.ts';

const sqliteBusy = 5;

/**
 * Holds a lock file for as long as this process lives, or until it is given up; throws LockHeld, with the holder's number and
 * note, when another process has it.
 * Node offers no file locks, SQLite does: the kernel gives its lock up when the process ends, however it ends, so
 * that none is ever left behind and none has to be guessed stale.
 */
export function takeExclusiveLock(file: string, note = ''): () => void {
  const lock = new DatabaseSync(file);
  const pidFile = `${file}.pid`;
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)) throw error;
    throw new LockHeld(...readHolder(pidFile), error);
  }
  try {
    writeFileSync(pidFile, `${process.pid} ${note}\n`);
  } catch {
    // The lock holds without it; only messages name the process.
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}

function readHolder(pidFile: string): [pid: string, note: string] {
  try {
    const [pid = 'unknown', note = ''] = readFileSync(pidFile, 'utf8').trim().split(' ');
    return [pid, note];
  } catch {
    return ['unknown', ''];
  }
}
