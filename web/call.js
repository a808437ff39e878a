/**
 * An element that is certainly there.
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
 * All that a selector names.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} selector
 * @returns {E[]}
 */
export const all = (selector) => [.../** @type {NodeListOf<E>} */ (document.querySelectorAll(selector))];

/** What the service refused, by its code and in its own words. */
export class Refusal extends Error {
  /** @param {{ code?: string, message?: string }} [error] */
  constructor({ code = 'OTHERWISE', message = '' } = {}) {
    super(message);
    this.code = code;
  }
}

/**
 * What the API answers; a failure is thrown.
 * @param {string} method
 * @param {string} path
 * @param {{ body?: object, headers?: Record<string, string> }} [options]
 */
export async function call(method, path, { body, headers } = {}) {
  const response = await fetch(path, {
    method,
    // What a reader does is done, also if they leave the page meanwhile.
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
 * Tells what went wrong. A session that has ended leads to signing in, and back.
 * @param {unknown} error
 */
export function complain(error) {
  const { code, message } = error instanceof Refusal ? error : new Refusal();
  const problem = element('problem');
  const ours = problem.getAttribute(`data-${code.toLowerCase().replaceAll('_', '-')}`);
  if (code === 'UNAUTHORIZED' && !ours) return location.assign(`/sign-in?back=${here()}`);
  if (code === 'USER_NOT_FOUND') return location.assign(`/sign-up?back=${here()}`);
  // The service speaks English: where the page does not, its own words come first.
  const isEnough = message !== '' && problem.matches(':lang(en)');
  const [own, told, settings] = /** @type {HTMLElement[]} */ ([...problem.children]);
  if (own) own.textContent = isEnough ? '' : (ours ?? problem.dataset.otherwise ?? code);
  if (told) told.textContent = message;
  if (settings) settings.hidden = !code.startsWith('HOST_TOKEN');
  problem.hidden = false;
  problem.scrollIntoView({ block: 'nearest' });
}

/** Whether nothing that is seen is focused. */
const hasLostFocus = () => {
  const active = document.activeElement;
  return !active || active.matches('body, :disabled') || !active.checkVisibility();
};

/**
 * Does what the reader asked for, once at a time; what goes wrong is told.
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
    // A disabled button loses the focus, which readers without a mouse need.
    if (wasFocused && hasLostFocus()) button.focus();
  }
}
