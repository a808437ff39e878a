import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

// Loaded into a service, and each of its threads, before its own code, by --import: the disk has as many mebibytes left as a
// file in the data folder said last, less what the thread of the database has written since then.

const mebibyte = 1024 * 1024;
const nameOfFile = 'pretended-room';
const real = { ...fs };

/** From now on so many mebibytes are left, however many there were: others have taken the rest, or given some back. */
export function leaveRoom(dataFolder: string, mebibytes: number): void {
  const file = join(dataFolder, nameOfFile);
  real.writeFileSync(`${file}.new`, String(mebibytes));
  real.renameSync(`${file}.new`, file);
}

let told: string | null = null;
let left = Number.POSITIVE_INFINITY;

function leftIn(dataFolder: string): number {
  const file = join(dataFolder, nameOfFile);
  const found = real.statSync(file, { throwIfNoEntry: false, bigint: true });
  const telling = found ? `${found.ino} of ${found.mtimeNs}` : null;
  if (telling !== told)
    left = found ? Number(real.readFileSync(file, 'utf8')) * mebibyte : Number.POSITIVE_INFINITY;
  told = telling;
  return left;
}

fs.statfsSync = ((path: string) => {
  const { bsize, bavail, ...rest } = real.statfsSync(path);
  return { ...rest, bsize, bavail: Math.min(bavail, Math.floor(leftIn(path) / bsize)) };
}) as typeof fs.statfsSync;

const sizeOf = (file: string | number): number =>
  (typeof file === 'number' ? real.fstatSync(file) : real.statSync(file, { throwIfNoEntry: false }))?.size ??
  0;

/** Takes what a file grows by, or gives back what it becomes shorter by. */
function resize(growth: number): void {
  if (growth > leftIn(process.env.PULLQUOTE_DATA ?? '')) {
    throw Object.assign(new Error('ENOSPC: no space left on the pretended disk'), { code: 'ENOSPC' });
  }
  left -= growth;
}

function countWrites(): void {
  fs.writeSync = ((file: number, bytes: Uint8Array, ...where: (number | null | undefined)[]) => {
    const [from, length, at] = where;
    const written = length ?? bytes.length - (from ?? 0);
    resize(typeof at === 'number' ? Math.max(0, at + written - sizeOf(file)) : written);
    return real.writeSync(file, bytes, from, length, at);
  }) as typeof fs.writeSync;
  fs.ftruncateSync = (file, length = 0) => {
    resize((length ?? 0) - sizeOf(file));
    real.ftruncateSync(file, length);
  };
  fs.unlinkSync = (path) => {
    resize(-sizeOf(String(path)));
    real.unlinkSync(path);
  };
  fs.rmSync = (path, options) => {
    resize(-sizeOf(String(path)));
    real.rmSync(path, options);
  };
}

if (!isMainThread) countWrites();
syncBuiltinESMExports();
