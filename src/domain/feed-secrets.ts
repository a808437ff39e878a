/** What the secret part of the address of a user's feed begins with, by which a log knows what it must not hold. */
export const feedSecretPrefix = 'pqf_';
