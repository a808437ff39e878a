import type { Database } from '../../src/db/database.ts';
import { asDatabaseFailure } from '../../src/db/failures.ts';
import { sql } from '../../src/db/sql.ts';
import { inTime } from '../../src/domain/concurrency.ts';
import type { Note } from '../acknowledged/caller.ts';
import type { Findings, Writer } from '../acknowledged/writer.ts';

export const rowsTable = 'CREATE TABLE bench_rows (name text, part integer, PRIMARY KEY (name, part))';

class Undone extends Error {}

interface Storing {
  database: () => Database;
  limitMs: number;
  note: Note;
}

/**
 * Stores pairs of rows in transactions of its own, beside the service's: of these it is known that they are rolled back, when
 * that was asked for, and when they failed before they were to be committed.
 */
export class Rows implements Writer {
  readonly kind = 'pairs of rows';
  readonly #storing: Storing;
  readonly #stored: string[] = [];
  readonly #undone: string[] = [];
  #names = 0;

  constructor(storing: Storing) {
    this.#storing = storing;
  }

  async write(): Promise<boolean> {
    const { database, limitMs, note } = this.#storing;
    this.#names += 1;
    const name = String(this.#names);
    const isUndone = this.#names % 2 === 0;
    const kind = isUndone ? 'rows rolled back' : this.kind;
    const begun = performance.now();
    let mayBeCommitted = false;
    const insert = (part: number) => sql`INSERT INTO bench_rows VALUES (${name}, ${part}::integer)`;
    const stored = database().transaction(async (tx) => {
      await tx.query(insert(1));
      await tx.query(sql`SELECT count(*) FROM bench_rows WHERE name = ${name}`);
      await tx.query(insert(2));
      if (isUndone) throw new Undone();
      mayBeCommitted = true;
    });
    const outcome = await inTime(
      stored.then(() => '200', outcomeOf),
      limitMs,
      () => 'hung',
    );
    note(kind, outcome, performance.now() - begun);
    if (outcome === '200' && !isUndone) this.#stored.push(name);
    else if (!mayBeCommitted) this.#undone.push(name);
    return outcome === '200';
  }

  async find(): Promise<Findings> {
    const rows = await this.#storing
      .database()
      .query<{ name: string; parts: number }>(
        sql`SELECT name, count(*) AS parts FROM bench_rows GROUP BY name`,
      );
    const found = new Map(rows.map(({ name, parts }) => [name, parts]));
    const halves = rows.filter(({ parts }) => parts !== 2).length;
    return {
      acknowledged: this.#stored.length,
      lost: this.#stored.filter((name) => !found.has(name)).length + halves,
      'still there': this.#undone.filter((name) => found.has(name)).length,
    };
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof Undone) return '200';
  return asDatabaseFailure(error)?.code === 'UNAVAILABLE' ? '503' : '500';
}
