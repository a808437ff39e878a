import { all, attempt, call, element, onSubmit, takeAway } from './call.js';

/** @param {HTMLButtonElement | null} button */
const tellDone = (button) => {
  element('done').textContent = button?.dataset.done ?? '';
};

const logOut = /** @type {HTMLButtonElement} */ (element('log-out'));
logOut.addEventListener('click', () =>
  attempt(logOut, async () => {
    await call('POST', '/auth/logout');
    location.assign('/');
  }),
);

onSubmit(/** @type {HTMLFormElement} */ (element('language-form')), async (given) => {
  await call('PATCH', '/users/me', { body: { language: given('language') } });
  // The page speaks the reader's language too.
  location.reload();
});

for (const form of /** @type {HTMLFormElement[]} */ (all('[data-host-token]'))) {
  const path = `/auth/host-token?host=${encodeURIComponent(form.dataset.hostToken ?? '')}`;
  onSubmit(form, async (given, button) => {
    await call('POST', path, { body: { accessToken: given('token') } });
    form.reset();
    tellDone(button);
  });
  const forget = /** @type {HTMLButtonElement | null} */ (form.querySelector('[data-forget]'));
  forget?.addEventListener('click', () =>
    attempt(forget, async () => {
      await call('DELETE', path);
      tellDone(forget);
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
