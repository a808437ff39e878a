import type { Queries } from './database.ts';

interface Session {
  queries: Queries;
  begin: () => Promise<unknown>;
  /** Settles with what the database says that it has done. */
  commit: () => Promise<string | undefined>;
  /** Undoes what has begun, whatever became of it. Never rejects. */
  rollBack: () => Promise<void>;
}

const rolledBack = (cause?: unknown) =>
  Object.assign(
    new Error('The transaction was rolled back, because a statement in it had failed.', { cause }),
    { code: '25P02' },
  );

/**
 * Commits when the work is done and no statement of it has failed, not even one whose failure the work has passed over:
 * what was given up may have been done or not. Rolls back otherwise.
 */
export async function runTransaction<Result>(
  { queries, begin, commit, rollBack }: Session,
  work: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  let failure: unknown;
  const within = async <Rows>(ask: () => Promise<Rows>): Promise<Rows> => {
    if (isOver) throw new Error('The transaction is over.');
    try {
      return await ask();
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  let result: Result;
  try {
    await begin();
    result = await work({
      query: (statement) => within(() => queries.query(statement)),
      runScript: (text) => within(() => queries.runScript(text)),
      queryBytes: (statement) => within(() => queries.queryBytes(statement)),
    });
    if (failure) throw rolledBack(failure);
  } catch (error) {
    isOver = true;
    await rollBack();
    throw error;
  }
  isOver = true;
  if ((await commit()) === 'COMMIT') return result;
  throw rolledBack();
}
