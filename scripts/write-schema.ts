import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Queries } from '../src/db/database.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { sql } from '../src/db/sql.ts';
import { startPostgres } from '../test/postgres.ts';

// Writes the columns of all tables, as created by the migrations, to src/db/schema.ts.

/** The type of the driver's value for each type in PostgreSQL. */
const valueTypes: Record<string, string> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Uint8Array',
  date: 'Date',
  integer: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  text: 'string',
  'timestamp with time zone': 'Date',
  tsvector: 'string',
  uuid: 'string',
};

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: boolean;
  /** The CHECK constraint that limits a text column to some values; null if there is none. */
  check: string | null;
}

export async function schemaAsTypes(db: Queries): Promise<string> {
  const columns = await db.query<Column>(sql`
    SELECT relname AS table, attname AS name, format_type(atttypid, NULL) AS type, attnotnull AS "isRequired", (
      SELECT pg_get_constraintdef(oid) FROM pg_constraint
      WHERE conrelid = attrelid AND contype = 'c' AND conkey = ARRAY[attnum]
        AND pg_get_constraintdef(oid) ~ '^CHECK \\(\\(\\w+ = (ANY \\(ARRAY\\[)?''') AS check
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    ORDER BY relname, attnum`);
  const used = tablesInUse();
  const tables = [...Map.groupBy(columns, ({ table }) => table)]
    .filter(([table]) => used.has(table))
    .map(([table, ofTable]) => `  ${table}: {\n${ofTable.map(asProperty).join('')}  };\n`);
  return `// Written by \`npm run schema\` from the migrations.

/** The columns of the tables that modules take types from, with names in camel case. */
export interface Tables {
${tables.join('')}}
`;
}

const folder = new URL('../src/db/', import.meta.url);

/** The tables from whose columns a module in src/db takes types. */
function tablesInUse(): Set<string> {
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'schema.ts');
  const texts = sources.map((name) => readFileSync(new URL(name, folder), 'utf8'));
  return new Set(Array.from(texts.join('').matchAll(/Tables\['(\w+)'\]/g), ([, table = '']) => table));
}

function asProperty(column: Column): string {
  const key = column.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const type = valueType(column);
  return `    ${key}: ${type}${column.isRequired || type === 'unknown' ? '' : ' | null'};\n`;
}

function valueType({ table, name, type, check }: Column): string {
  if (check) return Array.from(check.matchAll(/'([^']*)'::text/g), ([, text]) => `'${text}'`).join(' | ');
  const known = valueTypes[type.replace('[]', '')];
  if (!known) throw new Error(`Add the type ${type} of ${table}.${name} to valueTypes.`);
  return type.endsWith('[]') ? `${known}[]` : known;
}

async function writeSchema(): Promise<void> {
  const server = await startPostgres();
  try {
    const database = await openPostgres(server.url);
    writeFileSync(new URL('schema.ts', folder), await schemaAsTypes(database));
    await database.close();
  } finally {
    await server.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void writeSchema();
