import { sql } from '../../src/db/sql.ts';
import { openDatabase } from '../local-server.ts';

/** How often each pull request was written about, as the database has it once all services have ended. */
export async function countRevisions(settings: Record<string, string>) {
  const database = await openDatabase(settings);
  try {
    return await database.query<{ number: number; times: number }>(sql`
      SELECT pull_requests.number, sum(contents.revision)::integer AS times
      FROM article_contents AS contents
      JOIN articles ON articles.id = contents.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id
      GROUP BY pull_requests.id`);
  } finally {
    await database.close();
  }
}
