/** What people make for themselves: forty hexadecimal digits, without anything that says whose they are. */
const personalToken = /^[0-9a-f]{40}$/;

/** What applications are given is signed by Gitea and says of itself which kind it is. */
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

export const isAppToken = (token: string): boolean => claimsOf(token)?.kind === kinds.access;
export const isRefreshToken = (token: string): boolean => claimsOf(token)?.kind === kinds.refresh;
export const isGiteaToken = (token: string): boolean => personalToken.test(token) || isAppToken(token);

/** Until when a token says that it is good: to be believed where Gitea has said that the token is its own. */
export const expiryOf = (token: string): Date | null => claimsOf(token)?.expiresAt ?? null;
