import type { StoredModelSettings } from '../domain/model-providers.ts';
import { notifyPublicChange } from './articles.ts';
import type { Queries } from './database.ts';
import { json, sql } from './sql.ts';

/** Sent as a public change, because pages say what writes. */
export const modelsChanged = 'models';

export async function findModelSettings(db: Queries): Promise<StoredModelSettings | null> {
  // Older settings have no ceiling by month.
  const [found] = await db.query<StoredModelSettings>(sql`
    SELECT writer, reader, '{"tokensPerMonth": null}' || limits AS limits FROM model_settings`);
  return found ?? null;
}

/** Another one after each change; null without settings. */
export const findModelRevision = (db: Queries): Promise<string | null> =>
  db.value<string>(sql`SELECT (extract(epoch FROM changed_at) * 1000000)::bigint::text FROM model_settings`);

/** Locks the settings, so that concurrent changes come one after the other. */
export async function lockModelSettings(tx: Queries): Promise<StoredModelSettings | null> {
  await tx.query(sql`LOCK TABLE model_settings IN SHARE ROW EXCLUSIVE MODE`);
  return findModelSettings(tx);
}

export async function saveModelSettings(
  tx: Queries,
  { writer, reader, limits }: StoredModelSettings,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await tx.run(sql`
    INSERT INTO model_settings (writer, reader, limits, changed_by, changed_at)
    VALUES (${json(writer)}, ${reader && json(reader)}, ${json(limits)}, ${userId}, ${now})
    ON CONFLICT (is_only) DO UPDATE SET writer = excluded.writer, reader = excluded.reader, limits = excluded.limits,
      changed_by = excluded.changed_by, changed_at = excluded.changed_at`);
  await notifyPublicChange(tx, modelsChanged);
}

export async function deleteModelSettings(tx: Queries): Promise<void> {
  await tx.run(sql`DELETE FROM model_settings`);
  await notifyPublicChange(tx, modelsChanged);
}
