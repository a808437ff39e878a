import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { test } from 'node:test';
import { filesImportedBy } from './imported-files.ts';
import { tableSources } from './table-sources.ts';
import { rowsToRun, runsWholeTables } from './tables.ts';

test('every test with a table is listed with its sources, and every source exists', () => {
  const tables = import.meta.resolve('./tables.ts').replace('file://', '');
  const own = ['test/tables.test.ts'];
  const users = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter(
    (file) => !own.includes(file) && filesImportedBy(file, { within: import.meta.dirname }).has(tables),
  );
  assert.deepEqual(Object.keys(tableSources).sort(), users.sort());
  for (const [table, sources] of Object.entries(tableSources)) {
    assert.ok(sources.length > 0, table);
    for (const source of sources) assert.ok(existsSync(source), `${source} of ${table}`);
  }
});

test('`rowsToRun` gives the first row of each kind, and with --full all rows', () => {
  const rows = ['a1', 'a2', 'b1', 'a3'];
  assert.deepEqual(
    rowsToRun(rows, ([kind = '']) => kind),
    runsWholeTables ? rows : ['a1', 'b1'],
  );
});
