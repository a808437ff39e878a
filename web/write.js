import { all, attempt, call, element } from './call.js';
import { follow } from './follow-job.js';

const panel = element('progress');
const meter = /** @type {HTMLProgressElement} */ (panel.querySelector('progress'));
const cancel = /** @type {HTMLButtonElement} */ (element('cancel'));

/** @param {import('./follow-job.js').Job} job */
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

/** @param {string} language */
async function write(language) {
  try {
    const begun = await call('POST', panel.dataset.api ?? '', {
      body: { language },
      prefer: 'respond-async',
    });
    if ('progress' in begun) await follow(begun, cancel, show);
    const page = new URL(panel.dataset.page ?? '/', location.href);
    page.searchParams.set('language', language);
    location.assign(page.pathname + page.search);
  } finally {
    panel.hidden = true;
  }
}

for (const button of /** @type {HTMLButtonElement[]} */ (all('[data-write]')))
  button.addEventListener('click', () => attempt(button, () => write(button.dataset.language ?? '')));
