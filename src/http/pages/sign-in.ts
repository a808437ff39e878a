import { readIntended } from '../../actions/articles/writing-intents.ts';
import { safeReturnPath } from '../../domain/return-path.ts';
import { articleLink, signUpLink } from '../../pages/links.ts';
import { type SignInWays, signInPage as show } from '../../pages/sign-in.ts';
import type { Deps } from '../deps.ts';
import { intentCookieOf } from '../requests/intent-cookie.ts';
import { backQuery } from './back.ts';
import { hostName } from './host-name.ts';
import { page } from './page.ts';

export const signInPage = (deps: Deps) =>
  page({
    query: backQuery,
    show: ({ query, viewer, request, contextIn }) => {
      const { firstHost } = contextIn(undefined);
      // A link from elsewhere, as the one that a terminal shows, knows nothing of what its reader was about to do.
      const sealed = intentCookieOf({ request, publicUrl: deps.publicUrl });
      const intended = query.back === undefined ? readIntended(deps, sealed) : null;
      const back = intended
        ? articleLink({ ...intended, prNumber: intended.number }, firstHost)
        : safeReturnPath(query.back);
      const ways = waysOf(deps);
      // What follows # in an address does not come here: a link may be about to sign in a user who is signed in already.
      const current = viewer && {
        host: viewer.identity.host,
        name: viewer.identity.hostUsername,
        next: viewer.user ? back : signUpLink(back),
      };
      return { page: show(contextIn(undefined), { ways, current, back }) };
    },
  });

function waysOf({ codeHosts, issuer, publicUrl }: Deps): SignInWays {
  const tokens = [...new Set(codeHosts.map(({ signIn }) => signIn)), ...(issuer ? ['oidc' as const] : [])];
  const asked = publicUrl === undefined ? [] : codeHosts.filter(({ app }) => app);
  const byBrowser = asked.map((codeHost) => ({ id: codeHost.id, name: hostName(codeHost) }));
  return { tokens, byBrowser, hasSeveralHosts: codeHosts.length > 1 };
}
