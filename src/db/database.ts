import type { Sql } from './sql.ts';

/** How statements reach a database, or a transaction in it. */
interface Statements {
  /**
   * Rows have the names of their columns in camel case, numbers for integers of any size, and dates for points in time.
   */
  query: <Row>(statement: Sql) => Promise<Row[]>;
  queryBytes: <Row>(statement: Sql) => Promise<Row[]>;
  runScript: (text: string) => Promise<unknown[]>;
}

export type Queries = Statements & typeof shorthands;

type Asks = Pick<Statements, 'query'>;

/** Forms of `query` for what most statements return. */
export const shorthands = {
  async first<Row>(this: Asks, statement: Sql): Promise<Row | null> {
    const [row] = await this.query<Row>(statement);
    return row ?? null;
  },
  async value<Value>(this: Asks, statement: Sql): Promise<Value | null> {
    const [row] = await this.query<object>(statement);
    return row ? Object.values(row)[0] : null;
  },
  /** A count or sum; 0 where there is no row. */
  async count(this: Asks, statement: Sql): Promise<number> {
    const [row] = await this.query<object>(statement);
    return row ? Object.values(row)[0] : 0;
  },
  async values<Value>(this: Asks, statement: Sql): Promise<Value[]> {
    const rows = await this.query<object>(statement);
    return rows.map((row) => Object.values(row)[0]);
  },
  /** Whether there is a row, also one that `RETURNING` tells of. */
  async any(this: Asks, statement: Sql): Promise<boolean> {
    const rows = await this.query(statement);
    return rows.length > 0;
  },
  async run(this: Asks, statement: Sql): Promise<void> {
    await this.query(statement);
  },
};

export interface Listener {
  onMessage: (message: string) => void;
  /** Called when listening begins, and again after every interruption, in which messages may have been lost. */
  onListening?: () => void;
}

export interface Database extends Queries {
  /** Receives what any process sends to a channel by pg_notify. Returns how to stop. */
  listen: (channel: string, listener: Listener) => Promise<() => Promise<void>>;
  /**
   * Commits when the work is done and rolls back when it throws. Await nothing in it but queries on `tx`. Without hurry,
   * statements have no timeout.
   */
  transaction: <Result>(work: (tx: Queries) => Promise<Result>, how?: { hurry?: boolean }) => Promise<Result>;
  ping: () => Promise<{ isFull: boolean }>;
  /** Whether it is a local server that is not running, so that no other process can change it. */
  isStopped: () => boolean;
  load: () => { inUse: number; waiting: number };
  close: () => Promise<void>;
}
