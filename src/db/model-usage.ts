import { utcMonth } from '../domain/time.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';
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

/** The usage of a month, the largest first. */
export async function findModelUsage(
  db: Queries,
  viewer: ListScope,
): Promise<{ byRepository: RepositoryUsage[]; byUser: UserUsage[] }> {
  const used = sql`sum(input_tokens)::bigint AS "inputTokens", sum(output_tokens)::bigint AS "outputTokens",
    sum(cost_usd)::double precision AS "costUsd" FROM model_usage AS counted`;
  const ofMonth = sql`WHERE month = ${utcMonth(viewer.now)}::date GROUP BY 1
    ORDER BY sum(input_tokens + output_tokens) DESC, 1`;
  const byRepository = await db.query<RepositoryUsage>(sql`
    SELECT (SELECT jsonb_build_object('host', host, 'owner', owner, 'repo', name) FROM repositories
      WHERE repositories.id = counted.repository_id AND ${visibleTo(viewer)}) AS repository, ${used} ${ofMonth}`);
  const byUser = await db.query<UserUsage>(sql`
    SELECT (SELECT jsonb_build_object('id', users.id, 'host', host, 'hostUsername', username) FROM users
      JOIN identities ON identities.id = users.identity_id WHERE users.id = counted.user_id) AS user, ${used} ${ofMonth}`);
  return { byRepository, byUser };
}
