import { all, attempt, call } from './call.js';

/** A repository is followed, or no longer, at once; what is refused is put right. */
for (const button of /** @type {HTMLButtonElement[]} */ (all('button[data-follow]'))) {
  const { owner, repo, host } = button.dataset;
  const path = '/users/me/favorite-repositories';
  let id = button.dataset.follow ?? '';
  const show = (/** @type {boolean} */ isFollowed) => {
    button.setAttribute('aria-pressed', String(isFollowed));
    button.textContent = (isFollowed ? button.dataset.yes : button.dataset.no) ?? '';
  };
  button.addEventListener('click', (event) => {
    event.preventDefault();
    if (event.detail > 1) return;
    show(id === '');
    attempt(button, async () => {
      try {
        if (id !== '') {
          await call('DELETE', `${path}/${id}`);
          id = '';
        } else {
          const answer = await call('POST', `${path}?host=${host}`, { body: { owner, repo } });
          id = answer.id;
          await call('PUT', `${path}/${id}/watch`, { body: {} });
        }
      } finally {
        show(id !== '');
      }
    });
  });
}
