/** Where a Gitea or Forgejo lives: on a name of its own, or in a folder below one. */
export interface GiteaAddresses {
  /** Without a slash at its end. */
  web: string;
  api: string;
  origin: string;
  /** The domain below which no-reply addresses are made up. */
  domain: string;
}

export function addressesOf({ origin, pathname, hostname }: URL): GiteaAddresses {
  const web = `${origin}${pathname.replace(/\/$/, '')}`;
  return { web, api: `${web}/api/v1`, origin, domain: hostname };
}
