/**
 * The owner may see everything at all times; the former member could, once; the stranger has an account and never could, but
 * what was public. Who is shut out was a member until their host refused them, and comes with their token or with a session.
 * The namesake has the owner's login and number on another host.
 */
const viewers = [
  'anonymous',
  'stranger',
  'owner',
  'former',
  'shut out',
  'shut out, in a session',
  'namesake',
] as const;
export type Viewer = (typeof viewers)[number];

/** What a repository is that was written about, what becomes of it, and what becomes of one who could see it. */
export const states = [
  'public',
  'internal',
  'private',
  'members only',
  'code off',
  'turned internal',
  'turned private',
  'turned members only',
  'code turned off',
  'pull requests off',
  'deleted',
  'replaced',
  'silent',
  'blocked',
  'expired',
] as const;
export type State = (typeof states)[number];

/** Where a member is shut out by their host, and nothing becomes of the repository. */
export const isShutOut = (state: State): boolean => state === 'blocked' || state === 'expired';

/** Who asks about it: others are the same to a repository that is private. */
export const askersOf = (state: State): readonly Viewer[] =>
  isShutOut(state)
    ? ['owner', 'shut out', 'shut out, in a session']
    : ['anonymous', 'stranger', 'owner', 'former'];

const withAccounts: readonly Viewer[] = ['stranger', 'owner', 'former'];

/** Who may be told of it then. */
export const maySee: Record<State, readonly Viewer[]> = {
  public: viewers,
  internal: withAccounts,
  private: ['owner'],
  'members only': ['owner'],
  'code off': ['owner'],
  'turned internal': withAccounts,
  'turned private': ['owner'],
  'turned members only': ['owner'],
  'code turned off': ['owner'],
  'pull requests off': [],
  deleted: [],
  replaced: [],
  silent: [],
  blocked: ['owner'],
  expired: ['owner'],
};

/** Who has it among their favorites, and watches it. */
export const follows = (viewer: Viewer): boolean =>
  viewer === 'owner' || viewer === 'former' || viewer.startsWith('shut out');
