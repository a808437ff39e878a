import { attempt, call, element } from './call.js';
import { follow } from './jobs.js';

const panel = element('progress');
const meter = /** @type {HTMLProgressElement} */ (panel.querySelector('progress'));
const cancel = /** @type {HTMLButtonElement} */ (element('cancel'));

/** @param {import('./jobs.js').Job} job */
function show({ progress: { step, done, total } }) {
  const words = panel.getAttribute(`data-${step.replaceAll(' ', '-')}`) ?? step;
  // Set only when it changes, because screen readers announce every change.
  if (element('step').textContent !== words) element('step').textContent = words;
  if (total > 0) meter.value = done / total;
  else meter.removeAttribute('value');
}

cancel.type = 'button';
attempt(null, async () => {
  const job = await call('GET', `/jobs/${panel.dataset.job}`);
  // However it ends, the page shows its result.
  await follow(job, cancel, show).catch(() => {});
  location.hash = 'trial';
  location.reload();
});
