/** Where a GitLab lives: gitlab.com, or a server of one's own, which may have it below a folder. */
export interface GitLabAddresses {
  web: string;
  api: string;
  /** The domain below which it gives out no-reply addresses. */
  domain: string;
  /** Where pictures of people are. */
  avatars: string[];
  /** Whether it runs on servers of the operator's own, in whichever network those are. */
  isOwn: boolean;
}

/** Groups lie within groups. */
export const ownersNest = true;

export function addressesOf({ origin, host, hostname, pathname }: URL): GitLabAddresses {
  const web = `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  return {
    web,
    api: `${web}/api/v4`,
    domain: hostname,
    avatars: [origin, 'https://secure.gravatar.com'],
    isOwn: host !== 'gitlab.com',
  };
}
