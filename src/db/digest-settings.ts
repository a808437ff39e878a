import type { DigestChoice, EndReason } from '../domain/digest.ts';
import { utcDay } from '../domain/utc-day.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';

export interface StoredDigestSettings {
  period: DigestChoice;
  email: string | null;
  isConfirmed: boolean;
  endedBecause: EndReason | null;
}

const columns = sql`
  digests.period, digests.email, digests.confirmed_at IS NOT NULL AS "isConfirmed", digests.ended_because AS "endedBecause"`;

const unchosen: StoredDigestSettings = { period: 'off', email: null, isConfirmed: false, endedBecause: null };

/** What a user has chosen; nothing is sent to those who have not. */
export async function findDigestSettings(db: Queries, userId: string): Promise<StoredDigestSettings> {
  const [found] = await db.query<StoredDigestSettings>(
    sql`SELECT ${columns} FROM digests WHERE user_id = ${userId}`,
  );
  return found ?? unchosen;
}

/** The mail that asks whether an address is the user's: what is kept of its secret, and until when that counts. */
interface Confirmation {
  hash: string;
  until: Date;
}

/**
 * Stores what a user has chosen. Another address than before is not confirmed, and mails to the one before no longer end
 * anything: their reader may be another.
 */
export async function saveDigestSettings(
  tx: Queries,
  {
    userId,
    period,
    email,
    confirmation,
    now,
  }: {
    userId: string;
    period: DigestChoice;
    email: string | null;
    confirmation: Confirmation | null;
    now: Date;
  },
): Promise<StoredDigestSettings> {
  const { hash = null, until = null } = confirmation ?? {};
  const [before] = await tx.query<{ email: string | null }>(
    sql`SELECT email FROM digests WHERE user_id = ${userId} FOR UPDATE`,
  );
  if (before && before.email !== email)
    await tx.query(sql`UPDATE digest_deliveries SET secret_hash = NULL WHERE user_id = ${userId}`);
  const [saved] = await tx.query<StoredDigestSettings>(sql`
    INSERT INTO digests (user_id, period, email, confirm_hash, confirm_until, chosen_at)
    VALUES (${userId}, ${period}, ${email}, ${hash}, ${until}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET period = excluded.period, email = excluded.email, ended_because = NULL,
      confirmed_at = CASE WHEN digests.email = excluded.email AND excluded.confirm_hash IS NULL THEN digests.confirmed_at END,
      confirm_hash = CASE WHEN digests.email = excluded.email THEN coalesce(excluded.confirm_hash, digests.confirm_hash)
        ELSE excluded.confirm_hash END,
      confirm_until = CASE WHEN digests.email = excluded.email THEN coalesce(excluded.confirm_until, digests.confirm_until)
        ELSE excluded.confirm_until END,
      chosen_at = CASE WHEN digests.period = excluded.period THEN digests.chosen_at ELSE excluded.chosen_at END
    RETURNING ${columns}`);
  if (!saved) throw new Error('The database stored a digest without returning it.');
  return saved;
}

/** Whether a secret that was sent to an address confirms it now. */
export async function isConfirmable(
  db: Queries,
  { hash, now }: { hash: string; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT FROM digests WHERE confirm_hash = ${hash} AND confirm_until > ${now}`,
  );
  return rows.length > 0;
}

/** Confirms the address that a secret was sent to, once or again; null for a secret that is none, or was for too long. */
export async function confirmAddress(
  db: Queries,
  { hash, now }: { hash: string; now: Date },
): Promise<StoredDigestSettings | null> {
  const [confirmed] = await db.query<StoredDigestSettings>(sql`
    UPDATE digests SET confirmed_at = coalesce(confirmed_at, ${now})
    WHERE confirm_hash = ${hash} AND confirm_until > ${now} RETURNING ${columns}`);
  return confirmed ?? null;
}

/** Whose mail a secret came with, and whether that digest goes on; null for a secret that is none. */
export async function findBySecret(
  db: Queries,
  hash: string,
): Promise<{ userId: string; isOn: boolean } | null> {
  const [found] = await db.query<{ userId: string; isOn: boolean }>(sql`
    SELECT digests.user_id AS "userId", digests.period <> 'off' AS "isOn"
    FROM digest_deliveries AS deliveries JOIN digests ON digests.user_id = deliveries.user_id
    WHERE deliveries.secret_hash = ${hash}`);
  return found ?? null;
}

/** Ends what is sent to a user, on their own word. */
export async function endDigest(db: Queries, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await db.query(
    sql`
      UPDATE digests SET period = 'off', chosen_at = ${now}, ended_because = NULL
      WHERE user_id = ${userId} AND period <> 'off'`,
  );
}

/** Ends what is sent to an address because it cannot arrive there, unless its user has chosen another one meanwhile. */
export async function endRefused(
  db: Queries,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<void> {
  const because: EndReason = 'refused';
  await db.query(
    sql`
      UPDATE digests SET period = 'off', chosen_at = ${now}, ended_because = ${because}, confirmed_at = NULL
      WHERE user_id = ${userId} AND email = ${email} AND period <> 'off'`,
  );
}

interface MailLimit {
  scope: string;
  most: number;
}

/**
 * Takes one mail from each of these limits of a day; false when one of them is used up. Those that were taken stay taken unless the
 * transaction ends with that.
 */
export async function takeMails(tx: Queries, limits: MailLimit[], now: Date): Promise<boolean> {
  for (const { scope, most } of limits) {
    const [taken] = await tx.query(sql`
      INSERT INTO confirmation_mails AS counted (day, scope, mails) VALUES (${utcDay(now)}::date, ${scope}, 1)
      ON CONFLICT (day, scope) DO UPDATE SET mails = counted.mails + 1 WHERE counted.mails < ${most}
      RETURNING 1`);
    if (!taken) return false;
  }
  return true;
}

/** Gives back what was taken for a mail that did not leave. */
export async function giveMailsBack(db: Queries, limits: MailLimit[], now: Date): Promise<void> {
  await db.query(sql`
    UPDATE confirmation_mails SET mails = mails - 1
    WHERE day = ${utcDay(now)}::date AND scope = ANY(${limits.map(({ scope }) => scope)}::text[]) AND mails > 0`);
}

/** What was asked for before midnight is still counted on its day. */
export async function deleteOldConfirmations(db: Queries, now: Date): Promise<void> {
  await db.query(sql`DELETE FROM confirmation_mails WHERE day < ${utcDay(now)}::date - 1`);
}
