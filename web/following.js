import { all, attempt, call, element } from './call.js';
import { takeAway } from './form.js';

for (const button of /** @type {HTMLButtonElement[]} */ (all('[data-remove]')))
  button.addEventListener('click', (event) => {
    event.preventDefault();
    attempt(button, async () => {
      await call('DELETE', `/users/me/favorite-repositories/${button.dataset.remove}`);
      takeAway(button.closest('.favorites > li'));
      element('empty').hidden = all('.favorites > li').length > 0;
    });
  });

for (const button of /** @type {HTMLButtonElement[]} */ (all('[data-watch]')))
  button.addEventListener('click', (event) => {
    event.preventDefault();
    attempt(button, async () => {
      const isWatched = button.getAttribute('aria-pressed') === 'true';
      const path = `/users/me/favorite-repositories/${button.dataset.watch}/watch`;
      await (isWatched ? call('DELETE', path) : call('PUT', path, { body: {} }));
      location.reload();
    });
  });
