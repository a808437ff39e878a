import type { Queries } from '../database.ts';
import { Sql, sql } from '../sql.ts';
import { describeTables, identifier, type Sequence, type Table } from './describe-tables.ts';

const commaBetween = (parts: Sql[]): Sql => parts.reduce((all, part) => sql`${all}, ${part}`);

/** Whether no table was ever made in it. */
export const isNeverUsed = async (tx: Queries): Promise<boolean> => (await describeTables(tx)).length === 0;

/**
 * Makes tables ready to be given rows as they were: without those that migrations put there, and without triggers, which would count
 * what is counted already. The owner of a table may do that; keys of other tables are still looked up.
 */
export async function prepareToLoad(tx: Queries, tables: Table[]): Promise<void> {
  await tx.runScript('SET LOCAL idle_in_transaction_session_timeout = 0');
  await switchTriggers(tx, tables, 'DISABLE');
  for (const { name } of tables.toReversed()) await tx.query(sql`DELETE FROM ${identifier(name)}`);
}

/** Has triggers run again, numbers given out go on, and plans made for what is there now. */
export async function finishLoading(tx: Queries, tables: Table[], sequences: Sequence[]): Promise<void> {
  await switchTriggers(tx, tables, 'ENABLE');
  for (const { name, lastValue, isCalled } of sequences)
    await tx.query(
      sql`SELECT setval(to_regclass(quote_ident(${name}::text)), ${lastValue}::text::bigint, ${isCalled})`,
    );
  for (const { name } of tables) await tx.query(sql`ANALYZE ${identifier(name)}`);
}

async function switchTriggers(tx: Queries, tables: Table[], how: 'DISABLE' | 'ENABLE'): Promise<void> {
  const command = new Sql([how], []);
  for (const { name } of tables) await tx.query(sql`ALTER TABLE ${identifier(name)} ${command} TRIGGER USER`);
}

/** Stores rows that are lines of JSON, as `readRows` writes them. */
export async function loadRows(tx: Queries, { name, columns }: Table, lines: string[]): Promise<void> {
  const names = columns.map((column) => identifier(column.name));
  const texts = names.map((column) => sql`${column} text`);
  const values = columns.map((column) => sql`${identifier(column.name)}::${new Sql([column.type], [])}`);
  await tx.query(sql`
    INSERT INTO ${identifier(name)} (${commaBetween(names)}) OVERRIDING SYSTEM VALUE
    SELECT ${commaBetween(values)}
    FROM json_to_recordset(${`[${lines.join(',')}]`}::text::json) AS rows (${commaBetween(texts)})`);
}
