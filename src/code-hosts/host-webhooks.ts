import type { IncomingHttpHeaders } from 'node:http';

/** What a delivery says has happened. None of it is believed but that: the host is asked for everything else. */
export interface HostNews {
  /** What became of a pull request: it was merged, or closed, or may be about something else now, or nothing of these. */
  pullRequest?: { hostRepoId: number; number: number; change: 'merged' | 'closed' | 'moved' | 'other' };
  /** An issue that everybody may have been shown is hidden: what tells of it goes. */
  hiddenIssue?: { hostRepoId: number; number: number };
  /** Who may see what has changed: what the host said before no longer counts. */
  revoked?: {
    hostRepoIds?: number[];
    /** Owners, all of whose private repositories are meant. */
    owners?: string[];
    /** Groups, by all of their names or the last one: whatever may be them or lie in them is meant, as far as it is private. */
    groups?: string[];
    /** An account that took its rights back from this service. */
    hostUserId?: number;
  };
}

/** What a host sends by itself when something happens there. */
export interface HostWebhooks {
  /** The largest body that it sends. */
  mostKib: number;
  /** By its headers alone whether a request may be signed, so that others are refused before their body is read. */
  looksSigned: (headers: IncomingHttpHeaders) => boolean;
  /** Whether the host has signed this body. */
  isSigned: (headers: IncomingHttpHeaders, body: Buffer) => boolean;
  /** The header that it names a delivery in. */
  deliveryHeader: string;
  /** What the host calls a delivery, each time that it sends it; null where a request does not say, or nothing of use. */
  deliveryId: (headers: IncomingHttpHeaders) => string | null;
  /**
   * What a signed delivery tells; nothing where it is of no matter here. Throws INVALID_REQUEST for what the host cannot
   * have meant.
   */
  read: (headers: IncomingHttpHeaders, body: Buffer) => Promise<HostNews>;
}
