import { all, attempt, call, element } from './call.js';
import { follow } from './jobs.js';
import { refresh } from './refresh.js';

/** @typedef {import('./jobs.js').Job} Article */

/** @typedef {Article & { startedAt?: string, written?: number[], current?: { prNumber: number, progress: Article['progress'] }[], failures?: { prNumber: number, error: { code: string, message: string } }[] }} Job */

/**
 * @template {HTMLElement} E
 * @param {ParentNode} part
 * @param {string} selector
 * @returns {E}
 */
const within = (part, selector) => {
  const found = part.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return /** @type {E} */ (found);
};

/**
 * Fills numbers into a sentence of the page.
 * @param {string | undefined} sentence
 * @param {Record<string, number>} numbers
 */
const fill = (sentence = '', numbers) =>
  sentence.replace(/\{(\w+)\}/g, (_, name) => String(numbers[name] ?? ''));

/**
 * Shows a link or the progress at the end of a pull request's row.
 * @param {number} number
 * @param {{ pending?: string | undefined, word?: string | undefined }} shown
 */
function showRow(number, { pending, word }) {
  const row = document.querySelector(`.pulls li[data-number="${number}"]`);
  if (!row) return;
  const link = within(row, 'a');
  if (word) for (const one of row.querySelectorAll('form, input')) one.remove();
  const form = row.querySelector('form');
  const button = form?.querySelector('button');
  if (button) button.hidden = pending !== undefined;
  link.hidden = pending !== undefined || form !== null;
  const state = within(row, '.pending');
  state.hidden = pending === undefined;
  state.textContent = pending ?? '';
  if (word) link.firstChild?.replaceWith(word);
}

/**
 * The reason for a failure in the language of the page. The API's sentence is English and says more.
 * @param {{ code: string, message: string }} error
 */
function reasonOf({ code, message }) {
  const problem = element('problem');
  const ours = problem.getAttribute(`data-${code.toLowerCase().replaceAll('_', '-')}`);
  return problem.matches(':lang(en)') ? message : (ours ?? message);
}

/**
 * Shows how many articles were written, and which were not, by reason.
 * @param {HTMLElement} part
 * @param {Job} job
 */
function showResult(part, { progress: { total }, written = [], failures = [] }) {
  const { over, nothing } = part.dataset;
  const count = written.length;
  within(part, '[data-said]').textContent =
    total === 0 ? (nothing ?? '') : fill(over, { written: count, total });
  /** @type {Map<string, number[]>} */
  const reasons = new Map();
  for (const { prNumber, error } of failures) {
    const reason = reasonOf(error);
    reasons.set(reason, [...(reasons.get(reason) ?? []), prNumber]);
  }
  const lines = [...reasons].map(([reason, numbers]) => {
    const line = document.createElement('li');
    line.textContent = `${numbers.map((number) => `#${number}`).join(', ')}: ${reason}`;
    return line;
  });
  within(part, '[data-skipped]').hidden = lines.length === 0;
  within(part, '[data-skipped] ul').replaceChildren(...lines);
  if (count > 0) document.getElementById('nothing-written')?.remove();
}

/**
 * Starts an import and shows its progress, also after a reload.
 * @param {HTMLElement} part
 */
