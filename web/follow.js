import { all, attempt, call, element } from './call.js';
import { refresh } from './refresh.js';

const firstPauseMs = 3_000;
const longestPauseMs = 10_000;
const mostFailures = 5;
let isLooking = false;

/** Shows articles that are written because the reader follows the repository, as they arrive. */
async function showArriving() {
  if (isLooking) return;
  isLooking = true;
  let failures = 0;
  for (
    let pauseMs = firstPauseMs;
    failures < mostFailures;
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)
  ) {
    const isWhole = await refresh(['arriving', 'tabs', 'listed']);
    failures = isWhole === null ? failures + 1 : 0;
    if (isWhole === false || element('arriving').hidden) break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    // A hidden tab waits until it is visible again.
    if (document.hidden)
      await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
  isLooking = false;
}

if (!element('arriving').hidden) showArriving();

/** Shows following and unfollowing at once, and reverts it if the API rejects it. */
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
          element('arriving').hidden = true;
        } else {
          const answer = await call('POST', `${path}?host=${host}`, { body: { owner, repo } });
          id = answer.id;
          await call('PUT', `${path}/${id}/watch`, { body: {} });
          showArriving();
        }
      } finally {
        show(id !== '');
      }
    });
  });
}
