import { attempt, call, element, Refusal } from './call.js';
import { onSubmit } from './form.js';

const confirmation = /** @type {HTMLFormElement} */ (element('confirm'));
const ways = element('ways');
const byToken = /** @type {HTMLFormElement | null} */ (document.getElementById('by-token'));
const next = /** @type {HTMLAnchorElement | null} */ (document.getElementById('next'));
const { back = '/', host, language, name, severalHosts } = confirmation.dataset;

/** The token of the opened link, which waits for confirmation. */
let offered = '';

/** @param {HTMLElement} part The one that is shown. */
function show(part) {
  for (const one of [element('progress'), confirmation, ways]) one.hidden = one !== part;
}

/** @param {string} token */
const bearer = (token) => ({ Authorization: `Bearer ${token}` });

/** @param {string} token */
async function signIn(token) {
  show(element('progress'));
  try {
    await call('POST', '/auth/session', { headers: bearer(token), body: { cookie: true } });
    location.replace(await nextPage());
  } catch (error) {
    show(ways);
    throw error;
  }
}

/** New users choose a language first, unless they came by a link: that signs up in the language of their browser. */
async function nextPage() {
  try {
    await call('GET', '/users/me');
    return back;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'USER_NOT_FOUND') throw error;
    if (offered === '') return `/sign-up?back=${encodeURIComponent(back)}`;
    await call('POST', '/auth/signup', { body: { language } });
    return back;
  }
}

/**
 * Asks whether to sign in as the user of the link, because a stranger can send a link to their own account. The API
 * names the user.
 * @param {string} token
 */
async function offer(token) {
  offered = '';
  show(ways);
  const told = await call('GET', '/auth/identity', { headers: bearer(token) });
  if (told.host === host && told.hostUsername === name && next) return location.replace(next.href);
  const label = severalHosts === undefined ? told.hostUsername : `${told.hostUsername} (${told.host})`;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (confirmation.querySelectorAll('[data-words]')))
    part.textContent = (part.dataset.words ?? '').replace('{name}', () => label);
  offered = token;
  show(confirmation);
}

onSubmit(confirmation, () => signIn(offered));
if (byToken) {
  onSubmit(byToken, (given) => signIn(given('token')));
  byToken.hidden = false;
}

/** Takes the token from a sign-in link. If this page is open already, only the part after # changes. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) return false;
  // Removes the token from the address bar and the history at once.
  history.replaceState(null, '', location.pathname + location.search);
  attempt(null, () => offer(token));
  return true;
}

if (!takeToken() && next) location.replace(next.href);
addEventListener('hashchange', takeToken);
