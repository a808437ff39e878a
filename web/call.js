export const element = (id) => document.getElementById(id);

/** Calls the API and returns its data; a failure is thrown with its code and the sentence for the reader. */
export async function call(method, path, { body, token } = {}) {
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
  return answer.data;
}

/** Whether somebody is signed in: the user, or the code that says why not. */
export async function whoAmI() {
  try {
    return { user: await call('GET', '/users/me') };
  } catch (error) {
    if (error.code === 'UNAUTHORIZED' || error.code === 'USER_NOT_FOUND') return { code: error.code };
    throw error;
  }
}

export function complain(error) {
  element('problem').textContent = error.message;
  element('problem').hidden = false;
}
