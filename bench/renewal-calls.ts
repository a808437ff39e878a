import type { ServerResponse } from 'node:http';
import { sql } from '../src/db/sql.ts';
import { buildGitHubApp } from '../test/github/build-github-app.ts';
import { repository } from '../test/github/state.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

// What the service asks GitHub by itself so that lists go on showing 1,000 repositories: the second of two days, minute by
// minute on a clock that is handed in, with a token and without, while readers leave all of the limit, or a part of it. At
// the start of that day some repositories turn private. Counts what was asked, how much of it GitHub counts, the most in an
// hour against the limit, and what lists show at the end.
// Usage: node bench/renewal-calls.ts

const repositories = 1_000;
const turnPrivate = 50;
const minutes = 24 * 60;
const minuteMs = 60_000;

interface Scene {
  name: string;
  token: string | null;
  /** How much of each hour's limit readers use up in its first minute. */
  readersUse: number;
}

const scenes: Scene[] = [
  { name: 'with a token', token: 'ghp_tokenOfservice', readersUse: 0 },
  { name: 'with a token, readers use 60 %', token: 'ghp_tokenOfservice', readersUse: 0.6 },
  { name: 'with a token, readers use all they may', token: 'ghp_tokenOfservice', readersUse: 0.9 },
  { name: 'without a token', token: null, readersUse: 0 },
  { name: 'without a token, readers use all they may', token: null, readersUse: 0.9 },
];

/** Counts questions as GitHub does: by the hour, and not those with a token whose answer is that nothing has changed. */
function countQuestions({ token, readersUse }: Scene, now: () => number) {
  const limit = token === null ? 60 : 5_000;
  const counted = { questions: 0, conditional: 0, unchanged: 0, used: 0, mostInHour: 0 };
  let hour = 0;
  let inHour = 0;
  let left = limit;
  return {
    limit,
    counted,
    forget: () =>
      Object.assign(counted, { questions: 0, conditional: 0, unchanged: 0, used: 0, mostInHour: 0 }),
    async answer(response: ServerResponse, pass: () => Promise<void>, isConditional: boolean): Promise<void> {
      const thisHour = Math.floor(now() / (60 * minuteMs));
      if (thisHour !== hour) {
        hour = thisHour;
        inHour = 0;
        left = Math.round(limit * (1 - readersUse));
      }
      if (left <= 0) throw new Error('The limit is used up.');
      const say = (name: string, value: number) => response.setHeader(`x-ratelimit-${name}`, String(value));
      say('limit', limit);
      say('remaining', left - 1);
      say('reset', (hour + 1) * 60 * 60);
      await pass();
      const isFree = response.statusCode === 304 && token !== null;
      if (!isFree) left -= 1;
      inHour += 1;
      counted.questions += 1;
      counted.conditional += Number(isConditional);
      counted.unchanged += Number(response.statusCode === 304);
      counted.used += Number(!isFree);
      counted.mostInHour = Math.max(counted.mostInHour, inHour);
    },
  };
}

async function play(scene: Scene) {
  const { app, github, join } = await buildGitHubApp({
    database: { PULLQUOTE_DATA: temporaryFolder() },
    environment: scene.token === null ? {} : { GITHUB_TOKEN: scene.token },
  });
  await join('service');
  const all = Array.from({ length: repositories }, (_, index) => repository(index + 1, `acme/r${index + 1}`));
  github.state.repositories.push(...all);
  // Each was last confirmed at some moment of the last day; the first was read last.
  await app.database.query(sql`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at, read_at)
    SELECT 'github', place, 'acme', 'r' || place, false,
      ${app.now()}::timestamptz - (place * 7919 % 1440) * interval '1 minute', ${app.now()}::timestamptz - place * interval '1 minute'
    FROM generate_series(1, ${repositories}::integer) AS place`);
  await app.database.runScript(`
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 1, 'A change', 'rin', 'merged', 'a', '2026-01-01Z', '2026-01-01Z' FROM repositories;
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
    SELECT id, repository_id, '2026-01-01Z', '2026-01-01Z' FROM pull_requests;`);
  const { limit, counted, forget, answer } = countQuestions(scene, () => app.now().getTime());
  github.script(/^\/repositories\//, (response, pass, { headers }) =>
    answer(response, pass, headers['if-none-match'] !== undefined),
  );
  const day = async () => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await app.lists.run();
      app.advance(minuteMs);
    }
  };
  await day();
  forget();
  for (const on of all.slice(0, turnPrivate)) on.visibility = 'private';
  await day();
  const since = new Date(app.now().getTime() - app.config.confirmedWithinMs);
  const listed = await app.database.query<{ id: number }>(sql`
    SELECT host_repo_id AS id FROM repositories WHERE NOT is_private AND checked_at > ${since}`);
  await app.close();
  return {
    'asked in a day': counted.questions,
    'of these conditional': counted.conditional,
    'answered 304': counted.unchanged,
    'counted by GitHub': counted.used,
    'most in an hour': `${counted.mostInHour} of ${limit}`,
    'still listed': listed.filter(({ id }) => id > turnPrivate).length,
    'listed though private': listed.filter(({ id }) => id <= turnPrivate).length,
  };
}

const table: Record<string, object> = {};
for (const scene of scenes) table[scene.name] = await play(scene);
console.log(`${repositories} repositories, ${turnPrivate} of which turn private, LIST_HOURS=24`);
console.table(table);
