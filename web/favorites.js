import { all, attempt, call, element, onSubmit, takeAway } from './call.js';

onSubmit(/** @type {HTMLFormElement} */ (element('add-favorite')), async (given) => {
  const [owner, repo] = given('fullName').split('/');
  const host = given('host');
  const path = `/users/me/favorite-repositories${host && `?host=${encodeURIComponent(host)}`}`;
  const { id } = await call('POST', path, { body: { owner, repo } });
  await call('PUT', `/users/me/favorite-repositories/${id}/watch`, { body: {} });
  location.assign('/favorites');
});

for (const button of /** @type {HTMLButtonElement[]} */ (all('[data-remove]')))
  button.addEventListener('click', () =>
    attempt(button, async () => {
      await call('DELETE', `/users/me/favorite-repositories/${button.dataset.remove}`);
      takeAway(button.closest('.favorites > li'));
    }),
  );

for (const button of /** @type {HTMLButtonElement[]} */ (all('[data-watch]')))
  button.addEventListener('click', () =>
    attempt(button, async () => {
      const isWatched = button.getAttribute('aria-pressed') === 'true';
      const path = `/users/me/favorite-repositories/${button.dataset.watch}/watch`;
      await (isWatched ? call('DELETE', path) : call('PUT', path, { body: {} }));
      location.reload();
    }),
  );
