import { attempt, call, Refusal } from './call.js';

/** @typedef {{ step: string, done: number, total: number }} Progress */

/** @typedef {{ id: string, state: string, progress: Progress, error?: { code: string }, startedAt?: string, written?: number[], current?: { prNumber: number, progress: Progress }[], failures?: { prNumber: number }[] }} Job */

/** Where the connection to the events cannot be had, a job is asked after this often. */
const lookAgainMs = 2_000;

/**
 * What came of a job that is over; null while it goes on.
 * @param {Job} job
 */
function outcome({ state, error }) {
  if (state === 'done') return { refusal: null };
  if (state === 'cancelled') return { refusal: new Refusal('CANCELLED') };
  return state === 'failed' ? { refusal: new Refusal(error?.code ?? 'OTHERWISE') } : null;
}

/**
 * Settles when a job is over, on whichever page, tab or process that happened.
 * @param {Job} job
 * @param {HTMLButtonElement} cancel
 * @param {(job: Job) => void} show
 * @returns {Promise<void>}
 */
export function follow(job, cancel, show) {
  return new Promise((resolve, reject) => {
    const path = `/jobs/${job.id}`;
    const events = new EventSource(`${path}/events`);
    /** @param {Job} seen */
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
