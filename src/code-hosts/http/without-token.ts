/** As git presents a token, beside a name that the host wants with it. */
export const basicOf = (user: string, token: string): string => btoa(`${user}:${token}`);

/** For the log: a server or a proxy may repeat what it was sent. */
export const withoutToken = (text: string, token: string | null, gitUser = ''): string =>
  token === null ? text : text.replaceAll(token, '[token]').replaceAll(basicOf(gitUser, token), '[token]');
