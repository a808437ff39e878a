import { missingForHosts } from './code-host-settings.ts';
import { oidcHost } from './oidc-settings.ts';

/** The settings of an identity provider. */
interface IssuerSettings {
  codeHosts: string[];
  oidcIssuer: string | undefined;
  oidcAudience: string | undefined;
  oidcHostUserClaim: string[] | undefined;
  oidcJwksUrl: URL | undefined;
}

type SignInSettings = IssuerSettings & Parameters<typeof missingForHosts>[0];

/** What has to be set too before people can sign in as the settings want it, a sentence each. */
export const missingForSignIn = (settings: SignInSettings): string[] => [
  ...missingForHosts(settings),
  ...missingForIssuer(settings),
];

function missingForIssuer(settings: IssuerSettings): string[] {
  const { codeHosts, oidcIssuer, oidcAudience, oidcHostUserClaim, oidcJwksUrl } = settings;
  const needed = {
    OIDC_ISSUER: oidcIssuer,
    OIDC_AUDIENCE: oidcAudience,
    OIDC_HOST_USER_CLAIM: oidcHostUserClaim,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 3 && !oidcJwksUrl) return [];
  if (missing.length > 0)
    return [
      `Signing in with an identity provider needs ${missing.join(' and ')} too: set all of them, or none.`,
    ];
  if (!codeHosts.includes(oidcHost))
    return ['OIDC_ISSUER names accounts of GitHub: set CODE_HOST=github, or CODE_HOST=git,github.'];
  if (
    oidcJwksUrl &&
    oidcJwksUrl.protocol !== 'https:' &&
    oidcJwksUrl.origin !== URL.parse(oidcIssuer ?? '')?.origin
  )
    return ['OIDC_JWKS_URL must be an https address, unless it has the name and port of OIDC_ISSUER.'];
  return [];
}