function tend(part) {
  const panel = within(part, '.progress');
  const meter = /** @type {HTMLProgressElement} */ (within(part, 'progress'));
  const cancel = /** @type {HTMLButtonElement} */ (within(part, '[data-cancel]'));
  const offer = /** @type {HTMLElement | null} */ (part.querySelector('.offer'));
  const begins = /** @type {NodeListOf<HTMLButtonElement>} */ (part.querySelectorAll('[data-begin]'));
  const selected = /** @type {HTMLElement | null} */ (part.querySelector('[data-begin="selected"]'));
  const words = part.dataset;
  let written = 0;
  let counted = 0;
  let isCounting = false;

  /** The parts of the page to update: those of a repository with each article, and those of a release at the end. */
  const partsToCount = (/** @type {boolean} */ isOver) => {
    if (document.getElementById('told')) return isOver ? ['told'] : [];
    if (!document.getElementById('tabs')) return [];
    return document.querySelector('#listed > .pulls') ? ['tabs'] : ['tabs', 'listed'];
  };

  /** Updates the parts of the page that show the new articles. */
  const count = async (/** @type {boolean} */ isOver) => {
    const parts = partsToCount(isOver);
    if (isCounting || parts.length === 0) return;
    isCounting = true;
    while (counted !== written) {
      counted = written;
      await refresh(parts);
    }
    isCounting = false;
  };

  /** @param {Job} job */
  const timeLeft = ({ startedAt, progress: { done, total } }) => {
    if (!startedAt || done === 0 || done === total) return '';
    const minutes = (((Date.now() - Date.parse(startedAt)) / done) * (total - done)) / 60_000;
    return minutes < 1 ? (words.underAMinute ?? '') : fill(words.minutes, { minutes: Math.ceil(minutes) });
  };

  /** @param {Job} job */
  const show = (job) => {
    const { state, progress, written: numbers = [], current = [], failures = [] } = job;
    const { done, total } = progress;
    written = numbers.length;
    const isWaiting = state === 'queued' || state === 'running';
    panel.hidden = !isWaiting;
    const isDone = !isWaiting && state !== 'cancelled';
    // Afterwards, others can still be selected.
    if (offer) offer.hidden = isWaiting || (isDone && !selected);
    for (const begin of begins) if (begin !== selected) begin.hidden = isDone;
    const step =
      state === 'queued' ? words.queued : fill(words.writing, { done: Math.min(done + 1, total), total });
    const told = within(part, '[data-step]');
    // Set only when it changes, because screen readers announce every change.
    if (told.textContent !== step) told.textContent = step ?? '';
    within(part, '[data-left]').textContent = timeLeft(job);
    meter.value = total > 0 ? done / total : 0;
    within(part, '[data-result]').hidden = isWaiting || (state === 'cancelled' && written === 0);
    if (!isWaiting) showResult(part, job);
    for (const number of numbers) showRow(number, { word: words.read });
    count(!isWaiting);
    for (const { prNumber } of failures) showRow(prNumber, {});
    for (const { prNumber, progress: now } of current) {
      const name = now.step.replace(/(?:^| )(\w)/g, (_, letter) => letter.toUpperCase());
      const count = now.total > 0 ? ` ${now.done}/${now.total}` : '';
      showRow(prNumber, { pending: isWaiting ? `${words[`step${name}`] ?? now.step}${count}` : undefined });
    }
    if (state === 'cancelled')
      for (const row of all('.pulls li:has(.pending:not([hidden]))')) showRow(Number(row.dataset.number), {});
  };

  const start = async (/** @type {HTMLButtonElement} */ begin) => {
    const body = JSON.parse(words.body ?? '{}');
    if (begin.dataset.begin === 'selected') {
      const chosen = /** @type {HTMLInputElement[]} */ (all('.choose :checked'));
      body.numbers = chosen.map(({ value }) => Number(value));
      for (const one of chosen) one.checked = false;
    }
    const job = await call('POST', words.api ?? '', { body });
    for (const number of body.numbers ?? []) showRow(number, { pending: words.waits });
    await follow(job, cancel, show);
  };
  document.addEventListener('change', () => {
    const count = all('.choose :checked').length;
    if (selected && count > 0) selected.textContent = fill(words.selected, { count });
  });
  for (const begin of begins)
    begin.addEventListener('click', (event) => {
      event.preventDefault();
      attempt(begin, () => start(begin));
    });
  if (words.job) attempt(null, async () => follow(await call('GET', `/jobs/${words.job}`), cancel, show));
}

for (const part of all('[data-import]')) tend(part);
