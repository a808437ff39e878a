import { all, attempt, call, element, Refusal } from './call.js';

/** @typedef {{ id: string, state: string, progress: { step: string, done: number, total: number }, error?: { code: string, message: string } }} Job */

const panel = element('progress');
const meter = /** @type {HTMLProgressElement} */ (panel.querySelector('progress'));
const cancel = /** @type {HTMLButtonElement} */ (element('cancel'));

/** Where the connection to the events cannot be had, a job is asked after this often. */
const lookAgainMs = 2_000;

/** @param {Job} job */
function show({ progress: { step, done, total } }) {
  panel.hidden = false;
  const words = panel.getAttribute(`data-${step.replaceAll(' ', '-')}`) ?? step;
  // Only what is new is said to those who listen.
  if (element('step').textContent !== words) element('step').textContent = words;
  element('count').textContent = total > 0 ? `${done}/${total}` : done > 0 ? String(done) : '';
  if (total > 0) meter.value = done / total;
  else meter.removeAttribute('value');
}

/**
 * Settles when a job is over, on whichever page, tab or process that happened.
 * @param {Job} job
 * @returns {Promise<void>}
 */
function follow(job) {
  return new Promise((resolve, reject) => {
    const path = `/jobs/${job.id}`;
    const events = new EventSource(`${path}/events`);
    /** @param {Job} seen */
    const look = (seen) => {
      const { state, error } = seen;
      const isLive = state === 'queued' || state === 'running';
      if (isLive) show(seen);
      else {
        events.close();
        if (state === 'done') resolve();
        else reject(new Refusal(state === 'failed' ? error : { code: 'CANCELLED' }));
      }
      return isLive;
    };
    const ask = () => call('GET', path).then((seen) => look(seen) && setTimeout(ask, lookAgainMs), reject);
    for (const name of ['progress', 'done', 'failed'])
      events.addEventListener(name, ({ data }) => look(JSON.parse(data)));
    events.addEventListener('error', () => {
      // Otherwise the browser comes back by itself.
      if (events.readyState === EventSource.CLOSED) ask();
    });
    cancel.onclick = () => attempt(cancel, async () => look(await call('DELETE', path)));
    show(job);
  });
}

/**
 * Shows how far a job is, and then its article in the place of this page.
 * @param {() => Promise<object>} begin
 * @param {string} language
 */
export async function write(begin, language) {
  try {
    const begun = await begin();
    if ('progress' in begun) await follow(/** @type {Job} */ (begun));
    const page = new URL(panel.dataset.page ?? '/', location.href);
    page.searchParams.set('language', language);
    location.replace(page.pathname + page.search);
  } finally {
    panel.hidden = true;
  }
}

for (const button of /** @type {HTMLButtonElement[]} */ (all('[data-write]')))
  button.addEventListener('click', (event) => {
    event.preventDefault();
    const language = button.dataset.language ?? '';
    const ask = { body: { language }, headers: { Prefer: 'respond-async' } };
    attempt(button, () => write(() => call('POST', panel.dataset.api ?? '', ask), language));
  });
