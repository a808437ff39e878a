import { attempt, call, element, onSubmit, Refusal } from './call.js';

const form = /** @type {HTMLFormElement} */ (element('by-token'));
const back = form.dataset.back ?? '/';

/** @param {string} token */
async function signIn(token) {
  element('progress').hidden = false;
  form.hidden = true;
  try {
    await call('POST', '/auth/session', { token, body: { cookie: true } });
    location.replace(await nextPage());
  } catch (error) {
    element('progress').hidden = true;
    form.hidden = false;
    throw error;
  }
}

/** Who is new chooses a language first. */
async function nextPage() {
  try {
    await call('GET', '/users/me');
    return back;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'USER_NOT_FOUND')
      return `/sign-up?back=${encodeURIComponent(back)}`;
    throw error;
  }
}

onSubmit(form, (given) => signIn(given('token')));
form.hidden = false;

/** Takes the token of a printed link; where this page is open already, the link only changes what follows the path. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) return;
  // It goes from the address bar and the history at once.
  history.replaceState(null, '', location.pathname + location.search);
  attempt(null, () => signIn(token));
}

takeToken();
addEventListener('hashchange', takeToken);
