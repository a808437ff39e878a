import { all, attempt, call, element } from './call.js';
import { onSubmit, takeAway } from './form.js';

/** @param {HTMLButtonElement | null} button */
const tellDone = (button) => {
  element('done').textContent = button?.dataset.done ?? '';
};

for (const form of /** @type {HTMLFormElement[]} */ (all('[data-host-token]'))) {
  const path = `/auth/host-token?host=${encodeURIComponent(form.dataset.hostToken ?? '')}`;
  onSubmit(form, async (given) => {
    await call('POST', path, { body: { accessToken: given('token') } });
    location.assign('/settings?saved=token');
  });
  const forget = /** @type {HTMLButtonElement | null} */ (form.querySelector('[data-forget]'));
  forget?.addEventListener('click', () =>
    attempt(forget, async () => {
      await call('DELETE', path);
      tellDone(forget);
      const saved = /** @type {HTMLElement | null} */ (form.parentElement?.querySelector('[data-saved]'));
      if (saved) saved.hidden = true;
    }),
  );
}

for (const button of /** @type {HTMLButtonElement[]} */ (all('[data-session]')))
  button.addEventListener('click', () =>
    attempt(button, async () => {
      await call('DELETE', `/auth/sessions/${button.dataset.session}`);
      takeAway(button.closest('li'));
    }),
  );

const deletion = /** @type {HTMLFormElement} */ (element('delete-account'));
const name = /** @type {HTMLInputElement} */ (element('name'));
const confirmed = /** @type {HTMLButtonElement} */ (deletion.querySelector('button'));
const isConfirmed = () => name.value.trim() === deletion.dataset.name;
name.addEventListener('input', () => {
  confirmed.disabled = !isConfirmed();
});
onSubmit(deletion, async () => {
  if (!isConfirmed()) return;
  await call('DELETE', '/users/me');
  location.assign('/');
});
