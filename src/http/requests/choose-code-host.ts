import { Type } from 'typebox';
import type { CodeHost } from '../../code-hosts/code-host.ts';

export const hostQuery = (codeHosts: CodeHost[]) => ({
  host: Type.Optional(
    Type.Enum(
      codeHosts.map(({ id }) => id),
      { type: 'string', description: 'The code host that is meant; without it, the first one configured' },
    ),
  ),
});

/** The host that a request names; validation has made sure that it is one of them. */
export function chooseCodeHost(codeHosts: CodeHost[], id: string | undefined): CodeHost {
  const chosen = id === undefined ? codeHosts[0] : codeHosts.find((host) => host.id === id);
  if (!chosen) throw new Error(`The code host ${id} passed validation but is not configured.`);
  return chosen;
}
