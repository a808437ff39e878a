/** What local tokens begin with. */
export const localTokenPrefix = 'pql_';

/** What people make for themselves on GitHub. */
const githubPersonalToken = /^(?:ghp|github_pat)_\w+$/;

/** A token that an app on GitHub was given for a user. */
export const githubAppToken = /^gh[ou]_[\w.-]+$/;

export const isGitHubToken = (token: string): boolean =>
  githubPersonalToken.test(token) || githubAppToken.test(token);

interface TokenKind {
  isOne: (token: string) => boolean;
  /** Where such tokens come from. */
  origin: string;
  /** One that may be sent. */
  taken: string;
}

/** The kinds of tokens with which people sign in, by their shape alone. */
export const tokenKinds: Record<'localToken' | 'githubToken', TokenKind> = {
  localToken: {
    isOne: (token) => token.startsWith(localTokenPrefix),
    origin: 'local clones',
    taken: 'a local one (pql_…), as pullquote token NAME prints',
  },
  githubToken: {
    isOne: isGitHubToken,
    origin: 'GitHub',
    taken: 'a personal access token of GitHub (github_pat_… or ghp_…)',
  },
};
