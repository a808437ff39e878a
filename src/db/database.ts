import type { Sql } from './sql.ts';

/** The channel on which triggers name each row that public pages show and that has changed. */
export const publicChannel = 'public_changed';

/** Runs statements on a database or in a transaction. */
interface Statements {
  /** Rows have column names in camel case, numbers for integers of any size, and dates for timestamps. */
  query: <Row>(statement: Sql) => Promise<Row[]>;
  queryBytes: <Row>(statement: Sql) => Promise<Row[]>;
  runScript: (text: string) => Promise<unknown[]>;
}

export type Queries = Statements & typeof shorthands;

type Asks = Pick<Statements, 'query'>;

/** Variants of `query` for common results. */
export const shorthands = {
  async first<Row>(this: Asks, statement: Sql): Promise<Row | null> {
    const [row] = await this.query<Row>(statement);
    return row ?? null;
  },
  async value<Value>(this: Asks, statement: Sql): Promise<Value | null> {
    const [row] = await this.query<object>(statement);
    return row ? Object.values(row)[0] : null;
  },
  /** The value of a count or sum; 0 without rows. */
  async count(this: Asks, statement: Sql): Promise<number> {
    const [row] = await this.query<object>(statement);
    return row ? Object.values(row)[0] : 0;
  },
  async values<Value>(this: Asks, statement: Sql): Promise<Value[]> {
    const rows = await this.query<object>(statement);
    return rows.map((row) => Object.values(row)[0]);
  },
  /** Whether the statement returns a row, also by `RETURNING`. */
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
  /** Called when there is no primary any more that could send notifications, and a standby is read instead. */
  onReadOnly?: () => void;
  /** Called when listening begins, and after every interruption, because notifications may have been lost. */
  onListening?: () => void;
}

export interface Database extends Queries {
  /** Receives notifications that any process sends to a channel. Returns a function that stops listening. */
  listen: (channel: string, listener: Listener) => Promise<() => Promise<void>>;
  /**
   * Commits when `work` resolves and rolls back when it rejects. Await nothing in it but queries on `tx`. With `hurry:
   * false`, statements have no timeout.
   */
  transaction: <Result>(work: (tx: Queries) => Promise<Result>, how?: { hurry?: boolean }) => Promise<Result>;
  ping: () => Promise<{ isFull: boolean }>;
  /** Whether this is a local server that is not running, so that no other process can change its data. */
  isStopped: () => boolean;
  /** Whether there is no primary, so that a standby is read and nothing can be written. */
  isReadOnly: () => boolean;
  /** Called when another process hid something: a standby that does not know it yet is not read. */
  noteHidden: () => void;
  load: () => { inUse: number; waiting: number };
  close: () => Promise<void>;
}
