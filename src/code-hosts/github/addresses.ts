/** Where a GitHub lives, on github.com, on ghe.com or on servers of its own. */
export interface GitHubAddresses {
  web: string;
  api: string;
  graphql: string;
  /** The domain below which it gives out no-reply addresses. */
  domain: string;
  /** Whether it runs on servers of the operator's own, in whichever network those are. */
  isOwn: boolean;
}

export function addressesOf({ origin, host, hostname, protocol }: URL): GitHubAddresses {
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  const api = isCloud ? `${protocol}//api.${host}` : `${origin}/api/v3`;
  const graphql = isCloud ? `${api}/graphql` : `${origin}/api/graphql`;
  return { web: origin, api, graphql, domain: hostname, isOwn: !isCloud };
}
