import type { CodeHost } from '../../code-hosts/code-host.ts';
import { Type } from '../../contract/type.ts';
import { readPlace } from '../../domain/read-place.ts';
import { goNowherePage } from '../../pages/go.ts';
import { articleLink, repositoryLink } from '../../pages/links.ts';
import { page } from './page.ts';

/** No address that a host gives a pull request comes near this. */
const longest = 2000;

/** Redirects a user who pasted an address to the page about it. */
export const goPage = ({ codeHosts }: { codeHosts: CodeHost[] }) =>
  page({
    query: Type.Object({ url: Type.Optional(Type.String({ maxLength: longest })) }),
    show: ({ query: { url = '' }, contextIn }) => {
      const context = contextIn(undefined);
      if (url.trim() === '') return { redirectTo: '/' };
      const place = readPlace(url, codeHosts);
      if (!place) return { status: 404, page: goNowherePage(context) };
      const { number, ...repository } = place;
      return {
        redirectTo:
          number === null
            ? repositoryLink(repository, context.firstHost)
            : articleLink({ ...repository, prNumber: number }, context.firstHost),
      };
    },
  });
