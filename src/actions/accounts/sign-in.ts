import { createHash, randomBytes } from 'node:crypto';
import type { CodeHost, HostApp } from '../../code-hosts/code-host.ts';
import {
  acceptRefusedToken,
  findIdentity,
  makeOperator,
  refuseToken,
  type Session,
  saveIdentity,
} from '../../db/accounts.ts';
import type { Queries } from '../../db/database.ts';
import { type Identity, safeReturnPath } from '../../domain/accounts.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { hashToken, seal, unseal } from '../../domain/secrets.ts';
import type { Deps, Viewer } from '../deps.ts';
import { storeHostToken } from './account.ts';
import { createSession } from './sessions.ts';

const accountLookupMs = 2_000;

export async function openSession(
  { database, codeHosts, clock }: Pick<Deps, 'database' | 'codeHosts' | 'clock'>,
  { identity, credential }: Viewer,
): Promise<{ session: Session; accessToken: string }> {
  if (credential.kind === 'session') {
    throw new Failure(
      'FORBIDDEN',
      'You cannot open a session with a session token. Send your code host token instead.',
    );
  }
  const now = clock();
  const current = credential.kind === 'jwt' ? await asOnHost(codeHosts, identity) : identity;
  return database.transaction(async (tx) => {
    if (credential.kind === 'hostToken') await useHostToken(tx, credential);
    const identityId = await saveIdentity(tx, current, now);
    if (credential.kind === 'hostToken' && credential.singleUse) await makeOperator(tx, identityId);
    return createSession(tx, { identityId, now });
  });
}

export function requireUnused({ credential }: Viewer): void {
  if (credential.kind === 'hostToken' && credential.singleUse && credential.refused) throw usedUp();
}

/** The identity provider does not know the user's current name on the code host. */
async function asOnHost(codeHosts: CodeHost[], identity: Identity): Promise<Identity> {
  const codeHost = codeHosts.find(({ id }) => id === identity.host);
  const account = codeHost?.findAccount(identity.hostUserId, AbortSignal.timeout(accountLookupMs));
  return (await account?.catch(() => null)) ?? identity;
}

async function useHostToken(
  tx: Queries,
  { singleUse, tokenHash, expiresAt }: Extract<Viewer['credential'], { kind: 'hostToken' }>,
): Promise<void> {
  if (!singleUse) await acceptRefusedToken(tx, tokenHash);
  else if (!(await refuseToken(tx, tokenHash, expiresAt))) throw usedUp();
}

function usedUp(): Failure {
  return new Failure(
    'UNAUTHORIZED',
    'This sign-in link was already used. Restart the service for a new one, or ask your administrator for a token.',
  );
}

export interface BrowserSignIn {
  codeHost: CodeHost;
  app: HostApp;
  redirectUri: string;
}

/** The time for a sign-in: enough to approve it with a password and a second factor. */
export const signInMs = 10 * 60 * 1000;

/** The limit for all calls to the host together, so that the user sees a page within ten seconds. */
const patienceMs = 9_000;

const binding = { purpose: 'sign-in by browser', belongsTo: [] };
const secret = (): string => randomBytes(32).toString('base64url');

type SealDeps = Pick<Deps, 'database' | 'secretKeys' | 'clock'>;

const unsealLines = (
  { secretKeys }: Pick<Deps, 'secretKeys'>,
  of: typeof binding,
  sealed: string | undefined,
): string[] => (sealed === undefined ? null : unseal(secretKeys, of, sealed))?.split('\n') ?? [];

/** Whether a name is used for the first time, on any process, before it expires. */
async function useOnce({ database, clock }: SealDeps, name: string, until: string | undefined) {
  const expiresAt = new Date(Number(until));
  return expiresAt > clock() && refuseToken(database, hashToken(name), expiresAt);
}

/**
 * The address on the host where the browser asks for approval, and a cookie for the way back, which only this service
 * can read or make.
 */
export function beginSignIn(
  { secretKeys, clock }: SealDeps,
  { codeHost, app, redirectUri }: BrowserSignIn,
  returnTo: string | undefined,
): { location: string; cookie: string } {
  const [state, verifier] = [secret(), secret()];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const until = clock().getTime() + signInMs;
  const kept = [state, verifier, until, safeReturnPath(returnTo), codeHost.id];
  const cookie = seal(secretKeys, binding, kept.join('\n'));
  return { location: app.authorizeUrl({ redirectUri, state, challenge }), cookie };
}

interface Answered {
  code: string | undefined;
  state: string | undefined;
  error: string | undefined;
  issuer: string | undefined;
  cameTo: string;
}

