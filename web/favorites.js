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
