import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import type { Database } from '../src/db/database.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { sql } from '../src/db/sql.ts';
import { lastPeriod } from '../src/domain/digest.ts';
import { openMailServer } from '../test/mail-server.ts';
import { makeClone } from '../test/make-clone.ts';
import { makeMergedArticles } from '../test/make-merges.ts';
import { startPostgres } from '../test/postgres.ts';
import { KilledServices } from './live/killed-services.ts';

// How often each of many people gets the digest of a day, sent by two services on one PostgreSQL while either is killed with -9
// every few seconds and started again. The mail server takes its time over each mail, so that many are killed in the middle. The
// clock of the services goes faster, so that what the dead held is free again in seconds. Ends with 1 where a mail came twice, or is
// missing without the service knowing that it may be.
// Usage: node bench/digests.ts [--people 200] [--kill-every 2] [--taking 400]

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '200' },
    'kill-every': { type: 'string', default: '2' },
    taking: { type: 'string', default: '400' },
  },
});
const people = Number(values.people);
const killEveryMs = Number(values['kill-every']) * 1_000;
const takingMs = Number(values.taking);
/** Ten minutes, for which a process holds what it sends, pass in twelve seconds. */
const speed = 50;

/** People who have chosen a daily digest long ago, and follow a repository in which something was merged. */
async function fill(database: Database, now: Date): Promise<void> {
  const { from } = lastPeriod('daily', now);
  const longAgo = new Date(from.getTime() - 86_400_000);
  await makeMergedArticles({ database }, { fullName: 'acme/rocket', count: 5, mergedAt: from });
  await database.query(sql`
    WITH named AS (
      INSERT INTO identities (host, host_user_id, username, display_name, email)
      SELECT 'git', 1000 + place, 'p' || place, 'p' || place, 'p' || place || '@example.org'
      FROM generate_series(1, ${people}::integer) AS place RETURNING id, email),
    joined AS (
      INSERT INTO users (identity_id, language, created_at, updated_at)
      SELECT id, 'en', ${longAgo}::timestamptz, ${longAgo}::timestamptz FROM named RETURNING id, identity_id),
    following AS (
      INSERT INTO favorite_repositories (user_id, repository_id, registered_at)
      SELECT joined.id, repositories.id, ${longAgo}::timestamptz FROM joined, repositories WHERE repositories.name = 'rocket')
    INSERT INTO digests (user_id, period, email, confirmed_at, chosen_at)
    SELECT joined.id, 'daily', named.email, ${longAgo}::timestamptz, ${longAgo}::timestamptz
    FROM joined JOIN named ON named.id = joined.identity_id`);
}

async function countStates(database: Database): Promise<Record<string, number>> {
  const rows = await database.query<{ state: string; times: number }>(sql`
    SELECT state, count(*) AS times FROM digest_deliveries WHERE user_id IS NOT NULL GROUP BY state`);
  return Object.fromEntries(rows.map(({ state, times }) => [state, times]));
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-digests-'));
  makeClone(join(folder, 'clones'), 'acme/rocket');
  const postgres = await startPostgres();
  const mail = await openMailServer();
  let broken = 0;
  mail.beforeTaking = () => pause(takingMs);
  const environment = {
    DATABASE_URL: postgres.url,
    PULLQUOTE_DATA: join(folder, 'data'),
    GIT_REPOS: join(folder, 'clones'),
    SECRET_KEYS: `1:${'k'.repeat(43)}`,
    PUBLIC_URL: 'https://pullquote.example.org',
    SMTP_URL: mail.url,
    MAIL_FROM: 'pullquote@example.org',
    LIST_HOURS: '168',
    LOG_LEVEL: 'silent',
  };
  const config = parseConfig(environment);
  const epoch = Date.now();
  const services = new KilledServices(environment, { epoch, speed });
  const database = await openPostgres(postgres.url);
  try {
    await services.start(1);
    const token = mintLocalToken(loadSecretKeys(config), {
      name: 'rin',
      singleUse: false,
      expiresAt: new Date(epoch + 86_400_000 * speed),
    });
    const call = (path: string, body: object) =>
      fetch(new URL(path, services.urls()[0]), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await call('/auth/signup', { language: 'en' });
    const followed = await call('/users/me', { owner: 'acme', repo: 'rocket' });
    if (!followed.ok) throw new Error(await followed.text());
    await services.stop();
    await fill(database, new Date());
    const killed = new KilledServices(environment, { epoch, speed });
    const begun = performance.now();
    await killed.start(2);
    killed.beginKilling(killEveryMs);
    const isSettled = async () => {
      const { waiting = 0, claimed = 0, sending = 0, ...over } = await countStates(database);
      return waiting + claimed + sending === 0 && Object.keys(over).length > 0;
    };
    for (let last = 0; !(await isSettled()) && performance.now() - begun < 300_000; last += 1) {
      await pause(1_000);
      if (last % 10 === 9)
        process.stdout.write(`${mail.mails.length} mails, ${JSON.stringify(await countStates(database))}\n`);
    }
    await killed.stop();
    const times = Map.groupBy(mail.mails, ({ to }) => to);
    const twice = [...times.values()].filter((got) => got.length > 1).length;
    const missing = people - times.size;
    broken = mail.connections - mail.mails.length;
    const states = await countStates(database);
    const { unknown = 0 } = states;
    process.stdout.write(
      [
        `${people} people, two services, ${killed.kills} kills, ${Math.round((performance.now() - begun) / 1000)} s`,
        `came once: ${times.size - twice}, came twice: ${twice}, did not come: ${missing}`,
        `noted as sent: ${states.sent ?? 0}, noted as perhaps not arrived: ${unknown}`,
        `connections that ended without a mail: ${broken}`,
        '',
      ].join('\n'),
    );
    if (twice > 0 || missing > unknown) process.exitCode = 1;
  } finally {
    await services.stop();
    await database.close();
    mail.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
