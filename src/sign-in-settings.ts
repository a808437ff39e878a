/** The settings that say how people sign in. */
interface SignInSettings {
  publicUrl: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
}

/** What has to be set too before people can sign in as the settings want it, a sentence each. */
export function missingForSignIn(settings: SignInSettings): string[] {
  const { publicUrl, githubClientId, githubClientSecret } = settings;
  const problems: string[] = [];
  if (Boolean(githubClientId) !== Boolean(githubClientSecret))
    problems.push('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together: set both, or neither.');
  if (githubClientId && !publicUrl)
    problems.push(
      'GITHUB_CLIENT_ID needs PUBLIC_URL, the address to which GitHub sends people back: set it, such as https://pullquote.example.org.',
    );
  return problems;
}
