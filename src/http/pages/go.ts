import type { CodeHost } from '../../code-hosts/code-host.ts';
import { Type } from '../../contract/type.ts';
import { isOnGitHub, longestAddress, parsePastedAddress } from '../../domain/parse-pasted-address.ts';
import { unknownAddressPage } from '../../pages/go.ts';
import { articleLink, findLink, repositoryLink } from '../../pages/links.ts';
import { page } from './page.ts';

/** Somewhere on the web, or on a machine by its name: what is pasted is an address, though of nothing that is read here. */
const looksLikeUrl = (pasted: string): boolean =>
  /^(?:[a-z+]+:\/\/|(?:[\w-]+@)?(?:[\w-]+\.)+[a-z]{2,}[:/])\S*$/i.test(pasted.trim());

/** Redirects a user who pasted an address to the page about it, and one who typed words to what is found by them. */
export const goPage = ({ codeHosts }: { codeHosts: CodeHost[] }) =>
  page({
    query: Type.Object({ url: Type.Optional(Type.String({ maxLength: longestAddress })) }),
    show: ({ query: { url = '' }, contextIn }) => {
      const context = contextIn(undefined);
      if (url.trim() === '') return { redirectTo: '/' };
      const address = parsePastedAddress(url, codeHosts);
      if (typeof address === 'string') {
        if (address === 'unknown' && !looksLikeUrl(url)) return { redirectTo: findLink(url.trim()) };
        const isGitHubOff = isOnGitHub(url) && codeHosts.every(({ id }) => id !== 'github');
        const why = address === 'unknown' && isGitHubOff ? 'githubIsOff' : address;
        const known = codeHosts.flatMap(({ webUrl }) => webUrl ?? []);
        return { status: 404, page: unknownAddressPage(context, { why, known }) };
      }
      const { number, ...repository } = address;
      return {
        redirectTo:
          number === null
            ? repositoryLink(repository, context.firstHost)
            : articleLink({ ...repository, prNumber: number }, context.firstHost),
      };
    },
  });
