import type { Queries } from '../../db/database.ts';
import type { DiffPart } from '../../db/diffs.ts';
import { countIngested, type QuotaHolder, takeFromIngestQuota } from '../../db/quotas.ts';
import type { Failure } from '../../domain/errors.ts';
import { quotaExhausted } from '../../domain/limits.ts';

/** Whose fetching is counted, and how much they may have stored in a day. */
export interface IngestQuota {
  holder: QuotaHolder;
  bytesPerDay: number;
}

/** How much a pull request takes in the database: its diff as it is compressed, and the rest as JSON. */
export function bytesToStore(content: object, parts: DiffPart[]): number {
  const diff = parts.reduce((sum, { compressed }) => sum + compressed.length, 0);
  return diff + Buffer.byteLength(JSON.stringify(content));
}

/** Refuses users whose quota is used up before anything is fetched for them. */
export async function requireQuota(db: Queries, quota: IngestQuota | null, now: Date): Promise<void> {
  if (!quota) return;
  if ((await countIngested(db, quota.holder, now)) >= quota.bytesPerDay) throw usedUp(quota, now);
}

/** Takes what is about to be stored from a quota, in the transaction that stores it. */
export async function takeQuota(
  tx: Queries,
  quota: IngestQuota | null,
  bytes: number,
  now: Date,
): Promise<void> {
  if (!quota) return;
  const { holder, bytesPerDay } = quota;
  if (!(await takeFromIngestQuota(tx, holder, { bytes, bytesPerDay, now }))) throw usedUp(quota, now);
}

function usedUp({ bytesPerDay }: IngestQuota, now: Date): Failure {
  const mebibytes = bytesPerDay / 1024 / 1024;
  return quotaExhausted(
    `You have had ${mebibytes} MiB of pull requests stored today, which is as much as one person may. ` +
      'What is stored can still be read and written about.',
    now,
  );
}
