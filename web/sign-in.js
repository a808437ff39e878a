const element = (id) => document.getElementById(id);

const show = (id) => {
  for (const part of ['progress', 'by-token', 'sign-up']) element(part).hidden = part !== id;
};

async function call(method, path, { body, token } = {}) {
  const response = await fetch(path, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  return answer;
}

function complain(error, next) {
  element('problem').textContent = error.message;
  element('problem').hidden = false;
  show(next);
}

async function signIn(token) {
  element('problem').hidden = true;
  show('progress');
  try {
    await call('POST', '/auth/session', { token, body: { cookie: true } });
  } catch (error) {
    complain(error, 'by-token');
    return;
  }
  try {
    await call('GET', '/users/me');
    location.replace('/');
  } catch (error) {
    if (error.code === 'USER_NOT_FOUND') show('sign-up');
    else complain(error, 'by-token');
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
const preferred = navigator.language.slice(0, 2);
for (const code of new Set([...languages, preferred])) {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code);
  element('language').append(new Option(name, code, false, code === preferred));
}

element('by-token').addEventListener('submit', (event) => {
  event.preventDefault();
  signIn(element('token').value.trim());
});

element('sign-up').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    await call('POST', '/auth/signup', { body: { language: element('language').value } });
    location.replace('/');
  } catch (error) {
    complain(error, 'sign-up');
  }
});

const token = new URLSearchParams(location.hash.slice(1)).get('token');
// The token goes from the address bar and the history at once.
history.replaceState(null, '', location.pathname);
if (token) signIn(token);
else show('by-token');
