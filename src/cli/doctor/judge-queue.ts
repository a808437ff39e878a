import type { StoredLook } from '../../db/figures.ts';
import { type Finding, ok, warning } from '../../domain/finding.ts';

/** Whether articles that people ask for are written soon. */
export function judgeQueue(asked: StoredLook['asked']): Finding[] {
  if (!asked) return [];
  const { waiting, running, oldestSeconds } = asked;
  if (oldestSeconds <= 60)
    return [ok('writing', 'No article has waited for a writer for more than a minute.')];
  const articles = waiting === 1 ? '1 article waits' : `${waiting} articles wait`;
  const since = `${articles} to be written, for up to ${Math.floor(oldestSeconds / 60)} min`;
  return [
    running === 0
      ? warning(
          'writing',
          `${since}, and none is being written: no process writes.`,
          'Start pullquote work, or set WRITERS above 0 for one that serves.',
        )
      : warning(
          'writing',
          `${since}, while ${running} ${running === 1 ? 'is' : 'are'} being written.`,
          'Where that stays so, start another pullquote work, or raise WRITERS.',
        ),
  ];
}
