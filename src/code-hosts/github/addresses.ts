/** Where a GitHub lives, on github.com, on ghe.com or on servers of its own. */
export interface GitHubAddresses {
  web: string;
  api: string;
  graphql: string;
  /** The domain below which it gives out no-reply addresses. */
  domain: string;
  /** Where pictures of people are. */
  avatars: string[];
  /** Whether it runs on servers of the operator's own, in whichever network those are. */
  isOwn: boolean;
}

export function addressesOf({ origin, host, hostname, protocol }: URL): GitHubAddresses {
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  const api = isCloud ? `${protocol}//api.${host}` : `${origin}/api/v3`;
  const graphql = isCloud ? `${api}/graphql` : `${origin}/api/graphql`;
  const avatars = avatarOrigins(host, origin, protocol);
  return { web: origin, api, graphql, domain: hostname, avatars, isOwn: !isCloud };
}

/** Servers of one's own have them on a domain beside theirs if they are set up to, or else below it. */
function avatarOrigins(host: string, origin: string, protocol: string): string[] {
  if (host === 'github.com') return ['https://avatars.githubusercontent.com'];
  return [`${protocol}//avatars.${host}`, origin];
}
