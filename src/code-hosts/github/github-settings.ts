export interface GitHubSettings {
  githubUrl: URL;
  githubToken: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
  githubScopes: string;
  githubWebhookSecrets: string[];
  dataFolder: string;
  maxDiffBytes: number;
}

export interface GitHubAddresses {
  web: string;
  api: string;
  graphql: string;
  domain: string;
  avatars: string[];
  /** Whether it is a server of the operator, maybe in a private network. */
  isOwn: boolean;
}

export function addressesOf({ origin, host, hostname, protocol }: URL): GitHubAddresses {
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  const api = isCloud ? `${protocol}//api.${host}` : `${origin}/api/v3`;
  const graphql = isCloud ? `${api}/graphql` : `${origin}/api/graphql`;
  const avatars = avatarOrigins(host, origin, protocol);
  return { web: origin, api, graphql, domain: hostname, avatars, isOwn: !isCloud };
}

/** An Enterprise Server has avatars on a domain of its own if it is set up so, or else on its own. */
function avatarOrigins(host: string, origin: string, protocol: string): string[] {
  if (host === 'github.com') return ['https://avatars.githubusercontent.com'];
  return [`${protocol}//avatars.${host}`, origin];
}

const personalToken = /^(?:ghp|github_pat)_\w+$/;

const appToken = /^gh[ou]_[\w.-]+$/;

export const isAppToken = (token: string): boolean => appToken.test(token);

export const isGitHubToken = (token: string): boolean => personalToken.test(token) || isAppToken(token);
