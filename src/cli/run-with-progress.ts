import type { Progress } from '../actions/backup/write-backup.ts';
import { asDatabaseFailure } from '../db/failures.ts';
import { StartupProblem } from '../domain/errors.ts';
import { printProblem } from './print.ts';
import { createProgressBar } from './progress-bar.ts';
import { stopOnSignals } from './stop-on-signals.ts';

/** Does something that shows how far it is and that ctrl-C undoes; null where it did. */
export async function runWithProgress<Result>(
  work: (how: { progress: Progress; signal: AbortSignal }) => Promise<Result>,
): Promise<Result | null> {
  const stopped = new AbortController();
  const forget = stopOnSignals(stopped);
  const bar = createProgressBar(process.stderr);
  try {
    const result = await work({ progress: bar.show, signal: stopped.signal });
    bar.clear();
    return result;
  } catch (error) {
    bar.clear();
    if (!stopped.signal.aborted)
      throw error instanceof StartupProblem ? error : (asDatabaseFailure(error) ?? error);
    printProblem('Stopped. Nothing is left of it.');
    process.exitCode = 130;
    return null;
  } finally {
    forget();
  }
}
