import { safeReturnPath } from '../../domain/return-path.ts';
import { signInLink } from '../../pages/links.ts';
import { signUpPage as show } from '../../pages/sign-up.ts';
import { backQuery } from './back.ts';
import { page } from './page.ts';

export const signUpPage = ({ languages }: { languages: string[] }) =>
  page({
    query: backQuery,
    show: ({ query, viewer, contextIn }) => {
      const back = safeReturnPath(query.back);
      const context = contextIn(undefined);
      if (!viewer) return { redirectTo: signInLink(context.address) };
      if (viewer.user) return { redirectTo: back };
      return { page: show(context, languages, back) };
    },
  });
