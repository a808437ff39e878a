import type { Job } from '../contract/job.ts';
import { type Html, html } from './html.ts';
import {
  articleLink,
  hostNamed,
  type RepositoryPlace,
  repositoryLink,
  repositoryPath,
  withQuery,
} from './links.ts';
import type { PageContext } from './page-context.ts';

/** What is offered to be written about a repository, and what is being written about it already. */
export interface OfferedImport {
  /** What the button says; null where there is nothing to offer. */
  label: string | null;
  /** What is asked for when it is pressed, as the operation takes it, but for the language. */
  wish: { numbers: number[] } | { last: number };
  /** The import of the reader that is under way there; null where there is none. */
  job: Job | null;
}

/**
 * A button that has many articles written, whose place one line of progress takes. `web/import.js` fills it and brings rows
 * with `data-number` up to date. The page needs the sentences of `problem` too, `import.js` and `doing.css`.
 */
export function importProgress(
  context: PageContext,
  place: RepositoryPlace,
  { label, wish, job }: OfferedImport,
): Html {
  const { words, ours, firstHost } = context;
  const { host, owner, repo } = place;
  const { importing, doing, repository } = words;
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/import`;
  const said = {
    queued: doing.steps.queued,
    writing: importing.writing,
    over: importing.over,
    nothing: importing.nothing,
    'under-a-minute': importing.underAMinute,
    minutes: importing.minutes,
    waits: importing.waits,
    read: repository.read,
    write: repository.write,
  };
  const attributes = [
    ...Object.entries(said).map(([name, words]) => html` data-${name}="${words}"`),
    ...Object.entries(doing.steps).map(
      ([step, words]) => html` data-step-${step.replaceAll(' ', '-')}="${words}"`,
    ),
  ];
  const language = languageToWriteIn(context);
  const body = JSON.stringify({ ...wish, language });
  const action = withQuery(`${repositoryPath(place)}/import`, hostNamed(host, firstHost));
  const isUnderWay = job !== null;
  return html`<div class="import" data-import data-api="${withQuery(path, { host })}" data-body="${body}" data-job="${job?.id}" data-article="${articleLink({ ...place, prNumber: 0 }, firstHost, { language })}"${attributes}${ours}>
${
  label !== null &&
  html`<form class="offer" method="post" action="${action}"${isUnderWay && html` hidden`}>${Object.entries(
    wish,
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`,
  )}<input type="hidden" name="language" value="${language}"><button class="primary" data-begin>${label}</button></form>`
}
<div class="progress"${!isUnderWay && html` hidden`}><p><span data-step role="status">${job && stepOf(context, job)}</span> <span data-left></span> <button type="button" class="plain" data-cancel>${doing.cancel}</button></p>
<progress aria-label="${doing.progress}" max="1" value="${job ? shareOf(job) : 0}"></progress></div>
<div class="result" data-result hidden><p><span data-said role="status"></span> <span data-links></span> <a href="${repositoryLink(place, firstHost, { tab: 'articles' })}">${importing.toArticles}</a></p>
<div data-skipped hidden><p>${importing.skipped}</p><ul></ul></div></div></div>`;
}

function stepOf(
  { words: { importing, doing } }: PageContext,
  { state, progress: { done, total } }: Job,
): string {
  if (state === 'queued') return doing.steps.queued;
  return importing.writing
    .replace('{done}', String(Math.min(done + 1, total)))
    .replace('{total}', String(total));
}

const shareOf = ({ progress: { done, total } }: Job): number => (total > 0 ? done / total : 0);

/** That of the reader, or the one that they see the page in. */
export const languageToWriteIn = ({ viewer, language, writesIn }: PageContext): string =>
  viewer?.language && writesIn.includes(viewer.language) ? viewer.language : language;
