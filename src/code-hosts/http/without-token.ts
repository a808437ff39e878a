/** As git presents a token. */
export const basicOf = (token: string): string => btoa(`x-access-token:${token}`);

/** For the log: a server or a proxy may repeat what it was sent. */
export const withoutToken = (text: string, token: string | null): string =>
  token === null ? text : text.replaceAll(token, '[token]').replaceAll(basicOf(token), '[token]');
