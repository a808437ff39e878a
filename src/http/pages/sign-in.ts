import type { TokenIssuer } from '../../actions/accounts/identify-bearer.ts';
import { readIntended } from '../../actions/articles/writing-intents.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { safeReturnPath } from '../../domain/return-path.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import { articleLink, signUpLink } from '../../pages/links.ts';
import { type SignInWays, signInPage as show } from '../../pages/sign-in.ts';
import { intentCookieOf } from '../requests/intent-cookie.ts';
import { backQuery } from './back.ts';
import { hostName } from './host-name.ts';
import { page } from './page.ts';

interface Parts {
  codeHosts: CodeHost[];
  issuer: TokenIssuer | null;
  publicUrl: string | undefined;
  secretKeys: SecretKeys;
}

export const signInPage = (parts: Parts) =>
  page({
    query: backQuery,
    show: ({ query, viewer, request, contextIn }) => {
      const { firstHost } = contextIn(undefined);
      // A link from elsewhere, as the one that a terminal shows, knows nothing of what its reader was about to do.
      const sealed = intentCookieOf({ request, publicUrl: parts.publicUrl });
      const intended = query.back === undefined ? readIntended(parts, sealed) : null;
      const back = intended
        ? articleLink({ ...intended, prNumber: intended.number }, firstHost)
        : safeReturnPath(query.back);
      const ways = waysOf(parts);
      // What follows # in an address does not come here: a link may be about to sign in a user who is signed in already.
      const current = viewer && {
        host: viewer.identity.host,
        name: viewer.identity.hostUsername,
        next: viewer.user ? back : signUpLink(back),
      };
      return { page: show(contextIn(undefined), { ways, current, back }) };
    },
  });

function waysOf({ codeHosts, issuer, publicUrl }: Parts): SignInWays {
  const tokens = [...new Set(codeHosts.map(({ signIn }) => signIn)), ...(issuer ? ['oidc' as const] : [])];
  const asked = publicUrl === undefined ? [] : codeHosts.filter(({ app }) => app);
  const byBrowser = asked.map((codeHost) => ({ id: codeHost.id, name: hostName(codeHost) }));
  return { tokens, byBrowser, hasSeveralHosts: codeHosts.length > 1 };
}
