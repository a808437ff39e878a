import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '../../src/db/sql.ts';
import type { TestApp } from '../build-app.ts';

/** Secrets of tests: tokens, also as git sends them, codes, app secrets and signed claims. */
const token =
  /gh[opur]_[A-Za-z0-9]+|eC1hY2Nlc3MtdG9rZW46\w*|code_[0-9a-f]{36}|device_[0-9a-f]{36}|secret-of-\w+|eyJ[\w-]+\.eyJ/;

export const holdsSecret = (text: string): boolean => token.test(text);

/** Finds tokens where none must be: in the log, responses, the database and the data folder. */
export async function placesOfTokens(
  app: TestApp,
  answers: string[],
  others: string[] = [],
): Promise<string[]> {
  const places: [string, string][] = [
    ...app.logLines().map((line) => ['the log', JSON.stringify(line)] as [string, string]),
    ...answers.map((text) => ['an answer', text] as [string, string]),
  ];
  for (const [name, text] of await dumpedTables(app)) places.push([`the table ${name}`, text]);
  for (const file of readdirSync(app.config.dataFolder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    places.push([path, readFileSync(path, 'latin1')]);
  }
  const isSecret = (text: string) => token.test(text) || others.some((one) => text.includes(one));
  return places.flatMap(([place, text]) => (isSecret(text) ? place : []));
}

/** Every row of every table, including the queue. */
export async function dumpedTables(app: TestApp): Promise<Map<string, string>> {
  const tables = await app.database.query<{ space: string; name: string }>(
    sql`SELECT table_schema AS space, table_name AS name FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const dumped = new Map<string, string>();
  for (const { space, name } of tables) {
    await app.database.transaction(async (tx) => {
      const [table] = await tx.query<{ xml: string }>(
        sql`SELECT query_to_xml(format('SELECT t::text FROM %I.%I AS t', ${space}::text, ${name}::text), true, true, '')::text AS xml`,
      );
      dumped.set(`${space}.${name}`, table?.xml ?? '');
    });
  }
  return dumped;
}

function readOfProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // The process has ended in the meantime.
    return '';
  }
}

/**
 * Command lines of child processes that contain a token, visible to every user of the machine. Other processes belong to other
 * tests.
 */
export function commandLinesWithTokens(): string[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [
        Number(name),
        Number(/^PPid:\t(\d+)/m.exec(readOfProcess(Number(name), 'status'))?.[1]),
      ]),
  );
  const isOurs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && isOurs(parent));
  };
  return [...parents.keys()]
    .filter(isOurs)
    .map((pid) => readOfProcess(pid, 'cmdline'))
    .filter((line) => token.test(line));
}
