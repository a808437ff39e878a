import { Failure } from '../../domain/errors.ts';
import type { HostPullRequest } from '../code-host.ts';
import { type GitRunner, runGit } from '../git-runner/run-git.ts';
import type { OwnClone } from './find-own-clone.ts';
import { type PullRequestIndex, PullRequestIndexes, readHead, readShallow } from './pull-request-index.ts';
import { mergeBases } from './read-commits.ts';
import { readPullRequest } from './read-pull-request.ts';
import { findIndexed, type IndexedPullRequest } from './summarize-pull-requests.ts';

/** What is read of a clone, and what has become of it where the clone tells. */
interface OwnChange {
  pullRequest: HostPullRequest;
  state: HostPullRequest['state'] | null;
  /** Whether its commits were squashed into one, and how many there were is not known here. */
  isSquashed: boolean;
}

/** A pull request of a clone by its number; null where the clone has none. */
export async function readNumber(git: GitRunner, clone: OwnClone, number: number): Promise<OwnChange | null> {
  requireKnownFormat(clone);
  const index = await new PullRequestIndexes(git).read(clone);
  const indexed = index && (findIndexed(index, number) ?? (await findFetched(git, clone, index, number)));
  if (!index || !indexed) return null;
  const pullRequest = await readPullRequest({ git, webUrl: null, clone, index }, indexed);
  // Only GitHub's own refs for what could be merged tell what is closed.
  const isKnown = pullRequest.state !== 'closed' || index.open.size > 0;
  const isSquashed = indexed.branch.head === indexed.merge?.sha;
  return { pullRequest, state: isKnown ? pullRequest.state : null, isSquashed };
}

/** Where people have pull requests fetched to who work in a clone. */
async function findFetched(
  git: GitRunner,
  clone: OwnClone,
  { tip }: PullRequestIndex,
  number: number,
): Promise<IndexedPullRequest | null> {
  const refs = ['pull', 'pr'].map((folder) => `refs/remotes/*/${folder}/${number}`);
  const patterns = refs.flatMap((ref) => [ref, `${ref}/head`]);
  const printed = await runGit(git, clone, ['for-each-ref', '--format=%(objectname)', ...patterns]);
  const head = /^\w+/.exec(printed)?.[0];
  return head ? { number, merge: null, branch: { head, base: tip } } : null;
}

/**
 * What one line of history has that another has not, with the words of its commit if it is one: the first of several does not
 * tell what all of them are about. Without a head it is what is checked out, without a base the default branch.
 */
export async function readBranch(
  git: GitRunner,
  clone: OwnClone,
  { base = null, head = null }: { base?: string | null; head?: string | null },
): Promise<HostPullRequest> {
  requireKnownFormat(clone);
  const to = await resolveCommit(git, clone, head ?? 'HEAD');
  const against = base ?? clone.defaultRef ?? (clone.isBare ? 'HEAD' : null);
  if (against === null) throw new Failure('NOT_FOUND', noBase(head ?? 'HEAD'));
  const from = await resolveCommit(git, clone, against);
  const [parted] = await mergeBases(git, clone, [{ one: from, other: to }]);
  const names = `${base ?? shortName(against)} and ${head ?? 'what is checked out'}`;
  if (!parted?.[0]) throw new Failure('NOT_FOUND', await whyNotParted(clone, names));
  if (parted[0] === to) throw new Failure('NOT_FOUND', nothingOwn(names));
  const nothing = { merged: new Map(), heads: new Map(), open: new Set<number>(), firstCommits: new Map() };
  const parts = { git, webUrl: null, clone, index: { tip: from, ...nothing } };
  const read = await readPullRequest(parts, { number: 0, merge: null, branch: { head: to, base: from } });
  if (read.commits.length <= 1) return read;
  const isOfOne = read.commits.every(({ author }) => author === read.commits[0]?.author);
  return { ...read, title: '', body: null, authorLogin: isOfOne ? read.authorLogin : '' };
}

function requireKnownFormat({ foreignFormat }: OwnClone): void {
  if (foreignFormat === null) return;
  throw new Failure(
    'HOST_ERROR',
    `This clone has ${foreignFormat}, which are not read here. Pipe the diff: git diff BASE...HEAD | pullquote explain -`,
  );
}

const shortName = (ref: string): string => ref.replace(/^refs\/(?:heads|remotes)\//, '');

const noBase = (head: string): string =>
  `No branch was found that ${head} is to be merged into: this clone has neither origin/HEAD nor a branch main or master. ` +
  `Name one, such as pullquote explain develop...${head}`;

const nothingOwn = (names: string): string =>
  `There is nothing to explain between ${names}: the second has no commit of its own. ` +
  'Pipe git diff into pullquote explain - for what is not committed, or name a range such as HEAD~1...HEAD.';

const whyNotParted = async (clone: OwnClone, names: string): Promise<string> =>
  (await readShallow(clone)) === ''
    ? `${names} have no commit in common. Name another base, such as main...HEAD.`
    : `This clone lacks the commit at which ${names} parted. Run git fetch --unshallow in it, then try again.`;

/** Git is shown a folder of ours without the clone's HEAD, so that names that begin there begin at what that stands for. */
async function resolveCommit(git: GitRunner, clone: OwnClone, name: string): Promise<string> {
  const [, rest] = /^(?:HEAD|@)((?:[~^].*)?)$/.exec(name) ?? [];
  const { defaultRef: _, ...plain } = clone;
  const head = rest === undefined ? null : await readHead({ ...plain, gitFolder: clone.headFolder });
  const named = head ? `${head.ref ?? head.sha ?? 'refs/heads/none'}${rest}` : name;
  const sha = await commitAt(git, clone, named);
  if (sha) return sha;
  const elsewhere = head ? [] : await branchesOfRemotes(git, clone, name);
  const [only, ...others] = elsewhere;
  if (only && others.length === 0) return resolveCommit(git, clone, only);
  const what = head
    ? 'It has no commit yet.'
    : only
      ? `Name one of ${elsewhere.join(', ')}.`
      : 'Check the spelling, or fetch it.';
  throw new Failure('NOT_FOUND', `This clone has no branch or commit ${name}. ${what}`);
}

async function commitAt(git: GitRunner, clone: OwnClone, name: string): Promise<string | undefined> {
  const options = ['--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const printed = await runGit(git, clone, ['rev-parse', ...options], { nothingCode: 1 });
  return /\b[0-9a-f]{40,64}\b/.exec(printed)?.[0];
}

/** What is called so on some remote, as `git checkout` looks for it: `5.x~1` is `origin/5.x~1`. */
async function branchesOfRemotes(git: GitRunner, clone: OwnClone, name: string): Promise<string[]> {
  const [, branch = '', rest = ''] = /^([^~^@*?[\\]+)([~^].*)?$/.exec(name) ?? [];
  if (branch === '') return [];
  const printed = await runGit(git, clone, [
    'for-each-ref',
    '--format=%(refname)',
    `refs/remotes/*/${branch}`,
  ]);
  return printed.split('\n').flatMap((ref) => (ref === '' ? [] : `${shortName(ref)}${rest}`));
}
