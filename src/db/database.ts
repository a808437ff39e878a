import type { Sql } from './sql.ts';

/** What statements run on: a database or a transaction in it. */
export interface Queries {
  /** Rows come with numbers for integers of any size and dates for points in time. */
  query: <Row>(statement: Sql) => Promise<Row[]>;
  /** The same, but for JSON, which comes as the bytes that are stored: for what is handed on and not looked at. */
  queryBytes: <Row>(statement: Sql) => Promise<Row[]>;
  /** Runs several statements at once, which take no values. */
  runScript: (text: string) => Promise<unknown[]>;
}

export interface Listener {
  onMessage: (message: string) => void;
  /** Called when listening begins, and again after every interruption, in which messages may have been lost. */
  onListening?: () => void;
}

export interface Database extends Queries {
  /** Hears what is sent to a channel by pg_notify, from any process. Returns how to stop. */
  listen: (channel: string, listener: Listener) => Promise<() => Promise<void>>;
  /**
   * Commits when the work is done and rolls back when it throws. Await nothing in it but queries on `tx`. Without hurry, each statement may take as long as it does.
   */
  transaction: <Result>(work: (tx: Queries) => Promise<Result>, how?: { hurry?: boolean }) => Promise<Result>;
  /** Settles when the database has answered something; tells whether it knows that there is no room to store anything. */
  ping: () => Promise<{ isFull: boolean }>;
  /** Whether it is a local server that does not run at the moment, so that no other process can change it. */
  isStopped: () => boolean;
  /** How many connections are in use, and how many callers wait for one. */
  load: () => { inUse: number; waiting: number };
  close: () => Promise<void>;
}
