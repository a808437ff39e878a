import type { Caller, CodeHost } from '../code-hosts/code-host.ts';
import type { Viewer } from './identify-bearer.ts';

/** A viewer as a host knows them. What proves somebody to be who they are on one host means nothing on another. */
export function callerOn(
  { id }: Pick<CodeHost, 'id'>,
  viewer: Pick<Viewer, 'identity' | 'credential'> | null,
  signal: AbortSignal,
): Caller {
  const identity = viewer?.identity.host === id ? viewer.identity : null;
  const credential = identity && viewer?.credential;
  return { identity, token: credential?.kind === 'hostToken' ? credential.token : null, signal };
}

/** Nobody in particular, whom a host shows what is public. */
export const anybody = (signal: AbortSignal): Caller => ({ identity: null, token: null, signal });
