import type { Caller, CodeHost } from '../../code-hosts/code-host.ts';
import type { ActingUser, Viewer } from '../accounts/identify-bearer.ts';
import type { SavedTokens } from '../accounts/saved-tokens.ts';

/** A viewer as a host knows them, with the rights that they have there. */
export type CallerOn = (
  codeHost: Pick<CodeHost, 'id' | 'app' | 'isLocal'>,
  viewer: Pick<Viewer | ActingUser, 'identity' | 'credential'> | null,
  signal: AbortSignal,
) => Promise<Caller>;

/** What is left of the ten seconds within which a silent host is said to be one. */
const lateMs = 1_500;

/**
 * The rights of a viewer are the token that they present, else the one that they saved. A credential for
 * one host means nothing on another.
 */
export function createCallerOn(savedTokens: SavedTokens): CallerOn {
  return async (codeHost, viewer, signal) => {
    if (!viewer) return anonymousCaller(signal);
    const identity = viewer.identity.host === codeHost.id ? viewer.identity : null;
    const { credential } = viewer;
    if (identity && credential.kind === 'hostToken') return { identity, token: credential.token, signal };
    if (codeHost.isLocal) return { identity, token: null, signal };
    const holder = { codeHost, identity: viewer.identity };
    const found = await savedTokens.find(holder);
    const replaceToken = (refused: string) => savedTokens.replace(holder, refused);
    const inTime = found?.isLate ? AbortSignal.any([signal, AbortSignal.timeout(lateMs)]) : signal;
    return { identity, token: found?.token ?? null, replaceToken, signal: inTime };
  };
}

/** A caller without a credential, whom a host shows what is public. */
export const anonymousCaller = (signal: AbortSignal): Caller => ({ identity: null, token: null, signal });
