import { attempt } from './call.js';

/**
 * Removes an item from a list and moves the focus to its neighbour.
 * @param {Element | null} item
 */
export function takeAway(item) {
  const beside = item?.nextElementSibling ?? item?.previousElementSibling;
  item?.remove();
  /** @type {HTMLElement | null | undefined} */ (beside?.querySelector('button'))?.focus();
}

/**
 * Handles a form without leaving the page.
 * @param {HTMLFormElement} form
 * @param {(given: (name: string) => string, button: HTMLButtonElement | null) => Promise<unknown>} action
 */
export function onSubmit(form, action) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const button = /** @type {HTMLButtonElement | null} */ (form.querySelector('button:not([type=button])'));
    attempt(button, () => action((name) => String(given.get(name) ?? '').trim(), button));
  });
}
