// Asks a question without leaving the page, and then reloads the list of answers.
import { attempt, call, element } from './call.js';
import { follow } from './jobs.js';
import { loadPage } from './load-page.js';

const section = element('questions');
const panel = element('answering');
const cancel = /** @type {HTMLButtonElement} */ (panel.querySelector('button'));
const field = /** @type {HTMLInputElement} */ (element('question'));

/** @param {object} body */
async function ask(body) {
  panel.hidden = false;
  cancel.disabled = true;
  try {
    const headers = { Prefer: 'respond-async' };
    const begun = await call('POST', section.dataset.api ?? '', { body, headers });
    cancel.disabled = false;
    if (begun.kind === 'job') await follow(begun, cancel, () => {});
    const page = await loadPage(location.pathname + location.search);
    const answers = page.getElementById('answers');
    if (answers) element('answers').replaceWith(answers);
    const answer = document.getElementById(`answer-${begun.id}`) ?? document.querySelector('.answer');
    /** @type {HTMLElement | null} */ (answer)?.focus();
    field.value = '';
  } finally {
    panel.hidden = true;
  }
}

section.addEventListener('submit', (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const given = new FormData(form);
  const question = String(given.get('question') ?? '').trim();
  if (question === '') return;
  event.preventDefault();
  attempt(form.querySelector('button'), () => ask({ question, language: given.get('language') }));
});

document.addEventListener('keydown', (event) => {
  const isTyping = /** @type {HTMLElement} */ (event.target).closest('input, textarea, select');
  if (event.key !== 'a' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});
