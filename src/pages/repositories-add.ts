import type { Job } from '../contract/jobs.ts';
import type { AddedRepository } from '../contract/repositories.ts';
import { type CloneProblem, longestAddress } from '../domain/repositories.ts';
import { problemNote } from './failure.ts';
import { type Html, html } from './html.ts';
import { buttonForm, layout, noIndex, type PageContext } from './layout.ts';
import { repositoryLink } from './links.ts';
import { refreshWhile } from './progress.ts';
import { text } from './text.ts';

interface ShownAdding {
  /** The folders and hosts from which repositories can be added; null if the service reads no clones. */
  accepted: { roots: string[]; hosts: string[] } | null;
  mayAdd: boolean;
  added: ShownAddition[];
  /** Paths of clones that can be added. */
  found: string[];
  job: Job | null;
  now: Date;
}

interface ShownAddition extends AddedRepository {
  problem: CloneProblem | null;
}

export function addRepositoryPage(context: PageContext, shown: ShownAdding): Html {
  const { adding } = context.words;
  const { accepted, mayAdd, job } = shown;
  const isUnderWay = job?.state === 'queued' || job?.state === 'running';
  const offered = accepted && mayAdd;
  return layout(context, {
    title: `${adding.title} · Pullquote`,
    head: html`${noIndex}${refreshWhile(isUnderWay || shown.added.some((one) => one.isRefreshing))}`,
    scripts: offered ? ['repositories-add.js'] : [],
    styles: ['doing.css'],
    main: html`<div class="form">
<h1>${adding.title}</h1>
${offered ? addingForm(context, accepted, shown) : html`<p>${text(mayAdd ? adding.noClones : adding.forOperators)}</p>`}
</div>`,
  });
}

function addingForm(
  context: PageContext,
  accepted: NonNullable<ShownAdding['accepted']>,
  { job, added, found, now }: ShownAdding,
): Html {
  const { words, publicUrl } = context;
  const { adding } = words;
  const { roots, hosts } = accepted;
  const choice = (value: string, word: string, isChosen: boolean): Html =>
    html`<label><input type="radio" name="visibility" value="${value}"${isChosen && html` checked`}> ${word}</label>\n`;
  // On a public service, added repositories are private by default, so that none is published by accident.
  const isOpen = publicUrl !== null;
  return html`<form id="add" method="post" action="/add">
<label for="location">${adding.location}</label>
<input id="location" name="location" required maxlength="${longestAddress}" aria-describedby="accepted" autocomplete="off" autocapitalize="off" spellcheck="false">
<p class="quiet" id="accepted">${roots.length > 0 ? adding.paths(roots.join(', ')) : text(adding.noPaths)}<br>
${hosts.length > 0 ? adding.addresses(hosts.join(', ')) : text(adding.noAddresses)}</p>
<label for="name">${adding.name}</label>
<input id="name" name="name" maxlength="201" placeholder="owner/repo" autocomplete="off" autocapitalize="off" spellcheck="false">
<fieldset><legend>${adding.who}</legend>
${choice('everybody', adding.everybody, !isOpen)}${choice('me', adding.onlyMe, isOpen)}</fieldset>
<button>${adding.submit}</button>
</form>
${jobProgress(context, job)}
${problemNote(
  context,
  {
    INVALID_REQUEST: adding.refused,
    REPOSITORY_NOT_FOUND: adding.notFound,
    PAYLOAD_TOO_LARGE: adding.tooLarge,
    CANCELLED: words.doing.cancelled,
  },
  job?.error ?? null,
)}
${
  found.length > 0 &&
  html`<section><h2>${adding.found}</h2><p class="quiet">${adding.who}${words.inArticle.colon}${isOpen ? adding.onlyMe : adding.everybody}</p><ul class="sessions">${found.map(
    (location) =>
      html`<li><bdi>${location}</bdi> ${buttonForm('/add', { location, visibility: isOpen ? 'me' : 'everybody' }, html`<button class="plain" aria-label="${adding.add(location)}">${adding.addIt}</button>`)}</li>`,
  )}</ul></section>`
}
${added.length > 0 && html`<section${added.some((one) => one.isRefreshing) && html` data-refreshing`}><h2>${adding.list}</h2><ul class="sessions">${added.map((one) => row(context, one, { now, isRefreshed: hosts.length > 0 }))}</ul></section>`}`;
}

function jobProgress({ words, firstHost }: PageContext, job: Job | null): Html {
  const { doing, importing } = words;
  const isUnderWay = job?.state === 'queued' || job?.state === 'running';
  const { done = 0, total = 0 } = job?.progress ?? {};
  const said = {
    queued: doing.steps.queued,
    mirroring: doing.steps.mirroring,
    'under-a-minute': importing.underAMinute,
    minutes: importing.minutes,
    'first-host': firstHost,
  };
  const attributes = Object.entries(said).map(([name, value]) => html` data-${name}="${value}"`);
  return html`<div id="progress" class="progress"${attributes}${isUnderWay && html` data-job="${job.id}"`}${!isUnderWay && html` hidden`}>
<form method="post" action="/add/cancel"><input type="hidden" name="job" value="${job?.id}"><p><span id="step" role="status">${isUnderWay && doing.steps[job.progress.step]}</span> <span id="left"></span> <button class="plain" id="cancel">${doing.cancel}</button></p></form>
<progress aria-label="${doing.progress}" max="1" value="${total > 0 ? done / total : 0}"></progress>${isUnderWay && html`<noscript><p class="quiet">${words.adding.loadsAgain}</p></noscript>`}</div>`;
}

function row(
  { words, firstHost, language }: PageContext,
  added: ShownAddition,
  { now, isRefreshed }: { now: Date; isRefreshed: boolean },
): Html {
  const { adding, article, doing } = words;
  const { refreshedAt, refreshError, isRefreshing, problem: why } = added;
  const name = `${added.owner}/${added.repo}`;
  const shown = added.isReady
    ? html`<a href="${repositoryLink(added, firstHost)}"><bdi>${name}</bdi></a>`
    : html`<a href="/add?job=${added.id}"><bdi>${name}</bdi></a> <span class="quiet">${doing.steps.mirroring}</span>`;
  const refresh = html`<button class="plain" aria-label="${adding.refresh(name)}">${adding.refreshIt}</button>`;
  const remove = html`<button class="plain" aria-label="${adding.remove(name)}">${adding.removeIt}</button>`;
  return html`<li><div>${shown}${added.isPrivate && html` <span class="badge">${article.private}</span>`}</div>
<div class="quiet"><bdi>${added.folder ?? added.address}</bdi></div>
${why && html`<div class="problem">${text(adding.problems[why])}</div>`}
${refreshedAt && html`<div class="quiet">${isRefreshing ? adding.refreshing : adding.refreshed(timeAgo(refreshedAt, now, language))}</div>`}
${refreshError && html`<div class="problem">${adding.refreshFailed} <span lang="en">${refreshError}</span></div>`}
${refreshedAt && isRefreshed && !isRefreshing && buttonForm('/add/refresh', { id: added.id }, refresh)} ${buttonForm('/add/remove', { id: added.id }, remove)}</li>`;
}

function timeAgo(past: string, now: Date, language: string): string {
  const minutes = Math.round((now.getTime() - Date.parse(past)) / 60_000);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (minutes < 60) return words.format(-minutes, 'minute');
  return minutes < 48 * 60
    ? words.format(-Math.round(minutes / 60), 'hour')
    : words.format(-Math.round(minutes / 1440), 'day');
}
