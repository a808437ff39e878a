import type { CodeHost } from '../../code-hosts/code-host.ts';
import { ownPath } from '../../domain/own-path.ts';
import { signUpLink } from '../../pages/links.ts';
import { signInPage as show } from '../../pages/sign-in.ts';
import { backQuery } from './back.ts';
import { page } from './page.ts';

export const signInPage = ({ codeHosts }: { codeHosts: CodeHost[] }) =>
  page({
    query: backQuery,
    show: ({ query, viewer, contextIn }) => {
      const back = ownPath(query.back);
      if (viewer) return { redirectTo: viewer.user ? back : signUpLink(back) };
      const tokens = [...new Set(codeHosts.map(({ signIn }) => signIn))];
      return { page: show(contextIn(undefined), { tokens, byBrowser: [] }, back) };
    },
  });
