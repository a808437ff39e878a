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
  const [first = '', ...others] = step.split(' ');
  const name = [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
  const words = panel.dataset[name] ?? step;
  // Only what is new is said to those who listen.
  if (element('step').textContent !== words) element('step').textContent = words;
  element('count').textContent = total > 0 ? `${done}/${total}` : done > 0 ? String(done) : '';
  if (total > 0) meter.value = done / total;
  else meter.removeAttribute('value');
}

/**
 * What came of a job that is over; null while it goes on.
 * @param {Job} job
 */
function outcome({ state, error }) {
  if (state === 'done') return { refusal: null };
  if (state === 'cancelled') return { refusal: new Refusal({ code: 'CANCELLED' }) };
  return state === 'failed' ? { refusal: new Refusal(error) } : null;
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
      const over = outcome(seen);
      if (!over) return show(seen);
      events.close();
      if (over.refusal) reject(over.refusal);
      else resolve();
    };
    const ask = async () => {
      try {
        const seen = await call('GET', path);
        look(seen);
        if (!outcome(seen)) setTimeout(ask, lookAgainMs);
      } catch (error) {
        reject(error);
      }
    };
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
    const ask = { body: { language }, prefer: 'respond-async' };
    attempt(button, () => write(() => call('POST', panel.dataset.api ?? '', ask), language));
  });
