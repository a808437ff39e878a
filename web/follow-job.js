import { attempt, call, Refusal } from './call.js';

/** @typedef {{ id: string, state: string, progress: { step: string, done: number, total: number }, error?: { code: string } }} Job */

/** Where the connection to the events cannot be had, a job is asked after this often. */
const lookAgainMs = 2_000;

/** @param {Job} job */
function outcome({ state, error }) {
  if (state === 'done') return { refusal: null };
  if (state === 'cancelled') return { refusal: new Refusal('CANCELLED') };
  return state === 'failed' ? { refusal: new Refusal(error?.code ?? 'OTHERWISE') } : null;
}

/**
 * Settles when a job is over, on whichever page, tab or process that happened.
 * @template {Job} J
 * @param {J} job
 * @param {HTMLButtonElement} cancel
 * @param {(job: J) => void} show
 * @returns {Promise<void>}
 */
export function follow(job, cancel, show) {
  return new Promise((resolve, reject) => {
    const path = `/jobs/${job.id}`;
    const events = new EventSource(`${path}/events`);
    /** @param {J} seen */
    const look = (seen) => {
      show(seen);
      const over = outcome(seen);
      if (!over) return;
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
