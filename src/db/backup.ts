import type { Queries } from './database.ts';
import type { Tables } from './schema.ts';
import { Sql, sql } from './sql.ts';

interface Column {
  name: string;
  type: string;
}

export interface Table {
  name: string;
  columns: Column[];
}

export const tablesLeftOut: Record<string, string> = {
  schema_migrations: 'the migrations that make the tables write it themselves',
  article_cards: 'pictures beside links are drawn again on demand',
  housekeeping: 'when housekeeping is due is up to the service that does it',
};

const identifier = (name: string): Sql => new Sql([`"${name.replaceAll('"', '""')}"`], []);

/** Databases may be configured to use another schema than `public`. */
const ourSchema: Sql = sql`current_schema()::regnamespace`;

const ourNames: Sql = sql`'^[a-z][a-z0-9_]*$'`;

export async function describeTables(db: Queries): Promise<Table[]> {
  const rows = await db.query<Table & { refersTo: string[] }>(sql`
    SELECT relname::text AS name,
      (SELECT coalesce(json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY attnum), '[]')
        FROM pg_attribute
        WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
      ARRAY(SELECT referred.relname::text FROM pg_constraint JOIN pg_class AS referred ON referred.oid = confrelid
        WHERE conrelid = tables.oid AND contype = 'f' AND confrelid <> conrelid) AS "refersTo"
    FROM pg_class AS tables
    WHERE relnamespace = ${ourSchema} AND relkind = 'r' AND relname ~ ${ourNames}
    ORDER BY relname`);
  const ordered: Table[] = [];
  let left = rows;
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const next = left.filter(({ refersTo }) => !refersTo.some((name) => names.has(name)));
    if (next.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${[...names].join(', ')}.`);
    ordered.push(...next.map(({ name, columns }) => ({ name, columns })));
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}

interface Sequence {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/**
 * Sequences ignore transactions, so their values may be ahead of the rows but never behind. Negative ones and those
 * with other names belong to other programs.
 */
export async function readSequences(db: Queries, tables: Pick<Table, 'name'>[]): Promise<Sequence[]> {
  const names = await db.query<{ name: string }>(sql`
    SELECT DISTINCT sequences.relname::text AS name
    FROM pg_class AS sequences
    JOIN pg_depend ON pg_depend.classid = 'pg_class'::regclass AND objid = sequences.oid
      AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')
    JOIN pg_class AS tables ON tables.oid = refobjid AND tables.relnamespace = sequences.relnamespace
    WHERE sequences.relnamespace = ${ourSchema} AND sequences.relkind = 'S' AND sequences.relname ~ ${ourNames}
      AND tables.relname = ANY(${tables.map(({ name }) => name)}::text[])
    ORDER BY name`);
  const sequences: Sequence[] = [];
  for (const { name } of names) {
    const [row] = await db.query<Omit<Sequence, 'name'>>(sql`
      SELECT last_value::text AS "lastValue", is_called FROM ${identifier(name)} WHERE last_value >= 0`);
    if (row) sequences.push({ name, ...row });
  }
  return sequences;
}

export async function readAppliedMigrations(db: Queries): Promise<number[]> {
  const [found] = await db.query<{ isThere: boolean }>(sql`
    SELECT to_regclass('schema_migrations') IS NOT NULL AS "isThere"`);
  if (!found?.isThere) return [];
  return db.values<Tables['schema_migrations']['number']>(sql`
    SELECT number FROM schema_migrations ORDER BY number`);
}

export const isDatabaseUnused = async (tx: Queries): Promise<boolean> =>
  (await describeTables(tx)).length === 0;

/**
 * Deletes rows inserted by migrations, and disables the triggers, which would count everything twice. Foreign keys stay
 * active.
 */
export async function prepareTablesToLoad(tx: Queries, tables: Table[]): Promise<void> {
  await tx.runScript('SET LOCAL idle_in_transaction_session_timeout = 0');
  // Rows may refer to later rows of the same table.
  await tx.runScript('SET CONSTRAINTS ALL DEFERRED');
  await switchTriggers(tx, tables, 'DISABLE');
  for (const { name } of tables.toReversed()) await tx.query(sql`DELETE FROM ${identifier(name)}`);
}

export async function finishLoadingTables(
  tx: Queries,
  tables: Table[],
  sequences: Sequence[],
): Promise<void> {
  await tx.runScript('SET CONSTRAINTS ALL IMMEDIATE');
  await switchTriggers(tx, tables, 'ENABLE');
  for (const { name, lastValue, isCalled } of sequences)
    await tx.query(sql`
      SELECT setval(to_regclass(quote_ident(${name}::text)), ${lastValue}::text::bigint, ${isCalled})`);
  for (const { name } of tables) await tx.query(sql`ANALYZE ${identifier(name)}`);
}

async function switchTriggers(tx: Queries, tables: Table[], how: 'DISABLE' | 'ENABLE'): Promise<void> {
  const command = new Sql([how], []);
  for (const { name } of tables) await tx.query(sql`ALTER TABLE ${identifier(name)} ${command} TRIGGER USER`);
}

export async function loadTableRows(tx: Queries, { name, columns }: Table, lines: string[]): Promise<void> {
  const names = columns.map((column) => identifier(column.name));
  const texts = names.map((column) => sql`${column} text`);
  const values = columns.map((column) => sql`${identifier(column.name)}::${new Sql([column.type], [])}`);
  await tx.query(sql`
    INSERT INTO ${identifier(name)} (${joinSql(names, ', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${joinSql(values, ', ')}
    FROM json_to_recordset(${`[${lines.join(',')}]`}::text::json) AS rows (${joinSql(texts, ', ')})`);
}

const bytesAtOnce = 4 * 1024 * 1024;
const mostAtOnce = 1_000;

/** JSON and lists are stored compressed, and this factor estimates their actual size. */
const mostCompressed = 8;

/** Bytes added to each value for the name of its column. */
const bytesBeside = 32;

/**
 * One snapshot, with values formatted independently of the database's settings. There is no timeout, because the disk
 * of the backup may be slow.
 */
export const readAsOfNow = `
  SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1`;

interface Measured {
  rows: number;
  largest: number;
}

/** PostgreSQL knows the size of large values without reading them. */
export async function measureTable(tx: Queries, { name, columns }: Table): Promise<Measured> {
  const sizes = columns.map((column) => sql`coalesce(${columnBytes(column)}, 0) + ${bytesBeside}::integer`);
  const [measured] = await tx.query<Measured>(sql`
    SELECT count(*) AS rows, coalesce(max(${joinSql(sizes, ' + ')}), 0)::bigint AS largest FROM ${identifier(name)}`);
  return measured ?? { rows: 0, largest: 0 };
}

function columnBytes({ name, type }: Column): Sql {
  const column = identifier(name);
  if (type === 'bytea') return sql`2 * octet_length(${column})`;
  if (type === 'text') return sql`octet_length(${column})`;
  return sql`${mostCompressed}::integer * pg_column_size(${column})`;
}

const joinSql = (parts: Sql[], between: string): Sql =>
  parts.reduce((all, part) => sql`${all}${new Sql([between], [])}${part}`);

export async function* readTableRows(
  tx: Queries,
  { name, columns }: Table,
  { largest }: Measured,
): AsyncGenerator<string[]> {
  const texts = columns.map((column) => sql`${identifier(column.name)}::text AS ${identifier(column.name)}`);
  const { text } = sql`
    DECLARE read_rows NO SCROLL CURSOR FOR SELECT row_to_json(texts)::text AS line
    FROM (SELECT ${joinSql(texts, ', ')} FROM ${identifier(name)}) AS texts`.render();
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
