import { attempt, call, element } from './call.js';
import { onSubmit } from './form.js';
import { follow } from './jobs.js';

/** @typedef {{ host: string, owner: string, repo: string }} Place */
/** @typedef {{ id: string, state: string, progress: { step: string, done: number, total: number }, startedAt?: string, repository?: Place }} Job */

const panel = element('progress');
const words = panel.dataset;
const cancel = /** @type {HTMLButtonElement} */ (element('cancel'));
const form = /** @type {HTMLFormElement} */ (element('add'));

/** @param {Place} place */
function open({ host, owner, repo }) {
  const query = host === words.firstHost ? '' : `?host=${encodeURIComponent(host)}`;
  location.assign(`/r/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}${query}`);
}

/** @param {Job} job */
function timeLeft({ startedAt, progress: { done, total } }) {
  if (!startedAt || done === 0 || done >= total) return '';
  const minutes = (((Date.now() - Date.parse(startedAt)) / done) * (total - done)) / 60_000;
  return minutes < 1
    ? (words.underAMinute ?? '')
    : (words.minutes ?? '').replace('{minutes}', String(Math.ceil(minutes)));
}

/** @param {Job} job */
function show(job) {
  const { state, progress, repository } = job;
  const step = state === 'queued' ? words.queued : words.mirroring;
  panel.hidden = state !== 'queued' && state !== 'running';
  const told = element('step');
  // Set only when it changes, because screen readers announce every change.
  if (told.textContent !== step) told.textContent = step ?? '';
  element('left').textContent = timeLeft(job);
  const meter = /** @type {HTMLProgressElement} */ (panel.querySelector('progress'));
  meter.value = progress.total > 0 ? progress.done / progress.total : 0;
  if (state === 'done' && repository) open(repository);
}

cancel.type = 'button';
onSubmit(form, async (given) => {
  const body = { location: given('location'), name: given('name'), private: given('visibility') === 'me' };
  const added = await call('POST', '/added-repositories', { body });
  if (added.kind === 'repository') return open(added);
  return follow(added, cancel, show);
});

/** Reloads the page once all mirrors are refreshed, unless the form has input. */
async function untilRefreshed() {
  const { items } = await call('GET', '/added-repositories?limit=100');
  if (items.some((/** @type {{ isRefreshing: boolean }} */ one) => one.isRefreshing))
    setTimeout(() => attempt(null, untilRefreshed), 2_000);
  else if (/** @type {HTMLInputElement} */ (element('location')).value === '') location.reload();
}

if (document.querySelector('[data-refreshing]')) attempt(null, untilRefreshed);
if (words.job) attempt(null, async () => follow(await call('GET', `/jobs/${words.job}`), cancel, show));
