import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

// Loaded into a service, and each of its threads, before its own code, by --import: the disk has as many mebibytes left as a
// file in the data folder says. What is written goes to the real one.

export const pretendedRoom = 'pretended-room';

const { statfsSync } = fs;

fs.statfsSync = ((path: string) => {
  const { bsize, ...real } = statfsSync(path);
  try {
    const mebibytes = Number(fs.readFileSync(join(path, pretendedRoom), 'utf8'));
    return { ...real, bsize, bavail: Math.floor((mebibytes * 1024 * 1024) / bsize) };
  } catch {
    return { ...real, bsize };
  }
}) as typeof statfsSync;
syncBuiltinESMExports();
