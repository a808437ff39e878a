import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import { sql } from '../src/db/sql.ts';
import { lastPeriod } from '../src/domain/digests.ts';
import { buildTestApp } from './build-app.ts';
import { startMailServer } from './mail-server.ts';
import { makeClone } from './make-clone.ts';
import { makeMergedArticles } from './make-merges.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
export const publicUrl = 'https://pullquote.example.org';

/** A service that sends digests to a mail server of the test. */
export async function buildDigestApp(environment: Record<string, string> = {}) {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  makeClone(root, 'acme/secret');
  const server = await startMailServer();
  const app = await buildTestApp({
    environment: {
      GIT_REPOS: root,
      GIT_PRIVATE: 'acme/secret=dana',
      PUBLIC_URL: publicUrl,
      SMTP_URL: server.url,
      MAIL_FROM: 'Pullquote <pullquote@example.org>',
      ...environment,
    },
    frozen: true,
  });

  /** A new token for a user: tokens expire while the test advances the clock. */
  const ask = (name: string, method: string, path: string, body?: object) =>
    app.call(method, path, { token: app.tokenFor(name), ...(body && { body }) });
  const choose = (name: string, body: object) => ask(name, 'PUT', '/users/me/digest', body);
  const chosenBy = async (name: string) => (await ask(name, 'GET', '/users/me/digest')).body.data;
  const pathOf = (url: string | undefined) => (url ?? '').replace(publicUrl, '');
  const unsubscribePath = () =>
    pathOf(/<([^>]+)>/.exec(server.mails.at(-1)?.headers.get('list-unsubscribe') ?? '')?.[1]);
  const confirmPath = () =>
    pathOf(/https:\S+\/digest\/confirm\/[\w-]{43}/.exec(server.mails.at(-1)?.text ?? '')?.[0]);

  /** Signs up a user who has confirmed an address and follows repositories. */
  async function join(
    name: string,
    { period = 'daily', language = 'en', repos = ['rocket'] } = {},
  ): Promise<void> {
    const token = await app.signUp(name);
    await app.call('PATCH', '/users/me', { token, body: { language } });
    for (const repo of repos) await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
    const chosen = await choose(name, { period, email: `${name}@example.org` });
    assert.deepEqual([chosen.status, chosen.body.data.confirmed], [200, false], chosen.text);
    assert.equal((await app.call('POST', confirmPath(), { raw: '' })).status, 200);
  }

  /** Ends the day of a merge, and sends the digests that are due. */
  async function endDay(fullName = 'acme/rocket', languages = ['en', 'ja']): Promise<void> {
    await makeMergedArticles(app, { fullName, count: 2, mergedAt: app.now(), languages });
    app.advance(lastPeriod('daily', app.now()).to.getTime() + day + 2 * hour - app.now().getTime());
    await app.lists.run();
    await app.digests.run();
  }

  const sentTo = () => server.mails.map(({ to }) => to).sort();
  const states = async () => {
    const rows = await app.database.query<{ state: string; times: number }>(sql`
      SELECT state, count(*) AS times FROM digest_deliveries WHERE user_id IS NOT NULL GROUP BY state ORDER BY state`);
    return rows.map(({ state, times }) => `${state} ${times}`).join(', ');
  };

  beforeEach(async () => {
    await app.database.query(sql`DELETE FROM digest_deliveries`);
    await app.database.query(sql`DELETE FROM digests`);
    await app.database.query(sql`DELETE FROM daily_counts WHERE kind = 'mails'`);
    server.mails.length = 0;
    server.answers.clear();
    server.isAway = false;
  });

  return {
    app,
    server,
    root,
    ask,
    choose,
    chosenBy,
    unsubscribePath,
    confirmPath,
    join,
    endDay,
    sentTo,
    states,
  };
}
