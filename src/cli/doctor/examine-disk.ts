import { existsSync, statfsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { requireUsableDataFolder } from '../../data-folder.ts';
import { type Finding, failureOf, ok, warning } from '../../domain/finding.ts';

const mebibyte = 1024 * 1024;

/** What GitHub does not print is fetched only while so much is left. */
const neededToFetch = 256 * mebibyte;

/** Below this, other programs could use up the rest at any moment. */
const scarce = 1024 * mebibyte;

/** Whether what the service keeps has room. */
export function examineDisk({ dataFolder }: Pick<Config, 'dataFolder'>): Finding {
  if (!existsSync(dataFolder))
    return ok('disk', `The data folder ${dataFolder} is not there yet; the first start makes it.`);
  try {
    requireUsableDataFolder(dataFolder);
  } catch (error) {
    return failureOf('disk', error);
  }
  const { bavail, bsize } = statfsSync(dataFolder);
  return judgeRoom(dataFolder, bavail * bsize);
}

export function judgeRoom(dataFolder: string, free: number): Finding {
  const left = `The disk of the data folder ${dataFolder} has ${Math.floor(free / mebibyte)} MiB left`;
  const remedy = 'Free some space, or choose a folder on another disk with PULLQUOTE_DATA.';
  if (free < neededToFetch)
    return warning('disk', `${left}: too little to fetch large pull requests of GitHub.`, remedy);
  if (free < scarce) return warning('disk', `${left}, which is little.`, remedy);
  return ok('disk', `${left}.`);
}
