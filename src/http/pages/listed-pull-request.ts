import type { ListedPullRequest } from '../../actions/pull-requests/list-pull-requests.ts';
import type { ListedPullRequest as ShownPullRequest } from '../../pages/pull-request-list.ts';
import { presentListedPullRequest } from '../answers/present-pull-request.ts';

/** A pull request of a list on a page, called as its article is, in the language of the reader where it is written in that. */
export function showListed(listed: ListedPullRequest, language: string): ShownPullRequest {
  const { articleTitles, mergedAt } = listed;
  const [languageCode = '', text] = [language, ...Object.keys(articleTitles)].flatMap((code) => {
    const title = articleTitles[code];
    return title === undefined ? [] : [code, title];
  });
  return {
    ...presentListedPullRequest(listed),
    mergedAt: mergedAt?.toISOString() ?? null,
    ...(text !== undefined && { articleTitle: { languageCode, text } }),
  };
}
