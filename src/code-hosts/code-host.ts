import type { Identity } from '../domain/identity.ts';

export interface HostRepository {
  hostRepoId: number;
  /** Owner and name as the host spells them. */
  owner: string;
  name: string;
  isPrivate: boolean;
}

/** What a token that a host vouches for proves. */
export interface HostCredential {
  identity: Identity;
  expiresAt: Date;
  /** Good for opening one session and for nothing else. */
  singleUse: boolean;
}

/** What a code host must answer. Its own names and payloads stay in its folder. */
export interface CodeHost {
  id: string;
  webUrl: string | null;
  /** The kind of token people sign in with, as /meta names it. */
  signIn: 'localToken';
  /** Whether this host knows all it answers without asking anybody, so that asking often costs nothing. */
  isLocal: boolean;
  /** By its shape alone whether a token is this host's. */
  recognizes: (token: string) => boolean;
  identify: (token: string) => Promise<HostCredential | null>;
  /** A repository that the viewer may see; null when there is none, or none for this viewer. */
  findRepository: (owner: string, name: string, viewer: Identity | null) => Promise<HostRepository | null>;
}
