/**
 * The element with an id, which must exist.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 * @returns {E}
 */
export const element = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}.`);
  return /** @type {E} */ (found);
};

/**
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} selector
 * @returns {E[]}
 */
export const all = (selector) => [.../** @type {NodeListOf<E>} */ (document.querySelectorAll(selector))];

export class Refusal extends Error {
  /** @param {{ code?: string, message?: string }} [error] */
  constructor({ code = 'OTHERWISE', message = '' } = {}) {
    super(message);
    this.code = code;
  }
}

/**
 * The data of an API response. Throws a Refusal for an error.
 * @param {string} method
 * @param {string} path
 * @param {{ body?: object, headers?: Record<string, string> }} [options]
 */
export async function call(method, path, { body, headers } = {}) {
  const response = await fetch(path, {
    method,
    // Changes are sent even if the reader leaves the page.
    keepalive: method !== 'GET',
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal({ code: 'OFFLINE' });
  });
  const answer = await response.json().catch(() => ({ error: { code: 'UNAVAILABLE' } }));
  if (!response.ok) throw new Refusal(answer.error);
  return answer.data ?? answer;
}

const here = () => encodeURIComponent(location.pathname + location.search);

/**
 * Shows an error. If the session has ended, it leads to sign-in and back.
 * @param {unknown} error
 */
export function complain(error) {
  const { code, message } = error instanceof Refusal ? error : new Refusal();
  const problem = element('problem');
  const ours = problem.getAttribute(`data-${code.toLowerCase().replaceAll('_', '-')}`);
  if (code === 'UNAUTHORIZED' && !ours) return location.assign(`/sign-in?back=${here()}`);
  if (code === 'USER_NOT_FOUND') return location.assign(`/sign-up?back=${here()}`);
  // The API's messages are in English, so pages in other languages show their own sentence first.
  const isEnough = message !== '' && problem.matches(':lang(en)');
  const [own, told, settings] = /** @type {HTMLElement[]} */ ([...problem.children]);
  if (own) own.textContent = isEnough ? '' : (ours ?? problem.dataset.otherwise ?? code);
  if (told) told.textContent = message;
  if (settings) settings.hidden = !code.startsWith('HOST_TOKEN');
  problem.hidden = false;
  problem.scrollIntoView({ block: 'nearest' });
}

/** Whether no visible element has the focus. */
const hasLostFocus = () => {
  const active = document.activeElement;
  return !active || active.matches('body, :disabled') || !active.checkVisibility();
};

/**
 * Runs an action once at a time, and shows its error.
 * @param {HTMLButtonElement | null} button What they pressed.
 * @param {() => Promise<unknown>} action
 */
export async function attempt(button, action) {
  element('problem').hidden = true;
  const wasFocused = button !== null && document.activeElement === button;
  if (button) button.disabled = true;
  try {
    await action();
  } catch (error) {
    complain(error);
  } finally {
    if (button) button.disabled = false;
    // A disabled button loses the focus, which keyboard users need.
    if (wasFocused && hasLostFocus()) button.focus();
  }
}
