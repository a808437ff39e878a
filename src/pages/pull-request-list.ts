import type { PullRequestSummary } from '../contract/pull-request.ts';
import { type Html, html } from './html.ts';
import { said, within } from './in-language.ts';
import { articleLink, type RepositoryPlace } from './links.ts';
import type { PageContext } from './page-context.ts';
import { text } from './text.ts';

export interface ListedPullRequest extends PullRequestSummary {
  /** What its article is called, and in which language; absent where it has none. */
  articleTitle?: { languageCode: string; text: string };
  /** Absent where it is not known. */
  mergedAt?: string | null;
  /** What is being done about it for the reader; absent where nothing is. */
  pending?: string;
}

/** Pull requests of a repository, each with what there is to do with it: read its article, or have it written. */
export function pullRequestList(
  context: PageContext,
  place: RepositoryPlace,
  listed: ListedPullRequest[],
): Html {
  const { words, firstHost } = context;
  const { repository } = words;
  return html`<ul class="pulls">${listed.map((pull) => {
    const { prNumber, title, articleTitle, state, authorLogin, articleExists, mergedAt, pending } = pull;
    const link = articleLink({ ...place, prNumber }, firstHost);
    const called = articleTitle
      ? html`<span class="title"${within(context.language, articleTitle.languageCode)}>${said(articleTitle.languageCode, articleTitle.text)}</span>`
      : html`<span class="title"><bdi>${text(title)}</bdi></span>`;
    const when = mergedAt
      ? html`<time datetime="${mergedAt}">${words.article.state.merged(words.date(mergedAt))}</time>`
      : html`<span>${repository.state[state]}</span>`;
    return html`<li data-number="${prNumber}"><span class="number">#${prNumber}</span> ${called} <span class="meta"><bdi>${authorLogin}</bdi> ${when}</span> <a href="${link}"${pending !== undefined && html` hidden`}>${articleExists ? repository.read : repository.write}<span class="unseen"> #${prNumber}</span></a><span class="pending"${pending === undefined && html` hidden`}>${pending}</span></li>`;
  })}</ul>`;
}
