import { json, sql } from '../src/db/sql.ts';
import type { TestApp } from './build-app.ts';

interface Wanted {
  articleId: string;
  /** Words of the title and the only sentence. */
  words: string;
  periodEnds: { period: 'daily' | 'weekly'; end: Date }[];
}

/** Stores paragraphs of digests about the pull request of an article in English, as a model would have written them. */
export async function makeParagraphs(
  app: Pick<TestApp, 'database'>,
  { articleId, words, periodEnds }: Wanted,
): Promise<void> {
  const statement = {
    id: '0c6f1b0c9a11',
    text: `It tells of ${words}.`,
    basis: 'diff',
    evidence: [],
    prNumber: 1,
  };
  const body = { title: { text: words, prNumbers: [1] }, statements: [statement] };
  for (const { period, end } of periodEnds)
    await app.database.run(sql`
      INSERT INTO digest_paragraphs (repository_id, period, period_end, language_code, sources, body, created_at)
      SELECT pull_requests.repository_id, ${period}, ${end}, 'en', jsonb_build_array(jsonb_build_object(
        'pullRequestId', pull_requests.id, 'prNumber', number, 'baseSha', base_sha, 'headSha', head_sha)), ${json(body)}, now()
      FROM articles JOIN pull_requests ON pull_requests.id = articles.pull_request_id WHERE articles.id = ${articleId}
      ON CONFLICT DO NOTHING`);
}
