import type { Config } from '../config.ts';
import { prepareDataFolder } from '../data-folder.ts';
import { connectDatabase } from '../db/connect.ts';
import type { Database } from '../db/database.ts';
import { printProblem } from './print.ts';

/** Gives a command the database of the service, whether that runs or not. */
export async function useDatabase<Result>(
  command: string,
  config: Config,
  work: (database: Database) => Promise<Result>,
  { migrates = true } = {},
): Promise<Result> {
  prepareDataFolder(config.dataFolder);
  const database = await connectDatabase(config, { command, announce: printProblem, migrates });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
