import type { TransportSettings } from '../http/network-host.ts';

export interface GitHubSettings extends TransportSettings {
  githubUrl: URL;
  githubToken: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
  githubScopes: string;
  githubWebhookSecrets: string[];
}

export type GitHubAddresses = ReturnType<typeof gitHubAddresses>;

export function gitHubAddresses({ origin, host, hostname, protocol }: URL) {
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  const api = isCloud ? `${protocol}//api.${host}` : `${origin}/api/v3`;
  const graphql = isCloud ? `${api}/graphql` : `${origin}/api/graphql`;
  const avatars = avatarOrigins(host, origin, protocol);
  // A server of the operator may be in a private network.
  return { web: origin, api, graphql, domain: hostname, avatars, isOwn: !isCloud };
}

/** An Enterprise Server serves avatars from a subdomain if it is set up that way, and otherwise from its own domain. */
function avatarOrigins(host: string, origin: string, protocol: string): string[] {
  if (host === 'github.com') return ['https://avatars.githubusercontent.com'];
  return [`${protocol}//avatars.${host}`, origin];
}

const personalToken = /^(?:ghp|github_pat)_\w+$/;

const appToken = /^gh[ou]_[\w.-]+$/;

export const isGitHubAppToken = (token: string): boolean => appToken.test(token);

export const isGitHubToken = (token: string): boolean => personalToken.test(token) || isGitHubAppToken(token);
