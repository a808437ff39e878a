import { feedSecretPrefix } from '../../domain/feed-secrets.ts';

/** What stands behind these, or begins so, opens the feed of a user, or begins or ends their digest. */
const beforeSecret = new RegExp(
  `(/feeds/+mine/+|/digest/+(?:confirm|unsubscribe)/+|${feedSecretPrefix}).*`,
  'is',
);

/** An address without the secret in it, however it is spelt: routes are found by what percent-encoding means. */
export function hideSecrets(address: string): string {
  const meant = address.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return beforeSecret.test(meant) ? meant.replace(beforeSecret, '$1…') : address;
}
