import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import { openPostgres } from './postgres.ts';
import { json, jsonText, sql } from './sql.ts';

test('NUL and lone surrogates are replaced in text, list and JSON parameters, and bytes stay as they are', async () => {
  const { DATABASE_URL = '' } = await freshDatabase();
  const database = await openPostgres(DATABASE_URL);
  const odd = 'a\0b \ud83d \u{1f40c} c\udc00';
  const kept = 'a\ufffdb \ufffd \u{1f40c} c\ufffd';
  const spelled = 'a backslash and \\u0000, \\ud83d and \\\\u0000 \u0001';
  const bytes = new Uint8Array([0, 0xd8, 0, 0xff]);
  const [row] = await database.query<Record<string, unknown>>(sql`
    SELECT ${odd}::text AS text, ${[odd, 'plain']}::text[] AS list, ${bytes}::bytea AS bytes,
      ${json({ [odd]: [odd, spelled, 7, null, { deep: odd }] })} AS searched, ${jsonText([odd, spelled])} AS handed_on`);
  await database.close();
  assert.ok(row);
  assert.deepEqual(Uint8Array.from(row.bytes as Uint8Array), bytes);
  delete row.bytes;
  assert.deepEqual(
    { ...row },
    {
      text: kept,
      list: [kept, 'plain'],
      searched: { [kept]: [kept, spelled, 7, null, { deep: kept }] },
      handedOn: [kept, spelled],
    },
  );
});

test('`sql` renders each statement from its own parts, also after another statement of the same template', () => {
  const part = () => sql`now()`;
  const pair = (one: unknown, other: unknown) => sql`SELECT ${one}, ${other}`;
  const within = (inner: unknown) => sql`(${inner})`;
  const expected: [ReturnType<typeof sql>, string, unknown[]][] = [
    [pair(1, part()), 'SELECT $1, now()', [1]],
    [pair(part(), 1), 'SELECT now(), $1', [1]],
    [pair(part(), part()), 'SELECT now(), now()', []],
    [pair(1, 2), 'SELECT $1, $2', [1, 2]],
    [pair(within(1), 2), 'SELECT ($1), $2', [1, 2]],
    [pair(within(part()), 2), 'SELECT (now()), $1', [2]],
    [pair(within(sql`${1} + ${2}`), within(3)), 'SELECT ($1 + $2), ($3)', [1, 2, 3]],
  ];
  for (let round = 0; round < 2; round += 1)
    for (const [statement, text, parameters] of expected)
      assert.deepEqual(statement.render(), { text, parameters });
});
