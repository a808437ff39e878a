import { utcMonth } from '../domain/time.ts';
import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';
import { type ListScope, visibleTo } from './visibility.ts';

interface PaidCall {
  /** The job that the model worked for. */
  jobId: string;
  inputTokens: number;
  outputTokens: number;
  /** Undefined if the price of the model is unknown. */
  costUsd: number | undefined;
  at: Date;
}

/** Counts a call of a model for the repository and the user of its job; for nobody if the job was deleted meanwhile. */
export const countModelUsage = (
  db: Queries,
  { jobId, inputTokens, outputTokens, costUsd, at }: PaidCall,
): Promise<void> =>
  db.run(sql`
    INSERT INTO model_usage AS counted (month, repository_id, user_id, input_tokens, output_tokens, cost_usd)
    SELECT ${utcMonth(at)}::date, repository_id, user_id, ${inputTokens}::bigint, ${outputTokens}::bigint,
      ${costUsd ?? null}::numeric
    FROM (SELECT) AS call LEFT JOIN jobs ON jobs.id = ${jobId}
    ON CONFLICT (month, repository_id, user_id) DO UPDATE SET
      input_tokens = counted.input_tokens + excluded.input_tokens,
      output_tokens = counted.output_tokens + excluded.output_tokens,
      cost_usd = coalesce(counted.cost_usd + excluded.cost_usd, counted.cost_usd, excluded.cost_usd)`);

export const deleteOldModelUsage = (db: Queries, before: Date): Promise<void> =>
  db.run(sql`DELETE FROM model_usage WHERE month < ${utcMonth(before)}::date`);

interface Used {
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
}

interface RepositoryUsage extends Used {
  /** Null for all repositories together that the viewer does not see. */
  repository: { host: string; owner: string; repo: string } | null;
}

interface UserUsage extends Used {
  /** Null for articles for followers, and for deleted accounts. */
  user: { id: string; host: string; hostUsername: string } | null;
}

const mostRows = 100;

/** The usage of a month, the largest first. */
export async function findModelUsage(
  db: Queries,
  viewer: ListScope,
): Promise<{ byRepository: RepositoryUsage[]; byUser: UserUsage[] }> {
  const sums = (by: Sql) => sql`(
    SELECT ${by} AS id, sum(input_tokens) AS input, sum(output_tokens) AS output, sum(cost_usd) AS cost FROM model_usage
    WHERE month = ${utcMonth(viewer.now)}::date GROUP BY 1) AS used`;
  const sumOf = sql`sum(input)::bigint AS "inputTokens", sum(output)::bigint AS "outputTokens",
    sum(cost)::double precision AS "costUsd"`;
  const largest = sql`GROUP BY 1 ORDER BY sum(input + output) DESC, 1 LIMIT ${mostRows}`;
  const byRepository = await db.query<RepositoryUsage>(sql`
    SELECT CASE WHEN owner IS NOT NULL THEN jsonb_build_object('host', host, 'owner', owner, 'repo', name) END AS repository,
      ${sumOf} FROM ${sums(sql`repository_id`)}
    LEFT JOIN repositories ON repositories.id = used.id AND ${visibleTo(viewer)} ${largest}`);
  const byUser = await db.query<UserUsage>(sql`
    SELECT CASE WHEN username IS NOT NULL
        THEN jsonb_build_object('id', users.id, 'host', host, 'hostUsername', username) END AS user,
      ${sumOf} FROM ${sums(sql`user_id`)}
    LEFT JOIN users ON users.id = used.id LEFT JOIN identities ON identities.id = users.identity_id ${largest}`);
  return { byRepository, byUser };
}
