import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';

interface PartOf {
  pullRequestId: string;
  /** A hash of what was asked, and of which model. */
  part: string;
}

/** What was noted on a part of a pull request; null where nobody has read it yet. */
export async function findNotes<Notes>(
  db: Queries,
  { pullRequestId, part, now }: PartOf & { now: Date },
): Promise<Notes | null> {
  const [row] = await db.query<{ notes: Notes }>(sql`
    UPDATE ai_notes SET used_at = ${now} WHERE pull_request_id = ${pullRequestId} AND part = ${part} RETURNING notes`);
  return row?.notes ?? null;
}

export async function saveNotes(
  db: Queries,
  { pullRequestId, part, notes, now }: PartOf & { notes: unknown; now: Date },
): Promise<void> {
  await db.query(sql`
    INSERT INTO ai_notes (pull_request_id, part, notes, used_at) VALUES (${pullRequestId}, ${part}, ${json(notes)}, ${now})
    ON CONFLICT (pull_request_id, part) DO UPDATE SET notes = excluded.notes, used_at = excluded.used_at`);
}

/** Forgets the notes on parts as they no longer are: those that an article was written without. */
export async function deleteOldNotes(
  db: Queries,
  { pullRequestId, before }: { pullRequestId: string; before: Date },
): Promise<void> {
  await db.query(sql`DELETE FROM ai_notes WHERE pull_request_id = ${pullRequestId} AND used_at < ${before}`);
}

/** Which files were read together when a pull request was last read part by part. */
export async function findPartPlan<Plan>(db: Queries, pullRequestId: string): Promise<Plan | null> {
  const [row] = await db.query<{ plan: Plan }>(
    sql`SELECT plan FROM ai_part_plans WHERE pull_request_id = ${pullRequestId}`,
  );
  return row?.plan ?? null;
}

export async function savePartPlan(
  db: Queries,
  { pullRequestId, plan }: { pullRequestId: string; plan: unknown },
): Promise<void> {
  await db.query(sql`
    INSERT INTO ai_part_plans (pull_request_id, plan) VALUES (${pullRequestId}, ${json(plan)})
    ON CONFLICT (pull_request_id) DO UPDATE SET plan = excluded.plan`);
}
