import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../../src/config.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { sql } from '../../src/db/sql.ts';
import { askSomething, post, readArticles, type Users } from './mix.ts';

const days = 30;
const dayMs = 24 * 60 * 60 * 1_000;
const requestsADay = 200;

/** The same requests every day, with a clock that is a day later each time, and what the service does once a day. */
export async function liveThroughMonth(environment: Record<string, string>): Promise<void> {
  const config = parseConfig({ ...environment, PORT: '0', RATE_LIMIT: '0' });
  let day = 0;
  const clock = () => new Date(Date.now() + day * dayMs);
  const app = await buildApp(config, {
    log: pino({ level: 'warn' }),
    clock,
    command: 'serve',
    announce: () => {},
  });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const keys = loadSecretKeys(config);
  const users: Users = { url, tokens: [], articles: [] };
  const sizes: object[] = [];
  for (; day < days; day += 1) {
    users.tokens = Array.from({ length: 10 }, (_, index) => tokenOf(index));
    for (const token of users.tokens)
      for (const path of ['/auth/signup', '/auth/session']) await post(url, token, path);
    for (let number = day * 5 + 1; number <= day * 5 + 5; number += 1)
      await post(url, users.tokens[0], `/repos/acme/shop/pulls/${number}/article`, { language: 'en' });
    users.articles = await readArticles(users);
    for (let sent = 0; sent < requestsADay; sent += 1) await askSomething(users);
    for (const work of [app.rankings, app.lists, app.watching, app.digests]) await work.run();
    await app.housekeeping.run();
    if (day % 5 === 4) sizes.push({ day: day + 1, ...(await sizesOf()) });
  }
  await app.close();
  console.table(sizes);

  function tokenOf(index: number): string {
    const expiresAt = new Date(clock().getTime() + dayMs);
    return mintLocalToken(keys, { name: `client-${index}`, singleUse: false, expiresAt });
  }

  async function sizesOf(): Promise<object> {
    const [row] = await app.database.query(sql`
      SELECT pg_database_size(current_database())::bigint / 1000000 AS "MB",
        (SELECT count(*) FROM articles) AS articles, (SELECT count(*) FROM sessions) AS sessions,
        (SELECT count(*) FROM article_likes) AS likes, (SELECT count(*) FROM jobs) AS jobs,
        (SELECT count(*) FROM article_rankings WHERE period = 'daily') AS "ranked in 24 hours"`);
    return row ?? {};
  }
}
