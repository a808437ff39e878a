import assert from 'node:assert/strict';
import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbedded } from '../src/db/embedded.ts';
import { fromReserve, sql } from '../src/db/sql.ts';
import { leaveRoom } from './pretend-disk.ts';

// Run as a process of its own, on a pretended disk: other programs fill the disk under an embedded database again and again, and
// in the end take even what was held. Says what the database said of itself; fails where something else came of it than should.

const mebibyte = 1024 * 1024;
const logFile = 16 * mebibyte;
const dataFolder = process.env.PULLQUOTE_DATA ?? '';
const heldFile = join(dataFolder, 'held-room');
const database = await openEmbedded(dataFolder, console.log);

/** What may use the reserve, in a table that need not grow for it. */
const takeAway = fromReserve(sql`UPDATE counts SET n = n - 1`);
/** Has the log go on in its next file, at once. */
const switchLog = sql`SELECT pg_switch_wal(), pg_logical_emit_message(false, '', '', true)`;
const countLeft = async () => (await database.query<{ n: number }>(sql`SELECT n FROM counts`))[0]?.n;
const store = () => database.query(sql`INSERT INTO counts VALUES (1)`);
const growTable = () =>
  database.query(fromReserve(sql`INSERT INTO counts SELECT 0 FROM generate_series(1, 100000)`));

await database.runScript('CREATE TABLE counts (n integer)');
await database.query(sql`INSERT INTO counts VALUES (100)`);
leaveRoom(dataFolder, 200);
await countLeft();
const allHeld = statSync(heldFile).size;

let left = 100;
for (let time = 0; time < 6; time += 1) {
  leaveRoom(dataFolder, 0);
  await database.transaction(async (tx) => {
    await tx.query(takeAway);
    await tx.query(switchLog);
    await tx.query(takeAway);
  });
  left -= 2;
  assert.equal(await countLeft(), left);
  await assert.rejects(store(), { code: 'ENOSPC' });
}
assert.equal(
  statSync(heldFile).size,
  allHeld - logFile,
  'the log takes one file of what is held, and no more',
);

leaveRoom(dataFolder, 300);
await database.runScript('CREATE TABLE large (n integer, filling text)');
await database.query(sql`INSERT INTO large SELECT n, repeat('x', 1900) FROM generate_series(1, 20000) AS n`);
await database.runScript('CHECKPOINT');
const countLarge = async () =>
  (await database.query<{ n: number }>(sql`SELECT count(*) AS n FROM large`))[0]?.n;

truncateSync(heldFile, logFile + 2 * mebibyte);
leaveRoom(dataFolder, 0);
await assert.rejects(growTable(), { code: '53100' });
assert.ok(statSync(heldFile).size > logFile, 'tables leave the log its next file');

truncateSync(heldFile);
leaveRoom(dataFolder, 0);
const refused = database.transaction(async (tx) => {
  await tx.query(takeAway);
  await tx.query(switchLog);
  // The log is in the last file that it has, and cannot be begun anew before this is over.
  await tx.query(takeAway);
});
await assert.rejects(refused, { code: 'ENOSPC' });
assert.equal(await countLeft(), left);
await assert.rejects(store(), { code: 'ENOSPC' });
await database.query(takeAway);
assert.equal(await countLeft(), left - 1, 'what the log no longer needs is enough to go on');

await assert.rejects(
  database.query(sql`DELETE FROM large`),
  { code: 'ENOSPC' },
  'more than the log has room for',
);
await database.query(takeAway);
assert.equal(await countLeft(), left - 2);
leaveRoom(dataFolder, 300);
assert.equal(await countLarge(), 20_000);
await database.close();
