import type { GrantedToken } from '../../code-hosts/code-host.ts';
import { seal, unseal } from '../../domain/seal.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';

/** What is sealed of a saved token. */
export interface HeldTokens extends Pick<GrantedToken, 'accessToken' | 'refreshToken'> {
  /** Whose the next one has to be, by their number, where the host did not give both of these together. */
  unconfirmedOwner: number | null;
}

interface Owner {
  identityId: string;
  host: string;
}

const bindingOf = ({ identityId, host }: Owner) => ({
  purpose: 'saved host token',
  belongsTo: [identityId, host],
});

/** Seals a token for its owner and a host: moved to another row it cannot be opened. */
export function sealHostToken(
  keys: SecretKeys,
  owner: Owner,
  { accessToken, refreshToken, unconfirmedOwner }: HeldTokens,
): string {
  const lines = [accessToken, refreshToken, refreshToken && unconfirmedOwner].filter((part) => part !== null);
  return seal(keys, bindingOf(owner), lines.join('\n'));
}

/** Null when the key that sealed it is gone. */
export function unsealHostToken(
  keys: SecretKeys,
  { sealed, ...owner }: Owner & { sealed: string },
): HeldTokens | null {
  const lines = unseal(keys, bindingOf(owner), sealed)?.split('\n') ?? [];
  const [accessToken, refreshToken = null, confirming] = lines;
  const unconfirmedOwner = confirming === undefined ? null : Number(confirming);
  return accessToken === undefined ? null : { accessToken, refreshToken, unconfirmedOwner };
}
