import { type Html, html } from './html.ts';
import { articleLink, type PullRequestPlace, withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';
import { problem } from './problem.ts';

/** Where a page on which something can be written tells how far that is, and what went wrong. */
export function progress(context: PageContext, place: PullRequestPlace): Html {
  const { words, firstHost, ours } = context;
  const { host, owner, repo, prNumber } = place;
  const { steps, cancel, cancelled } = words.doing;
  const attributes = Object.entries(steps).map(
    ([step, said]) => html` data-${step.replaceAll(' ', '-')}="${said}"`,
  );
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls/${prNumber}/article`;
  return html`<div id="progress" class="progress" data-api="${withQuery(path, { host })}" data-page="${articleLink(place, firstHost)}"${attributes}${ours} hidden>
<span id="step" role="status"></span> <span id="count"></span> <button type="button" id="cancel" class="plain">${cancel}</button>
<progress aria-label="${words.doing.progress}"></progress></div>
${problem(context, { CANCELLED: cancelled })}`;
}
