import type { StoredModel } from '../domain/model-providers.ts';
import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';

/** The models that an operator is about to choose from. */
export interface ModelDraft extends Omit<StoredModel, 'name'> {
  /** Empty if the provider lists none. */
  models: string[];
  writer: string | null;
  /** Null without a second model. */
  reader: string | null;
  mayReadPrivate: boolean;
}

interface KnownDraft extends ModelDraft {
  /** Another one for each connection, so that a form is accepted for its own only. */
  id: string;
}

export async function findModelDraft(db: Queries, userId: string): Promise<KnownDraft | null> {
  const found = await db.first<{ id: string; draft: ModelDraft }>(
    sql`SELECT id, draft FROM model_drafts WHERE user_id = ${userId}`,
  );
  return found && { ...found.draft, id: found.id };
}

interface Owned {
  userId: string;
  now: Date;
}

export const saveModelDraft = (db: Queries, draft: ModelDraft, { userId, now }: Owned): Promise<void> =>
  db.run(sql`
    INSERT INTO model_drafts (user_id, id, draft, changed_at) VALUES (${userId}, gen_random_uuid(), ${json(draft)}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, draft = excluded.draft, changed_at = excluded.changed_at`);

export const chooseInModelDraft = (
  db: Queries,
  { id, chosen, userId, now }: Owned & { id: string; chosen: Partial<ModelDraft> },
): Promise<void> =>
  db.run(sql`
    UPDATE model_drafts SET draft = draft || ${json(chosen)}, changed_at = ${now} WHERE user_id = ${userId} AND id = ${id}`);

/** Returns false if it was deleted or replaced before. */
export const deleteModelDraft = (tx: Queries, { userId, id }: { userId: string; id: string }) =>
  tx.any(sql`DELETE FROM model_drafts WHERE user_id = ${userId} AND id = ${id} RETURNING id`);

/** Drafts may have copies of the stored keys. */
export const deleteModelDrafts = (tx: Queries): Promise<void> => tx.run(sql`DELETE FROM model_drafts`);

export const deleteOldModelDrafts = (db: Queries, before: Date): Promise<void> =>
  db.run(sql`DELETE FROM model_drafts WHERE changed_at < ${before}`);
