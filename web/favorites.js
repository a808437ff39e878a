import { all, attempt, call, element, onSubmit, takeAway } from './call.js';

onSubmit(/** @type {HTMLFormElement} */ (element('add-favorite')), async (given) => {
  const [owner, repo] = given('fullName').split('/');
  const host = given('host');
  const path = `/users/me/favorite-repositories${host && `?host=${encodeURIComponent(host)}`}`;
  await call('POST', path, { body: { owner, repo } });
  location.assign('/favorites');
});

for (const button of /** @type {HTMLButtonElement[]} */ (all('[data-remove]')))
  button.addEventListener('click', () =>
    attempt(button, async () => {
      await call('DELETE', `/users/me/favorite-repositories/${button.dataset.remove}`);
      takeAway(button.closest('.favorites > li'));
    }),
  );
