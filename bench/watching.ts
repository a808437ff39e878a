import { sql } from '../src/db/sql.ts';
import { buildGitHubApp } from '../test/github/build-github-app.ts';
import { account, merged, repository } from '../test/github/state.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

// What watching 100 public repositories asks GitHub in an hour, on a clock that is handed in: while nothing happens, while 60
// pull requests are merged in 20 of them, while something else changes in each all the time, and after a day away; with a token
// and without. Counts questions, how many of them GitHub counts, and what was planned of what was merged. Reading what was merged
// comes on top: about eight questions for each pull request, by whoever wants it read.
// Usage: node bench/watching.ts

const watched = 100;
const minuteMs = 60_000;
const token = 'ghp_tokenOfTheService';

interface Scene {
  name: string;
  /** How many are merged in the hour. */
  merges: number;
  /** Whether something changes in each repository before each question. */
  isRestless?: boolean;
  daysAway?: number;
}

const scenes: Scene[] = [
  { name: 'quiet', merges: 0 },
  { name: 'busy: 60 merged', merges: 60 },
  { name: 'restless: all change', merges: 60, isRestless: true },
  { name: 'after a day away', merges: 600, daysAway: 1 },
];

async function play({ merges, isRestless = false, daysAway = 0 }: Scene, hasToken: boolean) {
  const { app, github, join } = await buildGitHubApp({
    database: { PULLQUOTE_DATA: temporaryFolder() },
    environment: { WRITERS: '0', ...(hasToken && { GITHUB_TOKEN: token }) },
  });
  github.state.accounts.push(account(1, 'service', token));
  await join('ann');
  const all = Array.from({ length: watched }, (_, index) => repository(index + 1, `acme/r${index + 1}`));
  for (const one of all) one.pulls.push(merged(1, app.now()));
  github.state.repositories.push(...all);
  await app.database.query(sql`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    SELECT 'github', number, 'acme', 'r' || number, false, ${app.now()} FROM generate_series(1, ${watched}::integer) AS number`);
  await app.database.query(sql`
    INSERT INTO favorite_repositories (user_id, repository_id, registered_at)
    SELECT users.id, repositories.id, ${app.now()} FROM users, repositories`);
  await app.database.query(sql`
    INSERT INTO watches (favorite_id, repository_id, user_id, owner, name, language_code, labels, include_bots, since)
    SELECT favorites.id, repository_id, user_id, owner, repositories.name, 'en', '{}', false, ${app.now()}
    FROM favorite_repositories AS favorites JOIN repositories ON repositories.id = repository_id`);
  await app.database.query(sql`
    INSERT INTO watched_repositories (repository_id, due_at) SELECT id, ${app.now()} FROM repositories`);
  await app.watching.run();
  const plannedBefore = await countPlanned(app.database);
  app.advance(daysAway * 24 * 60 * minuteMs);
  const counted = { questions: 0, used: 0 };
  github.script(/./, async (response, pass) => {
    await pass();
    counted.questions += 1;
    counted.used += Number(!(response.statusCode === 304 && hasToken));
  });
  for (let minute = 0, done = 0; minute < 60; minute += 1) {
    app.advance(minuteMs);
    const due = daysAway > 0 ? merges : (merges * (minute + 1)) / 60;
    for (; done < due; done += 1) all[done % 20]?.pulls.push(merged(2 + done, app.now()));
    const now = app.now().toISOString();
    if (isRestless) for (const { pulls } of all) for (const pull of pulls.slice(0, 1)) pull.updatedAt = now;
    await app.watching.run();
  }
  // What was merged in the last minutes is heard of in the next hour.
  const { questions, used } = counted;
  app.advance(24 * 60 * minuteMs);
  await app.watching.run();
  const planned = (await countPlanned(app.database)) - plannedBefore;
  await app.close();
  return { questions, used, merged: merges, planned };
}

async function countPlanned(database: { query: <Row>(statement: ReturnType<typeof sql>) => Promise<Row[]> }) {
  const [row] = await database.query<{ planned: number }>(
    sql`SELECT count(*) AS planned FROM planned_articles`,
  );
  return row?.planned ?? 0;
}

console.log(`${watched} watched repositories, an hour:`);
console.log('                        token  questions  counted by GitHub  merged  planned in the end');
for (const hasToken of [true, false])
  for (const scene of hasToken ? scenes : scenes.slice(0, 2)) {
    const { questions, used, merged: merges, planned } = await play(scene, hasToken);
    const columns = [hasToken ? 'yes' : 'no', questions, used, merges, planned];
    const widths = [7, 11, 19, 8, 20];
    const row = columns.map((value, index) => String(value).padStart(widths[index] ?? 0)).join('');
    console.log(`  ${scene.name.padEnd(20)}${row}`);
  }
