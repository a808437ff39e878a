/**
 * The owner always has access; the former member had it once; the stranger has an account and saw only what was public. The
 * blocked member had access until the host blocked their account, and comes with a token or a session. The namesake has the
 * owner's login and number on another host.
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

/** The visibility of a repository when it was written about, what happens to it, and what happens to a viewer. */
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

/** States in which the host blocks a member and the repository stays the same. */
export const isShutOut = (state: State): boolean => state === 'blocked' || state === 'expired';

/** The viewers; others make no difference for a private repository. */
export const askersOf = (state: State): readonly Viewer[] =>
  isShutOut(state)
    ? ['owner', 'shut out', 'shut out, in a session']
    : ['anonymous', 'stranger', 'owner', 'former'];

const withAccounts: readonly Viewer[] = ['stranger', 'owner', 'former'];

/** The viewers with access afterwards. */
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

/** The viewers who follow it. */
export const follows = (viewer: Viewer): boolean =>
  viewer === 'owner' || viewer === 'former' || viewer.startsWith('shut out');
