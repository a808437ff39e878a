import { attempt, call, Refusal } from './call.js';

/** @typedef {{ id: string, state: string, progress: { step: string, done: number, total: number }, error?: { code: string, message: string } }} Job */

/** The polling interval while the event stream is not connected. */
const lookAgainMs = 2_000;

/**
 * Settles when a job has ended on any page or device.
 * @template {Job} J
 * @param {J} job
 * @param {HTMLButtonElement} cancel
 * @param {(job: J) => void} show
 */
export function follow(job, cancel, show) {
  return new Promise((resolve, reject) => {
    const path = `/jobs/${job.id}`;
    const events = new EventSource(`${path}/events`);
    let isLive = true;
    /** @param {J} seen */
    const look = (seen) => {
      // A cancelled job is reported twice, by the response and by an event.
      if (!isLive) return false;
      const { state, error } = seen;
      isLive = state === 'queued' || state === 'running';
      show(seen);
      if (!isLive) {
        events.close();
        if (state === 'done') resolve(null);
        else reject(new Refusal(state === 'failed' ? error : { code: 'CANCELLED' }));
      }
      return isLive;
    };
    const ask = () => call('GET', path).then((seen) => look(seen) && setTimeout(ask, lookAgainMs), reject);
    for (const name of ['progress', 'done', 'failed'])
      events.addEventListener(name, ({ data }) => look(JSON.parse(data)));
    events.addEventListener('error', () => {
      // Unless the stream is closed, the browser reconnects without help.
      if (events.readyState === EventSource.CLOSED) ask();
    });
    cancel.onclick = () => attempt(cancel, async () => look(await call('DELETE', path)));
    show(job);
  });
}
