import type { Queries } from '../database.ts';
import { Sql, sql } from '../sql.ts';

export interface Column {
  name: string;
  /** As PostgreSQL writes it. */
  type: string;
}

export interface Table {
  name: string;
  /** Those that are stored; what the database computes from them is computed again. */
  columns: Column[];
}

/** Tables that are in no backup, and why. */
export const leftOut: Record<string, string> = {
  schema_migrations: 'the migrations that make the tables write it themselves',
  article_cards: 'pictures beside links are drawn again when they are asked for',
  housekeeping: 'when housekeeping is due is up to the service that does it',
};

/** A name of the database as part of a statement. */
export const identifier = (name: string): Sql => new Sql([`"${name.replaceAll('"', '""')}"`], []);

/** Also where a setting of the database names another schema than the usual one. */
const ourSchema: Sql = sql`current_schema()::regnamespace`;

const ourNames: Sql = sql`'^[a-z][a-z0-9_]*$'`;

/** Every table there is, but for those that are not called as ours are, those first that others refer to. */
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

export interface Sequence {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/**
 * How far the numbers of these tables were given out. Sequences know no transactions: these may be further than the rows are, never
 * less far. None of ours counts below zero, or is called otherwise: such are of other programs.
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
    const [row] = await db.query<Omit<Sequence, 'name'>>(
      sql`SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${identifier(name)} WHERE last_value >= 0`,
    );
    if (row) sequences.push({ name, ...row });
  }
  return sequences;
}

/** The numbers of the migrations that were applied; none where there are no tables of ours. */
export async function readAppliedMigrations(db: Queries): Promise<number[]> {
  const [found] = await db.query<{ isThere: boolean }>(
    sql`SELECT to_regclass('schema_migrations') IS NOT NULL AS "isThere"`,
  );
  if (!found?.isThere) return [];
  const rows = await db.query<{ number: number }>(sql`SELECT number FROM schema_migrations ORDER BY number`);
  return rows.map(({ number }) => number);
}
