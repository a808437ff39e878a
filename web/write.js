import { all, attempt, call, element } from './call.js';
import { follow } from './jobs.js';

const panel = element('progress');
const meter = /** @type {HTMLProgressElement} */ (panel.querySelector('progress'));
const cancel = /** @type {HTMLButtonElement} */ (element('cancel'));

/** @param {Pick<import('./jobs.js').Job, 'progress'>} job */
function show({ progress: { step, done, total } }) {
  panel.hidden = false;
  const words = panel.getAttribute(`data-${step.replaceAll(' ', '-')}`) ?? step;
  // Screen readers announce every change.
  if (element('step').textContent !== words) element('step').textContent = words;
  element('count').textContent = total > 0 ? `${done}/${total}` : done > 0 ? String(done) : '';
  if (total > 0) meter.value = done / total;
  else meter.removeAttribute('value');
}

/**
 * Shows the progress of a job, and then replaces the page by its article.
 * @param {() => Promise<object>} begin
 * @param {string} language
 */
export async function write(begin, language) {
  try {
    // There is no job to cancel yet.
    show({ progress: { step: 'queued', done: 0, total: 0 } });
    cancel.disabled = true;
    const begun = await begin();
    cancel.disabled = false;
    if ('progress' in begun) await follow(/** @type {import('./jobs.js').Job} */ (begun), cancel, show);
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
    const { language = '', regenerate } = button.dataset;
    const body = { language, regenerate: regenerate === '' || undefined };
    const ask = { body, headers: { Prefer: 'respond-async' } };
    attempt(button, () => write(() => call('POST', panel.dataset.api ?? '', ask), language));
  });
