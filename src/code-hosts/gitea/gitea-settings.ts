import type { TransportSettings } from '../http/network-host.ts';

export interface GiteaSettings extends TransportSettings {
  giteaUrl: URL | undefined;
  giteaToken: string | undefined;
  giteaClientId: string | undefined;
  giteaClientSecret: string | undefined;
  giteaWebhookSecrets: string[];
}

export type GiteaAddresses = ReturnType<typeof giteaAddresses>;

export function giteaAddresses({ origin, pathname, hostname }: URL) {
  const web = `${origin}${pathname.replace(/\/$/, '')}`;
  return { web, api: `${web}/api/v1`, origin, domain: hostname };
}

const personalToken = /^[0-9a-f]{40}$/;

/** Gitea signs tokens of applications, and their payload names their kind. */
const signedToken = /^eyJ[\w-]*\.([\w-]+)\.[\w-]+$/;
const kinds = { access: 0, refresh: 1 };

interface Claims {
  kind: number;
  expiresAt: Date | null;
}

function claimsOf(token: string): Claims | null {
  const [, encoded] = signedToken.exec(token) ?? [];
  if (encoded === undefined) return null;
  try {
    const { gnt, tt, exp } = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    if (!Number.isSafeInteger(gnt) || !Number.isSafeInteger(tt)) return null;
    return { kind: tt, expiresAt: Number.isSafeInteger(exp) ? new Date(exp * 1000) : null };
  } catch {
    return null;
  }
}

export const isGiteaAppToken = (token: string): boolean => claimsOf(token)?.kind === kinds.access;
export const isRefreshToken = (token: string): boolean => claimsOf(token)?.kind === kinds.refresh;
export const isGiteaToken = (token: string): boolean => personalToken.test(token) || isGiteaAppToken(token);

/** The expiry that a token states. Trust it only after Gitea has confirmed the token. */
export const expiryOf = (token: string): Date | null => claimsOf(token)?.expiresAt ?? null;
