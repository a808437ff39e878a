import { sql } from '../src/db/sql.ts';
import type { TestApp } from './build-app.ts';

interface Wanted {
  fullName: string;
  count: number;
  languages?: string[];
  /** Whether all pull requests were created at once, instead of a second apart. */
  equallyNew?: boolean;
  author?: string;
  changeTypes?: string[];
}

const quote = '{"text":"Nobody knew when it would end.","from":"description"}';

/** Makes articles about invented pull requests of a known repository; returns their ids. */
export async function makeArticles(
  { database }: Pick<TestApp, 'database'>,
  {
    fullName,
    count,
    languages = ['en'],
    equallyNew = false,
    author = 'rin',
    changeTypes = ['CHORE'],
  }: Wanted,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    WITH repository AS (SELECT id FROM repositories WHERE owner || '/' || name = ${fullName}),
    pulls AS (
      INSERT INTO pull_requests
        (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
      SELECT id, last + place, 'A change', ${author}, 'merged', ${'a'.repeat(40)},
        '2026-01-01Z'::timestamptz + CASE WHEN ${equallyNew} THEN 0 ELSE last + place END * interval '1 second', '2026-01-01Z'
      FROM repository, generate_series(1, ${count}::integer) AS place,
        (SELECT coalesce(max(number), 0) AS last FROM pull_requests) AS numbers
      RETURNING id, repository_id, host_created_at),
    written AS (
      INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
      SELECT id, repository_id, host_created_at, host_created_at FROM pulls
      RETURNING id, repository_id, created_at),
    worded AS (
      INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, quote, reading_minutes, body,
        head_sha, generated_at)
      SELECT id, repository_id, language, 'A title', ${changeTypes}::text[], ${quote}::text::json, 1, json_build_object('languageCode', language,
        'aiGeneratedTitle', 'A title', 'changeTypes', ${changeTypes}::text[], 'quote', ${quote}::text::json, 'readingMinutes', 1,
        'backgroundAndPurpose', 'Because.', 'background', '[{"id":"0123456789ab","text":"Because.","basis":"words","evidence":[]}]'::json,
        'mainChanges', '{}'::text[], 'notablePoints', '{}'::text[], 'standfirst', NULL, 'scope', NULL, 'authorWords', NULL,
        'tests', NULL, 'also', '{}'::text[],
        'counts', '{"files":0,"additions":0,"deletions":0,"commits":0,"parts":[]}'::json,
        'summaryGeneratedAt', created_at, 'headSha', ${'a'.repeat(40)}::text, 'baseSha', ''::text,
        'writer', '{"kind":"offline"}'::json,
        'coverage', '{"filesRead":0,"filesTotal":0,"linesRead":0,"linesTotal":0,"skipped":[],"skippedTotal":0}'::json,
        'verification', '{"claims":0,"verified":0,"repaired":0,"dropped":0,"judged":0,"unjudged":0}'::json), ${'a'.repeat(40)}, created_at
      FROM written, unnest(${languages}::text[]) AS language)
    SELECT id FROM written ORDER BY created_at, id`);
  if (rows.length !== count) throw new Error(`The service does not know ${fullName}.`);
  return rows.map(({ id }) => id);
}

/** Signs up users; returns their tokens. */
export function makeCrowd(app: TestApp, name: string, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => app.signUp(`${name}-${index}`)));
}
