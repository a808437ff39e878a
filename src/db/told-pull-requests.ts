import type { Queries } from './database.ts';
import { sql } from './sql.ts';
import { announceQueued } from './writing-jobs.ts';

/** What is known here of a pull request that a host tells about. */
interface ToldPullRequest {
  repositoryId: string;
  isStored: boolean;
  /** Whether any user watches its repository. */
  isWatched: boolean;
}

/** Null where its repository is not known. Without a check of visibility: for asking, never for showing. */
export async function findTold(
  db: Queries,
  { host, hostRepoId, number }: { host: string; hostRepoId: number; number: number },
): Promise<ToldPullRequest | null> {
  const [told] = await db.query<ToldPullRequest>(sql`
    SELECT id AS "repositoryId",
      EXISTS (SELECT FROM pull_requests WHERE repository_id = repositories.id AND number = ${number}) AS "isStored",
      EXISTS (SELECT FROM watches WHERE repository_id = repositories.id) AS "isWatched"
    FROM repositories WHERE host = ${host} AND host_repo_id = ${hostRepoId} AND NOT is_removed`);
  return told ?? null;
}

/** That webhooks arrive is noted so often, so that hearing does not become writing. */
const notedEveryMs = 10 * 60_000;

/** Notes that the host tells by itself of what happens in a repository that is watched. */
export async function noteWebhook(db: Queries, repositoryId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - notedEveryMs);
  await db.query(sql`
    UPDATE watched_repositories SET webhook_at = ${now}
    WHERE repository_id = ${repositoryId} AND (webhook_at IS NULL OR webhook_at NOT BETWEEN ${before} AND ${now})`);
}

/**
 * Has the host asked at once what was merged in a repository, and again where it is being asked. One that gives no answers, or
 * says to wait, is left alone until it is due.
 */
export async function askAboutMerged(tx: Queries, repositoryId: string, now: Date): Promise<void> {
  await tx.query(sql`
    UPDATE watched_repositories SET is_told = true,
      due_at = CASE WHEN failures = 0 THEN LEAST(due_at, ${now}) ELSE due_at END
    WHERE repository_id = ${repositoryId}`);
}

/**
 * Plans anew what stands about a pull request in a language that a watcher wants, and what was planned and failed. One that is
 * being written is written once more after that; one that waits goes on waiting.
 */
export async function planAgain(
  tx: Queries,
  { repositoryId, number, now }: { repositoryId: string; number: number; now: Date },
): Promise<void> {
  await tx.query(sql`
    INSERT INTO planned_articles AS planned (repository_id, pr_number, language_code, not_before, may_be_open)
    SELECT DISTINCT articles.repository_id, ${number}::bigint, contents.language_code, ${now}::timestamptz, true
    FROM pull_requests
    JOIN articles ON articles.pull_request_id = pull_requests.id
    JOIN article_contents AS contents ON contents.article_id = articles.id
    JOIN watches ON watches.repository_id = articles.repository_id AND watches.language_code = contents.language_code
    WHERE pull_requests.repository_id = ${repositoryId} AND pull_requests.number = ${number}
    ON CONFLICT (repository_id, pr_number, language_code) WHERE import_id IS NULL DO UPDATE SET
      may_be_open = true, is_due_again = planned.state = 'running',
      state = CASE WHEN planned.state = 'running' THEN 'running' ELSE 'waiting' END,
      not_before = CASE WHEN planned.finished_at IS NULL THEN planned.not_before ELSE excluded.not_before END,
      deferred = CASE WHEN planned.finished_at IS NULL THEN planned.deferred ELSE 0 END,
      finished_at = NULL, error = NULL`);
  await tx.query(sql`
    UPDATE planned_articles SET state = 'waiting', not_before = ${now}, deferred = 0, finished_at = NULL, error = NULL
    WHERE import_id IS NULL AND repository_id = ${repositoryId} AND pr_number = ${number} AND state = 'failed'`);
  await tx.query(announceQueued);
}
