/** Who a credential proves its bearer to be on a code host. The same number on two hosts is two identities. */
export interface Identity {
  host: string;
  hostUserId: number;
  hostUsername: string;
  hostDisplayName: string;
  email: string;
  avatarUrl: string | null;
}

interface HostProfile {
  host: string;
  hostUserId: number;
  hostUsername: string;
  hostDisplayName?: string | null;
  email?: string | null;
  avatarUrl?: string | null;
  /** The domain below which the host gives out no-reply addresses. */
  noReplyDomain: string;
}

/** Fills what a host leaves out, so that no reader ever meets a missing name or address. */
export function completeIdentity(profile: HostProfile): Identity {
  const { host, hostUserId, hostUsername, hostDisplayName, email, avatarUrl, noReplyDomain } = profile;
  return {
    host,
    hostUserId,
    hostUsername,
    hostDisplayName: hostDisplayName || hostUsername,
    email: email || `${hostUserId}+${hostUsername}@users.noreply.${noReplyDomain}`,
    avatarUrl: avatarUrl || null,
  };
}
