/** The settings that say how people sign in. */
interface SignInSettings {
  codeHosts: string[];
  publicUrl: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
  oidcIssuer: string | undefined;
  oidcAudience: string | undefined;
  oidcHostUserClaim: string[] | undefined;
  oidcJwksUrl: URL | undefined;
}

/** What has to be set too before people can sign in as the settings want it, a sentence each. */
export function missingForSignIn(settings: SignInSettings): string[] {
  const { codeHosts, publicUrl, githubClientId, githubClientSecret } = settings;
  const problems: string[] = [];
  if (Boolean(githubClientId) !== Boolean(githubClientSecret))
    problems.push('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together: set both, or neither.');
  if (githubClientId && !publicUrl)
    problems.push(
      'GITHUB_CLIENT_ID needs PUBLIC_URL, the address to which GitHub sends people back: set it, such as https://pullquote.example.org.',
    );
  return [...problems, ...missingForIssuer(settings, codeHosts)];
}

function missingForIssuer(settings: SignInSettings, codeHosts: string[]): string[] {
  const { oidcIssuer, oidcAudience, oidcHostUserClaim, oidcJwksUrl } = settings;
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
  if (!codeHosts.includes('github'))
    return ['OIDC_ISSUER names accounts of GitHub: set CODE_HOST=github, or CODE_HOST=git,github.'];
  if (
    oidcJwksUrl &&
    oidcJwksUrl.protocol !== 'https:' &&
    oidcJwksUrl.origin !== URL.parse(oidcIssuer ?? '')?.origin
  )
    return ['OIDC_JWKS_URL must be an https address, unless it has the name and port of OIDC_ISSUER.'];
  return [];
}
