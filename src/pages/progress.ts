import type { Job } from '../contract/jobs.ts';
import type { JobProgress } from '../domain/jobs.ts';
import { problemNote, type ShownProblem } from './failure.ts';
import { type Html, html, nothing } from './html.ts';
import { buttonForm, hiddenFields, type PageContext } from './layout.ts';
import {
  apiPath,
  articleLink,
  type PullRequestPlace,
  type RepositoryPlace,
  repositoryLink,
  withQuery,
} from './links.ts';

export interface RunningJob {
  id: string;
  languageCode: string;
  progress: JobProgress;
}

export interface Begun {
  running?: RunningJob | null;
  problem?: ShownProblem | null;
}

export function progress(context: PageContext, place: PullRequestPlace, begun: Begun = {}): Html {
  const { words, firstHost, ours } = context;
  const { running = null } = begun;
  const { steps, cancel, cancelled } = words.doing;
  const attributes = Object.entries(steps).map(
    ([step, said]) => html` data-${step.replaceAll(' ', '-')}="${said}"`,
  );
  const api = withQuery(`${apiPath(place)}/pulls/${place.prNumber}/article`, { host: place.host });
  return html`<div id="progress" class="progress" data-api="${api}" data-page="${articleLink(place, firstHost)}"${attributes}${running && html` data-job="${JSON.stringify(running)}"`}${ours}${!running && html` hidden`}>
<span id="step" role="status">${running && steps[running.progress.step]}</span> <span id="count"></span> <button type="button" id="cancel" class="plain">${cancel}</button>
<progress aria-label="${words.doing.progress}"></progress>${running && html`<noscript><p class="quiet">${words.doing.loadsAgain}</p></noscript>`}</div>
${problemNote(context, { CANCELLED: cancelled }, begun.problem)}`;
}

export const refreshWhile = (isUnderWay: boolean, everySeconds = 3): Html =>
  isUnderWay ? html`<noscript><meta http-equiv="refresh" content="${everySeconds}"></noscript>\n` : nothing;

export const scriptsFor = (running: RunningJob | null | undefined): string[] =>
  running ? ['write.js', 'attach.js'] : ['write.js'];

/** The note on the button for a Japanese article without a model. */
export const languageNote = ({ models, viewer, words }: PageContext, language: string): string =>
  models === null && viewer?.language && language === 'ja' ? words.doing.quotationsStay : '';

interface WriteButton {
  language: string;
  words: string;
  look?: Html;
  /** Whether an article without a model is written again with it. */
  needsModel?: boolean;
}

export const writeButton = (
  { firstHost }: PageContext,
  place: PullRequestPlace,
  { language, words, look = html` class="primary"`, needsModel = false }: WriteButton,
): Html =>
  buttonForm(
    articleLink(place, firstHost, {}, '/write'),
    { language, model: needsModel ? 'yes' : undefined },
    html`<button${look} data-write data-language="${language}"${needsModel && html` data-regenerate`}>${words}</button>`,
  );

/** An estimate of what a model uses. */
export interface Estimate {
  inputTokens: number;
  outputTokens: number;
  /** Null if the price is unknown. */
  costUsd: number | null;
}

/** Rounded, because more digits would be a guess. */
export function sayEstimate(
  { words }: PageContext,
  { inputTokens, outputTokens, costUsd }: Estimate,
): string {
  const tokens = Number((inputTokens + outputTokens).toPrecision(2));
  return words.doing.estimate(tokens, costUsd === null ? null : Math.max(0.01, costUsd).toFixed(2));
}

export interface OfferedImport {
  label: string | null;
  wish: { numbers: number[] } | { last: number } | { rewrite: number };
  /** The expected cost. */
  estimate?: Estimate;
  job: Job | null;
  isPrimary?: boolean;
  isSelectable?: boolean;
}

export const selectionForm = 'selection';

/**
 * A button that imports pull requests and becomes a line of progress. Its page needs `problem`, `imports.js` and
 * `doing.css`.
 */
export function importProgress(
  context: PageContext,
  place: RepositoryPlace,
  { label, wish, job, estimate, isPrimary = true, isSelectable = false }: OfferedImport,
): Html {
  const { words, ours, firstHost } = context;
  const { importing, doing, repository } = words;
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
    selected: importing.counted,
  };
  const attributes = [
    ...Object.entries(said).map(([name, words]) => html` data-${name}="${words}"`),
    ...Object.entries(doing.steps).map(
      ([step, words]) => html` data-step-${step.replaceAll(' ', '-')}="${words}"`,
    ),
  ];
  const language = languageToWriteIn(context);
  const api = withQuery(`${apiPath(place)}/import`, { host: place.host });
  const fields = Object.fromEntries(Object.entries(wish).map(([name, value]) => [name, String(value)]));
  return html`<div class="import" data-import data-api="${api}" data-body="${JSON.stringify({ ...wish, language })}" data-job="${job?.id}"${attributes}${ours}>
${
  label !== null &&
  html`<form class="offer"${isSelectable && html` id="${selectionForm}"`} method="post" action="${repositoryLink(place, firstHost, {}, '/import')}"${job && html` hidden`}>${hiddenFields({ language })}${Object.entries(fields).map(([name, value]) => html`<button class="${isPrimary ? 'primary' : 'tool'}" name="${name}" value="${value}" data-begin>${label}</button>`)}${isSelectable && html` <button class="primary selected" data-begin="selected">${importing.selected}</button>`}${estimate && html` <span class="quiet">${sayEstimate(context, estimate)}</span>`}</form>`
}
<div class="progress"${!job && html` hidden`}><p><span data-step role="status">${job && stepOf(context, job)}</span> <span data-left></span> <button type="button" class="plain" data-cancel>${doing.cancel}</button></p>
<progress aria-label="${doing.progress}" max="1" value="${job && job.progress.total > 0 ? job.progress.done / job.progress.total : 0}"></progress></div>
<div class="result" data-result hidden><p><span data-said role="status"></span> <a href="${repositoryLink(place, firstHost, { tab: 'articles' })}">${importing.toArticles}</a></p>
<div data-skipped hidden><p>${importing.skipped}</p><ul></ul></div></div></div>`;
}

function stepOf({ words }: PageContext, { state, progress: { done, total } }: Job): string {
  if (state === 'queued') return words.doing.steps.queued;
  return words.importing.writing
    .replace('{done}', String(Math.min(done + 1, total)))
    .replace('{total}', String(total));
}

/** As in the API, English replaces the language of a user if it cannot be written. */
export function languageToWriteIn({ viewer, language, writesIn }: PageContext): string {
  if (!viewer?.language) return language;
  return writesIn.includes(viewer.language) ? viewer.language : 'en';
}
