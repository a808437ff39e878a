/** What a host gives an app for a user. */
export interface GrantedToken {
  accessToken: string;
  expiresAt: Date | null;
  /** What another one is given for, once. */
  refreshToken: string | null;
}

/** What identifies one sign-in by browser to a host. */
interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  /** The S256 challenge of PKCE. */
  challenge: string;
}

/** The app that this service is on a host: people let it act for them. */
export interface HostApp {
  clientId: string;
  /** What it asks to be allowed, separated by blanks. */
  scopes: string;
  /** Where people come back to, if not to /auth/callback/ID. */
  callbackPath?: string;
  /** Where people are asked whether they let it. */
  authorizeUrl: (request: AuthorizationRequest) => string;
  /** The token for the code of a user who authorized the app; null when the host refuses it. */
  exchangeCode: (
    exchanged: { code: string; verifier: string; redirectUri: string },
    signal: AbortSignal,
  ) => Promise<GrantedToken | null>;
  /** Another token; null when the host refuses to give one. */
  refresh: (refreshToken: string, signal: AbortSignal) => Promise<GrantedToken | null>;
  /** Whose a token is that was made for this app, and until when; null when it was not. */
  confirm: (
    accessToken: string,
    signal: AbortSignal,
  ) => Promise<{ hostUserId: number | null; expiresAt: Date | null } | null>;
  /** By its shape alone whether this is something that another token is given for. */
  isRefreshToken: (token: string) => boolean;
  /** Has the host forget a token, if it is one of this app. */
  revoke: (accessToken: string, signal: AbortSignal) => Promise<void>;
}
