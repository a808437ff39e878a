/**
 * An element of the page that is certainly there.
 * @template {HTMLElement} [E=HTMLElement]
 * @param {string} id
 * @returns {E}
 */
export const element = (id) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}.`);
  return /** @type {E} */ (found);
};

/** What the service refused, with the sentence for the reader. */
export class Refusal extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Calls the API and returns its data; a failure is thrown with its code and the sentence for the reader.
 * @param {string} method
 * @param {string} path
 * @param {{ body?: object, token?: string }} [options]
 */
export async function call(method, path, { body, token } = {}) {
  const response = await fetch(path, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error.code, answer.error.message);
  return answer.data;
}

/** Whether somebody is signed in: the user, or the code that says why not. */
export async function whoAmI() {
  try {
    return { user: await call('GET', '/users/me') };
  } catch (error) {
    const code = error instanceof Refusal ? error.code : null;
    if (code === 'UNAUTHORIZED' || code === 'USER_NOT_FOUND') return { code };
    throw error;
  }
}

/** @param {unknown} error */
export function complain(error) {
  element('problem').textContent = error instanceof Error ? error.message : String(error);
  element('problem').hidden = false;
}
