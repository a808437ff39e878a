import { createHash, randomBytes } from 'node:crypto';
import type { CodeHost, HostApp } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { refuseToken } from '../../db/sessions.ts';
import { findIdentity, saveIdentity } from '../../db/users.ts';
import { Failure } from '../../domain/errors.ts';
import { inTime } from '../../domain/in-time.ts';
import { safeReturnPath } from '../../domain/return-path.ts';
import { seal, unseal } from '../../domain/seal.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import { hashToken } from '../../domain/token-hash.ts';
import { createSession } from './create-session.ts';
import { storeHostToken } from './save-host-token.ts';

interface Parts {
  database: Database;
  secretKeys: SecretKeys;
  clock: () => Date;
}

/** A host on which this service is an app, and where that sends people back to. */
export interface BrowserSignIn {
  codeHost: CodeHost;
  app: HostApp;
  redirectUri: string;
}

/** Longer than it takes to say yes, with a password and a second factor. */
export const signInMs = 10 * 60 * 1000;

/** How long the host may take for all that it is asked: the user is to see no empty page for longer than ten seconds. */
const patienceMs = 9_000;

const binding = { purpose: 'sign-in by browser', belongsTo: [] };
const secret = (): string => randomBytes(32).toString('base64url');

/** Where a browser goes to ask the host, and the cookie that it keeps meanwhile: only this service can read or make one. */
export function beginSignIn(
  { secretKeys, clock }: Parts,
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

/** What a host sends a browser back with. */
interface Answered {
  code: string | undefined;
  state: string | undefined;
  error: string | undefined;
  /** Who says to have answered (RFC 9207), where a host tells. */
  issuer: string | undefined;
  /** The address that the browser was sent back to. */
  cameTo: string;
}

/**
 * Signs in the user who comes back from the host to the browser that asked, once. Any other visit stores nothing. Each host has an
 * address of its own to come back to, so that none is handed the code of another.
 */
export async function finishSignIn(
  parts: Parts,
  offered: BrowserSignIn[],
  { cookie, answered }: { cookie: string | undefined; answered: Answered },
): Promise<{ accessToken: string; returnTo: string; isNew: boolean }> {
  const { verifier, returnTo, host } = await useCookieOnce(parts, cookie, answered.state);
  const begun = offered.find(({ codeHost: { id } }) => id === host);
  if (!begun || begun.redirectUri !== answered.cameTo || !isFrom(begun.codeHost, answered.issuer))
    throw notBegunHere();
  const { codeHost, app, redirectUri } = begun;
  if (answered.error !== undefined) throw declined(codeHost, answered.error);
  const exchanged = { code: answered.code ?? '', verifier, redirectUri };
  const asked = async () => {
    const granted = await app.exchangeCode(exchanged, AbortSignal.timeout(patienceMs));
    const proven = granted && (await codeHost.identify(granted.accessToken));
    return proven ? { granted, proven } : null;
  };
  const found = await inTime(asked(), patienceMs, () => {
    throw new Failure('HOST_TIMEOUT', `${codeHost.id} did not answer in time. Try again later.`);
  });
  if (!found) throw notBegunHere();
  const { granted, proven } = found;
  const { database, clock } = parts;
  const now = clock();
  return database.transaction(async (tx) => {
    const identityId = await saveIdentity(tx, proven.identity, now);
    const tokens = { ...granted, unconfirmedOwner: null };
    await storeHostToken(tx, parts, { identityId, host: codeHost.id, tokens });
    const { accessToken } = await createSession(tx, { identityId, now });
    const known = await findIdentity(tx, proven.identity);
    return { accessToken, returnTo, isNew: !known?.user };
  });
}

const isFrom = ({ webUrl }: CodeHost, issuer: string | undefined): boolean =>
  issuer === undefined || webUrl === null || issuer === webUrl || issuer.startsWith(`${webUrl}/`);

/** What the cookie holds, if it belongs to what came back and was not used before, by whichever process. */
async function useCookieOnce(
  { database, secretKeys, clock }: Parts,
  cookie: string | undefined,
  given: string | undefined,
): Promise<{ verifier: string; returnTo: string; host: string }> {
  const opened = cookie === undefined ? null : unseal(secretKeys, binding, cookie);
  const [state, verifier, until, returnTo, host] = opened?.split('\n') ?? [];
  if (!state || !verifier || !returnTo || !host || given === undefined) throw notBegunHere();
  if (hashToken(given) !== hashToken(state)) throw notBegunHere();
  const expiresAt = new Date(Number(until));
  if (expiresAt <= clock()) throw notBegunHere();
  if (!(await refuseToken(database, hashToken(`sign-in ${state}`), expiresAt))) throw notBegunHere();
  return { verifier, returnTo, host };
}

/** All that can be wrong with it has the same remedy, and an attacker is not told what. */
function notBegunHere(): Failure {
  return new Failure(
    'INVALID_REQUEST',
    'This sign-in has expired, was used already, or was begun in another browser. Start again.',
  );
}

function declined({ id }: CodeHost, error: string): Failure {
  return error === 'access_denied'
    ? new Failure(
        'FORBIDDEN',
        `You have not allowed this service to act for you on ${id}. Start again if you want to.`,
      )
    : new Failure('INVALID_REQUEST', `${id} has ended this sign-in with an error. Start again.`);
}
