import { call, complain, element, whoAmI } from './call.js';

/** @param {string} id */
function show(id) {
  for (const part of ['progress', 'by-token', 'sign-up']) element(part).hidden = part !== id;
}

/** Goes on from where the visitor stands: signed up, signed in but new, or neither. */
async function goOn() {
  const { user, code } = await whoAmI();
  if (user) location.replace('/');
  else show(code === 'USER_NOT_FOUND' ? 'sign-up' : 'by-token');
}

/** @param {string} token */
async function signIn(token) {
  element('problem').hidden = true;
  show('progress');
  try {
    await call('POST', '/auth/session', { token, body: { cookie: true } });
    await goOn();
  } catch (error) {
    complain(error);
    await goOn();
  }
}

const languages = [
  'ja',
  'en',
  'de',
  'es',
  'fr',
  'it',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru',
  'sv',
  'tr',
  'uk',
  'vi',
  'zh',
];
const tokenField = /** @type {HTMLInputElement} */ (element('token'));
const languageField = /** @type {HTMLSelectElement} */ (element('language'));
const [preferred = ''] = navigator.language.split('-');
for (const code of new Set([...languages, ...(preferred.length === 2 ? [preferred] : [])])) {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code);
  languageField.append(new Option(name, code, false, code === preferred));
}

element('by-token').addEventListener('submit', (event) => {
  event.preventDefault();
  signIn(tokenField.value.trim());
});

element('sign-up').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    await call('POST', '/auth/signup', { body: { language: languageField.value } });
    location.replace('/');
  } catch (error) {
    complain(error);
  }
});

const token = new URLSearchParams(location.hash.slice(1)).get('token');
// The token goes from the address bar and the history at once.
history.replaceState(null, '', location.pathname);
if (token) signIn(token);
else goOn().catch(complain);
