import { feedSecretPrefix } from '../../domain/feed-secrets.ts';

/** What stands behind the one, or begins with the other, opens the feed of a user. */
const beforeSecret = new RegExp(`(/feeds/+mine/+|${feedSecretPrefix}).*`, 'is');

/** An address without the secret in it, however it is spelt: routes are found by what percent-encoding means. */
export function hideSecrets(address: string): string {
  const meant = address.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return beforeSecret.test(meant) ? meant.replace(beforeSecret, '$1…') : address;
}
