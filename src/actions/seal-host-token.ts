import type { GrantedToken } from '../code-hosts/code-host.ts';
import { seal, unseal } from '../domain/seal.ts';
import type { SecretKeys } from '../domain/secret-keys.ts';

/** What is kept secret of a saved token. */
type Tokens = Pick<GrantedToken, 'accessToken' | 'refreshToken'>;

interface Owner {
  identityId: string;
  host: string;
}

const bindingOf = ({ identityId, host }: Owner) => ({
  purpose: 'saved host token',
  belongsTo: [identityId, host],
});

/** Seals a token for somebody and a host: moved to another row it cannot be opened. */
export function sealHostToken(keys: SecretKeys, owner: Owner, { accessToken, refreshToken }: Tokens): string {
  const lines = refreshToken === null ? [accessToken] : [accessToken, refreshToken];
  return seal(keys, bindingOf(owner), lines.join('\n'));
}

/** Null when the key that sealed it is gone. */
export function unsealHostToken(
  keys: SecretKeys,
  { sealed, ...owner }: Owner & { sealed: string },
): Tokens | null {
  const [accessToken, refreshToken = null] = unseal(keys, bindingOf(owner), sealed)?.split('\n') ?? [];
  return accessToken === undefined ? null : { accessToken, refreshToken };
}
