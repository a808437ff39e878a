/** What people make for themselves on GitHub. */
const personalToken = /^(?:ghp|github_pat)_\w+$/;

/** A token that an app on GitHub was given for a user. */
const appToken = /^gh[ou]_[\w.-]+$/;

export const isAppToken = (token: string): boolean => appToken.test(token);

export const isGitHubToken = (token: string): boolean => personalToken.test(token) || isAppToken(token);
