import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCluster } from '../../../test/postgres-cluster.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { Finding } from '../../domain/errors.ts';
import { examineServers } from './examine-replication.ts';

const lineOf = ({ state, sentence, remedy }: Finding): string =>
  [`${state}: ${sentence}`, ...(remedy === null ? [] : [remedy])].join(' → ');

test('`examineServers` reports the role of each server, its lag, and settings that lose data, each with one remedy', async () => {
  const { primary, standby, url } = await startCluster();
  let lines: string[] = [];
  const untilReported = (...patterns: RegExp[]) =>
    waitUntil(`${patterns} is reported`, async () => {
      lines = (await examineServers(url)).map(lineOf);
      return patterns.every((pattern) => lines.some((line) => pattern.test(line)));
    });
  const set = (setting: string, value: string) =>
    primary.ask(async (sql) => {
      await sql.unsafe(`ALTER SYSTEM SET ${setting} = '${value}'`);
      await sql`SELECT pg_reload_conf()`;
    });
  const isPrimary = `${primary.host} is the primary`;
  const isStandby = `${standby.host} is a standby`;

  await untilReported(
    new RegExp(`^warning: ${isPrimary}; 1 standby follows it, but commits wait for none: .* → Set synch`),
    new RegExp(`^ok: ${isStandby}, 0 MiB behind\\.$`),
    new RegExp(`^warning: fsync is off on ${primary.host}: a power cut .* → Set fsync to on\\.$`),
  );
  assert.equal(lines.length, 3, lines.join('\n'));

  await set('full_page_writes', 'off');
  await set('synchronous_commit', 'local');
  await set('synchronous_standby_names', '*');
  await untilReported(
    new RegExp(`^ok: ${isPrimary}; 1 standby follows it, and commits wait for 1\\.$`),
    /^warning: synchronous_commit is local on .* a failover loses .* → Set synchronous_commit to on\.$/,
    /^warning: full_page_writes is off on .* → Set full_page_writes to on\.$/,
  );
  await set('synchronous_commit', 'off');
  await untilReported(/^warning: synchronous_commit is off on .* a crash loses .* → Set synchronous_commit/);

  await standby.kill();
  await untilReported(
    new RegExp(`^warning: ${isPrimary}, and no standby follows it\\. → Start the other server`),
    new RegExp(`^warning: ${standby.host} does not answer: .*ECONNREFUSED.* → Start it again as a standby`),
  );

  await primary.kill();
  await standby.start();
  await untilReported(
    /^failure: No server in DATABASE_URL takes writes\. → Promote a standby/,
    new RegExp(`^warning: ${isStandby}, but is not connected to a primary\\. → Check primary_conninfo`),
  );

  await standby.promote();
  await primary.start();
  await untilReported(/^failure: .* and .* both take writes, so they differ\. → Stop the former primary/);
});
