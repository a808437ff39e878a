const element = (id) => document.getElementById(id);

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  return answer.data;
}

function complain(error) {
  element('problem').textContent = error.message;
  element('problem').hidden = false;
}

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
    await call('POST', '/users/me', { owner, repo });
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
  const user = await call('GET', '/users/me');
  element('name').textContent = user.hostDisplayName;
  element('avatar').src = user.avatarUrl;
  element('signed-in').hidden = false;
  await showFavorites();
} catch (error) {
  if (error.code === 'UNAUTHORIZED' || error.code === 'USER_NOT_FOUND') element('signed-out').hidden = false;
  else complain(error);
}
