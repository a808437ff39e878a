import type { TransportSettings } from '../http/network-host.ts';

export interface GitLabSettings extends TransportSettings {
  gitlabUrl: URL;
  gitlabToken: string | undefined;
  gitlabClientId: string | undefined;
  gitlabClientSecret: string | undefined;
  gitlabScopes: string;
  gitlabWebhookSecrets: string[];
}

export type GitLabAddresses = ReturnType<typeof gitLabAddresses>;

export const ownersNest = true;

export function gitLabAddresses({ origin, host, hostname, pathname }: URL) {
  const web = `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  return {
    web,
    api: `${web}/api/v4`,
    domain: hostname,
    avatars: [origin, 'https://secure.gravatar.com'],
    // A server of the operator may be in a private network.
    isOwn: host !== 'gitlab.com',
  };
}

/** Tokens of users, projects and groups. A server may use its own prefix. */
const accessToken = /^(?:[\w-]{1,40}-)?glpat-[\w.-]{8,300}$/;

const grantedToken = /^[0-9a-f]{64}$/;

export const isGitLabAppToken = (token: string): boolean => grantedToken.test(token);

export const isGitLabToken = (token: string): boolean => accessToken.test(token) || isGitLabAppToken(token);
