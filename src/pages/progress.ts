import type { JobProgress } from '../domain/pull-requests.ts';
import { type Html, html, nothing } from './html.ts';
import { articleLink, hostNamed, type PullRequestPlace, repositoryPath, withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';
import { problem, type Told } from './problem.ts';

/** What is being written for the reader already. */
export interface RunningJob {
  id: string;
  languageCode: string;
  progress: JobProgress;
}

/** What a page on which something can be written may begin with: a job of the reader's, or what went wrong with it. */
export interface Begun {
  running?: RunningJob | null;
  told?: Told | null;
}

/** Where a page on which something can be written tells how far that is, and what went wrong. */
export function progress(context: PageContext, place: PullRequestPlace, begun: Begun = {}): Html {
  const { words, firstHost, ours } = context;
  const { host, owner, repo, prNumber } = place;
  const { running = null, told = null } = begun;
  const { steps, cancel, cancelled } = words.doing;
  const attributes = Object.entries(steps).map(
    ([step, said]) => html` data-${step.replaceAll(' ', '-')}="${said}"`,
  );
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls/${prNumber}/article`;
  return html`<div id="progress" class="progress" data-api="${withQuery(path, { host })}" data-page="${articleLink(place, firstHost)}"${attributes}${running && html` data-job="${JSON.stringify(running)}"`}${ours}${!running && html` hidden`}>
<span id="step" role="status">${running && steps[running.progress.step]}</span> <span id="count"></span> <button type="button" id="cancel" class="plain">${cancel}</button>
<progress aria-label="${words.doing.progress}"></progress>${running && html`<noscript><p class="quiet">${words.doing.loadsAgain}</p></noscript>`}</div>
${problem(context, { CANCELLED: cancelled }, told)}`;
}

/** For browsers without scripts, which see how far it is by loading the page again. */
export const refreshWhile = (isUnderWay: boolean, everySeconds = 3): Html =>
  isUnderWay ? html`<noscript><meta http-equiv="refresh" content="${everySeconds}"></noscript>\n` : nothing;

/** The script that shows how far a job is that was begun before the page was loaded. */
export const scriptsFor = (running: RunningJob | null | undefined): string[] =>
  running ? ['write.js', 'attach.js'] : ['write.js'];

/** What has an article written, with scripts and without. */
export function writeButton(
  { firstHost }: PageContext,
  place: PullRequestPlace,
  { language, words, look = html` class="primary"` }: { language: string; words: string; look?: Html },
): Html {
  const action = withQuery(
    `${repositoryPath(place)}/${place.prNumber}/write`,
    hostNamed(place.host, firstHost),
  );
  return html`<form class="do" method="post" action="${action}"><input type="hidden" name="language" value="${language}"><button${look} data-write data-language="${language}">${words}</button></form>`;
}
