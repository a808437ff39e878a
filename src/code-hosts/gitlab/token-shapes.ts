/** What people, projects and groups make on GitLab; an instance may put a word of its own before it. */
const accessToken = /^(?:[\w-]{1,40}-)?glpat-[\w.-]{8,300}$/;

/** What an application on GitLab is given for a user, and what it is given another one for. */
const grantedToken = /^[0-9a-f]{64}$/;

export const isAppToken = (token: string): boolean => grantedToken.test(token);

export const isGitLabToken = (token: string): boolean => accessToken.test(token) || isAppToken(token);
