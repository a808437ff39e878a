import { call, complain, element, whoAmI } from './call.js';

/** Runs something the user asked for; what goes wrong is told below. */
async function attempt(action) {
  element('problem').hidden = true;
  try {
    await action();
  } catch (error) {
    complain(error);
  }
}

function favoriteItem(favorite) {
  const remove = document.createElement('button');
  remove.className = 'plain';
  remove.textContent = 'remove';
  remove.setAttribute('aria-label', `Remove ${favorite.repositoryFullName} from favorites`);
  remove.addEventListener('click', () =>
    attempt(async () => {
      await call('DELETE', `/users/me/favorite-repositories/${favorite.id}`);
      await showFavorites();
    }),
  );
  const item = document.createElement('li');
  item.append(favorite.repositoryFullName, ' · ', remove);
  return item;
}

async function showFavorites() {
  const { items } = await call('GET', '/users/me/favorite-repositories?limit=100');
  element('favorites').replaceChildren(...items.map(favoriteItem));
  element('no-favorites').hidden = items.length > 0;
}

element('add-favorite').addEventListener('submit', (event) => {
  event.preventDefault();
  const [owner, repo] = element('full-name').value.trim().split('/');
  attempt(async () => {
    await call('POST', '/users/me', { body: { owner, repo } });
    element('full-name').value = '';
    await showFavorites();
  });
});

element('log-out').addEventListener('click', () =>
  attempt(async () => {
    await call('POST', '/auth/logout');
    location.reload();
  }),
);

document.querySelector('pre').textContent =
  `curl ${location.origin}/users/me -H "Authorization: Bearer $TOKEN"`;
try {
  const { user, code } = await whoAmI();
  if (user) {
    element('name').textContent = user.hostDisplayName;
    element('avatar').src = user.avatarUrl;
    element('signed-in').hidden = false;
    await showFavorites();
  } else {
    element(code === 'USER_NOT_FOUND' ? 'signed-up-not-yet' : 'signed-out').hidden = false;
  }
} catch (error) {
  complain(error);
}