/** Finishes the OAuth flow, once. Each host has its own redirect URI, so no host receives the code of another. */
export async function finishSignIn(
  deps: SealDeps,
  offered: BrowserSignIn[],
  { cookie, answered }: { cookie: string | undefined; answered: Answered },
): Promise<{ accessToken: string; returnTo: string; isNew: boolean }> {
  const { verifier, returnTo, host } = await useCookieOnce(deps, cookie, answered.state);
  const begun = offered.find(({ codeHost: { id } }) => id === host);
  if (!begun || begun.redirectUri !== answered.cameTo || !isFrom(begun.codeHost, answered.issuer))
    throw notBegunHere();
  const { codeHost, app, redirectUri } = begun;
  if (answered.error !== undefined) throw declined(codeHost, answered.error);
  const exchanged = { code: answered.code ?? '', verifier, redirectUri };
  const exchange = async () => {
    const granted = await app.exchangeCode(exchanged, AbortSignal.timeout(patienceMs));
    const proven = granted && (await codeHost.identify(granted.accessToken));
    return proven ? { granted, proven } : null;
  };
  const found = await inTime(exchange(), patienceMs, () => {
    throw new Failure('HOST_TIMEOUT', `${codeHost.id} did not answer in time. Try again later.`);
  });
  if (!found) throw notBegunHere();
  const { granted, proven } = found;
  const { database, clock } = deps;
  const now = clock();
  return database.transaction(async (tx) => {
    const identityId = await saveIdentity(tx, proven.identity, now);
    const tokens = { ...granted, unconfirmedOwner: null };
    await storeHostToken(tx, deps, { identityId, host: codeHost.id, tokens });
    const { accessToken } = await createSession(tx, { identityId, now });
    const known = await findIdentity(tx, proven.identity);
    return { accessToken, returnTo, isNew: !known?.user };
  });
}

const isFrom = ({ webUrl }: CodeHost, issuer: string | undefined): boolean =>
  issuer === undefined || webUrl === null || issuer === webUrl || issuer.startsWith(`${webUrl}/`);

async function useCookieOnce(
  deps: SealDeps,
  cookie: string | undefined,
  given: string | undefined,
): Promise<{ verifier: string; returnTo: string; host: string }> {
  const [state, verifier, until, returnTo, host] = unsealLines(deps, binding, cookie);
  if (!state || !verifier || !returnTo || !host || given === undefined) throw notBegunHere();
  if (hashToken(given) !== hashToken(state)) throw notBegunHere();
  if (!(await useOnce(deps, `sign-in ${state}`, until))) throw notBegunHere();
  return { verifier, returnTo, host };
}

/** The same message for every reason, so that an attacker learns nothing. */
function notBegunHere(): Failure {
  return new Failure(
    'INVALID_REQUEST',
    'This sign-in has expired, was already used, or was started in another browser. Start again.',
  );
}

function declined({ id }: CodeHost, error: string): Failure {
  return error === 'access_denied'
    ? new Failure('FORBIDDEN', `You did not grant this service access on ${id}. To sign in, start again.`)
    : new Failure('INVALID_REQUEST', `${id} ended this sign-in with an error. Start again.`);
}

interface WritingIntent {
  host: string;
  owner: string;
  repo: string;
  number: number;
  language: string;
}

/** Long enough to sign in and sign up, and too short for another person to use the same browser. */
export const intentMs = 30 * 60 * 1000;

const intentBinding = { purpose: 'have an article written after signing in', belongsTo: [] };

const intentName = ({ host, owner, repo, number }: Omit<WritingIntent, 'language'>): string =>
  `${host} ${owner}/${repo}#${number}`.toLowerCase();

/** Only this service can make an intent, on its own pages, so that no link on another site starts a job. */
export function sealIntent(
  { secretKeys, clock }: Pick<Deps, 'secretKeys' | 'clock'>,
  intent: WritingIntent,
): string {
  const until = clock().getTime() + intentMs;
  const once = randomBytes(16).toString('base64url');
  return seal(secretKeys, intentBinding, [intentName(intent), intent.language, until, once].join('\n'));
}

export function readIntended(
  deps: Pick<Deps, 'secretKeys'>,
  sealed: string | undefined,
): Omit<WritingIntent, 'language'> | null {
  const [name = ''] = unsealLines(deps, intentBinding, sealed);
  const [, host, owner, repo, number] = /^(\S+) ([^/]+)\/([^/]+)#(\d+)$/.exec(name) ?? [];
  return host && owner && repo && number ? { host, owner, repo, number: Number(number) } : null;
}

/**
 * The language in which a visitor wanted the pull request written; null if there is no such intent, or it was used
 * already.
 */
export async function useIntentOnce(
  deps: SealDeps,
  sealed: string | undefined,
  about: Omit<WritingIntent, 'language'>,
): Promise<string | null> {
  const [name, language, until, once] = unsealLines(deps, intentBinding, sealed);
  if (!language || !once || name !== intentName(about)) return null;
  return (await useOnce(deps, `intent ${once}`, until)) ? language : null;
}
