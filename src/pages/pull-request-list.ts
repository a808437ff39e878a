import type { PullRequestSummary } from '../contract/pull-request.ts';
import { type Html, html } from './html.ts';
import { articleLink, type RepositoryPlace } from './links.ts';
import type { PageContext } from './page-context.ts';
import { text } from './text.ts';

/** Pull requests of a repository, each with what there is to do with it: read its article, or have it written. */
export function pullRequestList(
  { words: { repository }, firstHost }: PageContext,
  place: RepositoryPlace,
  listed: PullRequestSummary[],
): Html {
  return html`<ul class="pulls">${listed.map(({ prNumber, title, state, authorLogin, articleExists }) => {
    const link = articleLink({ ...place, prNumber }, firstHost);
    return html`<li><span class="number">#${prNumber}</span> <span class="title"><bdi>${text(title)}</bdi></span> <span class="meta"><bdi>${authorLogin}</bdi> <span>${repository.state[state]}</span></span> <a href="${link}">${articleExists ? repository.read : repository.write}<span class="unseen"> #${prNumber}</span></a></li>`;
  })}</ul>`;
}
