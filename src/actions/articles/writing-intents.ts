import { randomBytes } from 'node:crypto';
import { refuseToken } from '../../db/sessions.ts';
import { hashToken, seal, unseal } from '../../domain/secrets.ts';
import type { Deps } from '../deps.ts';

/** What a visitor wants written as soon as they are signed in. */
interface WritingIntent {
  host: string;
  owner: string;
  repo: string;
  number: number;
  language: string;
}

/** Longer than it takes to sign in and up, and too short for somebody else to sit down at the same browser. */
export const intentMs = 30 * 60 * 1000;

const binding = { purpose: 'have an article written after signing in', belongsTo: [] };

const nameOf = ({ host, owner, repo, number }: Omit<WritingIntent, 'language'>): string =>
  `${host} ${owner}/${repo}#${number}`.toLowerCase();

/** Only this service can make one, on its own pages: no link elsewhere starts anything. */
export function sealIntent(
  { secretKeys, clock }: Pick<Deps, 'secretKeys' | 'clock'>,
  intent: WritingIntent,
): string {
  const until = clock().getTime() + intentMs;
  const once = randomBytes(16).toString('base64url');
  return seal(secretKeys, binding, [nameOf(intent), intent.language, until, once].join('\n'));
}

/** What a visitor wanted written, whether or not it was begun since: for leading them back to it. */
export function readIntended(
  { secretKeys }: Pick<Deps, 'secretKeys'>,
  sealed: string | undefined,
): Omit<WritingIntent, 'language'> | null {
  const [name = ''] = (sealed === undefined ? null : unseal(secretKeys, binding, sealed))?.split('\n') ?? [];
  const [, host, owner, repo, number] = /^(\S+) ([^/]+)\/([^/]+)#(\d+)$/.exec(name) ?? [];
  return host && owner && repo && number ? { host, owner, repo, number: Number(number) } : null;
}

/** The language in which a visitor wanted this very pull request written; null where they did not, or it was begun already. */
export async function useIntentOnce(
  { database, secretKeys, clock }: Pick<Deps, 'database' | 'secretKeys' | 'clock'>,
  sealed: string | undefined,
  about: Omit<WritingIntent, 'language'>,
): Promise<string | null> {
  const opened = sealed === undefined ? null : unseal(secretKeys, binding, sealed);
  const [name, language, until, once] = opened?.split('\n') ?? [];
  if (!language || !once || name !== nameOf(about)) return null;
  const expiresAt = new Date(Number(until));
  if (expiresAt <= clock()) return null;
  return (await refuseToken(database, hashToken(`intent ${once}`), expiresAt)) ? language : null;
}
