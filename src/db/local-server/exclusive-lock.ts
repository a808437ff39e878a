import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LockHeld } from '../../domain/errors.ts';

const sqliteBusy = 5;

/**
 * Locks a file until this process ends or releases it; throws LockHeld, with the holder's id and note, when another
 * process has it. Node has no file locks, SQLite does: the kernel releases them however the process ends, so that none is
 * ever stale.
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
    // Only messages need it.
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
