import { setting } from './setting.ts';
import { issuer, jsonPointer, keysUrl, optional } from './setting-parsers.ts';

/** The host whose accounts an identity provider names. */
export const oidcHost = 'github';

/** Whose signed tokens prove who people are. */
export const oidcSettings = {
  oidcIssuer: setting({
    name: 'OIDC_ISSUER',
    sentence:
      'Identity provider whose signed tokens (JWT) are accepted, exactly as they name it. Needs the two settings below, and github.',
    parse: optional(issuer),
  }),
  oidcAudience: setting({
    name: 'OIDC_AUDIENCE',
    sentence: 'Whom its tokens are for: this service, as the provider calls it.',
    parse: optional((text) => text),
  }),
  oidcHostUserClaim: setting({
    name: 'OIDC_HOST_USER_CLAIM',
    sentence:
      'Claim with the number of the account on GitHub, as a JSON pointer such as /sub. Users must not be able to edit it.',
    parse: optional(jsonPointer),
  }),
  oidcJwksUrl: setting({
    name: 'OIDC_JWKS_URL',
    sentence: 'Where its keys are, for providers that do not tell.',
    parse: optional(keysUrl),
  }),
};
