import type { Queries } from '../database.ts';
import { Sql, sql } from '../sql.ts';
import { type Column, identifier, type Table } from './describe-tables.ts';

/** How much is asked for at once, unless a single row is more. */
const bytesAtOnce = 4 * 1024 * 1024;
const mostAtOnce = 1_000;

/** JSON and lists are stored compressed, and say what they take then. */
const mostCompressed = 8;

/** What a value takes beside itself, with the name of its column. */
const bytesBeside = 32;

/**
 * All that is read in this transaction is as it was at one moment. Values are written as PostgreSQL reads them, whatever the
 * settings of the database are: to the microsecond, and to the last digit. It may take as long as the disk does that is written to.
 */
export const readAsOfNow = `
  SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1`;

export interface Measured {
  rows: number;
  /** What its largest row takes, about. */
  largest: number;
}

/** The size of large values is known without reading them. */
export async function measureTable(tx: Queries, { name, columns }: Table): Promise<Measured> {
  const sizes = columns.map((column) => sql`coalesce(${sizeOf(column)}, 0) + ${bytesBeside}::integer`);
  const [measured] = await tx.query<Measured>(sql`
    SELECT count(*) AS rows, coalesce(max(${joined(sizes, ' + ')}), 0)::bigint AS largest FROM ${identifier(name)}`);
  return measured ?? { rows: 0, largest: 0 };
}

function sizeOf({ name, type }: Column): Sql {
  const column = identifier(name);
  if (type === 'bytea') return sql`2 * octet_length(${column})`;
  if (type === 'text') return sql`octet_length(${column})`;
  return sql`${mostCompressed}::integer * pg_column_size(${column})`;
}

const joined = (parts: Sql[], between: string): Sql =>
  parts.reduce((all, part) => sql`${all}${new Sql([between], [])}${part}`);

/** The rows of a table, some at a time, each as a line of JSON: an object with the text of every value. */
export async function* readRows(
  tx: Queries,
  { name, columns }: Table,
  { largest }: Measured,
): AsyncGenerator<string[]> {
  const texts = columns.map((column) => sql`${identifier(column.name)}::text AS ${identifier(column.name)}`);
  const { text } = sql`
    DECLARE read_rows NO SCROLL CURSOR FOR SELECT row_to_json(texts)::text AS line
    FROM (SELECT ${joined(texts, ', ')} FROM ${identifier(name)}) AS texts`.render();
  await tx.runScript(text);
  const count = Math.min(mostAtOnce, Math.max(1, Math.floor(bytesAtOnce / Math.max(1, largest))));
  const fetch = new Sql([`FETCH ${count} FROM read_rows`], []);
  for (;;) {
    const rows = await tx.query<{ line: string }>(fetch);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await tx.runScript('CLOSE read_rows');
}
