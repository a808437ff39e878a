import { constants } from 'node:fs';
import { access, lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import { isAddressAt, isRepositoryName, parsePastedAddress } from '../../domain/repositories.ts';
import type { HostPullRequest } from '../code-host.ts';
import { printUncommitted } from '../git-runner/read-objects.ts';
import { type Clone, type GitRunner, runGit } from '../git-runner/run-git.ts';
import { gitFolderOf } from './find-clone.ts';
import { type PullRequestIndex, PullRequestIndexes, readHead, readShallow } from './pull-request-index.ts';
import { mergeBases } from './read-commits.ts';
import { readPullRequest } from './read-pull-request.ts';
import { findIndexed, type IndexedPullRequest } from './summarize-pull-requests.ts';

interface OwnChange {
  pullRequest: HostPullRequest;
  state: HostPullRequest['state'] | null;
  isSquashed: boolean;
}

export async function readNumber(git: GitRunner, clone: OwnClone, number: number): Promise<OwnChange | null> {
  requireKnownFormat(clone);
  const index = await new PullRequestIndexes(git).read(clone);
  const indexed = index && (findIndexed(index, number) ?? (await findFetched(git, clone, index, number)));
  if (!index || !indexed) return null;
  const pullRequest = await readPullRequest(
    { git, urlOf: () => null, repositoryUrl: null, clone, index },
    indexed,
  );
  // Only the refs refs/pull/N/merge of GitHub show which pull requests are closed.
  const isKnown = pullRequest.state !== 'closed' || index.open.size > 0;
  const isSquashed = indexed.branch.head === indexed.merge?.sha;
  return { pullRequest, state: isKnown ? pullRequest.state : null, isSquashed };
}

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

/** The commits of a branch that its base lacks. */
export interface OwnBranch {
  from: string;
  to: string;
  fromSha: string;
  toSha: string;
  /** The merge base of the branch and its base. */
  baseSha: string;
  commits: number;
}

/** Compares a branch with its base: by default, the current branch with the default branch. */
export async function findBranch(
  git: GitRunner,
  clone: OwnClone,
  { base = null, head = null }: { base?: string | null; head?: string | null },
): Promise<OwnBranch> {
  requireKnownFormat(clone);
  const toSha = await resolveCommit(git, clone, head ?? 'HEAD');
  const against = base ?? clone.defaultRef ?? (clone.isBare ? 'HEAD' : null);
  if (against === null) throw new Failure('NOT_FOUND', noBase(head ?? 'HEAD'));
  const fromSha = await resolveCommit(git, clone, against);
  const [parted] = await mergeBases(git, clone, [{ one: fromSha, other: toSha }]);
  const from = base ?? shortName(against);
  const to = head ?? shortName((await readOwnHead(clone)).ref ?? toSha.slice(0, 10));
  const baseSha = parted?.[0];
  if (!baseSha) throw new Failure('NOT_FOUND', await whyNotParted(clone, `${from} and ${to}`));
  const commits = Number(await runGit(git, clone, ['rev-list', '--count', toSha, `^${fromSha}`]));
  return { from, to, fromSha, toSha, baseSha, commits };
}

/** The diff between the beginning of the branch and the files of the checkout; null without uncommitted changes. */
export async function diffUncommitted(
  git: GitRunner,
  clone: OwnClone,
  { baseSha, toSha }: OwnBranch,
): Promise<AsyncIterable<Buffer> | null> {
  const checkout = { root: clone.root, indexFile: join(clone.headFolder, 'index') };
  if (clone.isBare) return null;
  for await (const _ of printUncommitted(git, clone, checkout, toSha))
    return printUncommitted(git, clone, checkout, baseSha);
  return null;
}

export async function readBranch(
  git: GitRunner,
  clone: OwnClone,
  { from, to, fromSha, toSha, commits }: OwnBranch,
): Promise<HostPullRequest> {
  if (commits === 0) throw new Failure('NOT_FOUND', nothingOwn(`${from} and ${to}`));
  const nothing = { merged: new Map(), heads: new Map(), open: new Set<number>(), firstCommits: new Map() };
  const source = { git, urlOf: () => null, repositoryUrl: null, clone, index: { tip: fromSha, ...nothing } };
  const branch = { head: toSha, base: fromSha };
  const read = await readPullRequest(source, { number: 0, merge: null, branch });
  if (read.commits.length <= 1) return read;
  const isOfOne = read.commits.every(({ author }) => author === read.commits[0]?.author);
  return { ...read, title: '', body: null, authorLogin: isOfOne ? read.authorLogin : '' };
}

function requireKnownFormat({ foreignFormat }: OwnClone): void {
  if (foreignFormat === null) return;
  throw new Failure(
    'HOST_ERROR',
    `This clone has ${foreignFormat}, which Pullquote does not support. Pipe the diff: git diff BASE...HEAD | pullquote explain -`,
  );
}

const shortName = (ref: string): string => ref.replace(/^refs\/(?:heads|remotes)\//, '');

const noBase = (head: string): string =>
  `Cannot tell which branch ${head} will be merged into: this clone has neither origin/HEAD nor a branch main or master. ` +
  `Pass it, for example: pullquote explain develop...${head}`;

const nothingOwn = (names: string): string =>
  `There is nothing to explain between ${names}: the second has no commits that the first does not have. ` +
  'Commit your changes, run git add for new files, or pass a range such as HEAD~1...HEAD.';

const whyNotParted = async (clone: OwnClone, names: string): Promise<string> =>
  (await readShallow(clone)) === ''
    ? `${names} have no commit in common. Pass another base, such as main...HEAD.`
    : `This clone lacks the commit where ${names} diverged. Run git fetch --unshallow in it, then try again.`;

/** The isolated folder lacks the HEAD of the clone, so names that begin with HEAD are resolved here. */
async function resolveCommit(git: GitRunner, clone: OwnClone, name: string): Promise<string> {
  const [, rest] = /^(?:HEAD|@)((?:[~^].*)?)$/.exec(name) ?? [];
  const head = rest === undefined ? null : await readOwnHead(clone);
  const named = head ? `${head.ref ?? head.sha ?? 'refs/heads/none'}${rest}` : name;
  const sha = await commitAt(git, clone, named);
  if (sha) return sha;
  const elsewhere = head ? [] : await branchesOfRemotes(git, clone, name);
  const [only, ...others] = elsewhere;
  if (only && others.length === 0) return resolveCommit(git, clone, only);
  const what = head
    ? 'It has no commits yet.'
    : only
      ? `Pass one of ${elsewhere.join(', ')}.`
      : 'Check the spelling, or fetch it.';
  throw new Failure('NOT_FOUND', `This clone has no branch or commit ${name}. ${what}`);
}

function readOwnHead({ defaultRef: _, ...clone }: OwnClone) {
  return readHead({ ...clone, gitFolder: clone.headFolder });
}

async function commitAt(git: GitRunner, clone: OwnClone, name: string): Promise<string | undefined> {
  const options = ['--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const printed = await runGit(git, clone, ['rev-parse', ...options], { nothingCode: 1 });
  return /\b[0-9a-f]{40,64}\b/.exec(printed)?.[0];
}

/** Looks for a branch on the remotes like `git checkout`: `5.x~1` is `origin/5.x~1`. */
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

export interface OwnClone extends Clone {
  headFolder: string;
  root: string;
  isBare: boolean;
  foreignFormat: string | null;
  origin: string | null;
}

export async function findOwnClone(git: GitRunner, folder: string): Promise<OwnClone | null> {
  for (let at = await realpath(folder); ; at = dirname(at)) {
    const gitFolder = await gitFolderOf(at);
    const found = gitFolder ? { gitFolder, headFolder: gitFolder, isLinked: false } : await followLink(at);
    if (found) return describeFoundClone(git, found, at);
    if (dirname(at) === at) return null;
  }
}

/** Follows the `.git` file of a worktree or submodule, which belongs to the user. */
async function followLink(folder: string) {
  const linked = await readOr(join(folder, '.git'));
  const target = linked === null ? undefined : /^gitdir: (.+?)\s*$/.exec(linked)?.[1];
  if (target === undefined) return null;
  const headFolder = resolve(folder, target);
  const shared = (await readOr(join(headFolder, 'commondir')))?.trim();
  const gitFolder = await gitFolderOf(shared === undefined ? headFolder : resolve(headFolder, shared));
  return gitFolder && { gitFolder, headFolder, isLinked: true };
}

const readOr = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

/**
 * Describes a clone by its settings and branches. Settings are read only if they are a plain file, because the clone is
 * untrusted.
 */
export async function describeClone(git: GitRunner, gitFolder: string, root: string): Promise<OwnClone> {
  const settings = await lstat(join(gitFolder, 'config')).catch(() => null);
  if (settings && !settings.isFile())
    throw new Failure(
      'INVALID_REQUEST',
      'The config file of this clone is a link or a pipe. Clone the repository again.',
    );
  return describeFoundClone(git, { gitFolder, headFolder: gitFolder, isLinked: false }, root);
}

/** The repository on a web host that a clone was made from, by the URL of its remote, without user and password. */
export async function readOrigin(
  git: GitRunner,
  clone: Clone,
  webUrl: string,
): Promise<{ owner: string; name: string } | null> {
  const file = await lstat(join(clone.gitFolder, 'config')).catch(() => null);
  if (!file?.isFile()) return null;
  const origin = (await readSettings(git, clone)).get('remote.origin.url') ?? '';
  const address = isAddressAt(webUrl, origin)
    ? parsePastedAddress(origin, [{ id: '', webUrl, isLocal: false }])
    : null;
  return address && { owner: address.owner, name: address.repo };
}

async function describeFoundClone(
  git: GitRunner,
  { isLinked, ...folders }: { gitFolder: string; headFolder: string; isLinked: boolean },
  root: string,
): Promise<OwnClone> {
  const unnamed = { ...nameOfClone(null, root), root, ...folders };
  const settings = await readSettings(git, unnamed);
  const origin = settings.get('remote.origin.url') || null;
  const isBare = !isLinked && (settings.get('core.bare') ?? String(folders.gitFolder === root)) === 'true';
  const isPartial = [...settings].some(([key, value]) => promises.test(key) && value !== 'false');
  const foreignFormat = foreignOf(settings);
  const clone = { ...unnamed, ...nameOfClone(origin, root), origin, isBare, isPartial, foreignFormat };
  const defaultRef = isBare || foreignFormat ? null : await findDefaultRef(git, clone);
  return defaultRef === null ? clone : { ...clone, defaultRef };
}

/** Larger config files are refused: git would take most of a minute to read one of 200 MB. */
const mostOfSettings = 4 * 1024 * 1024;

/** With `--file`, git reads only this file, without includes, and applies none of it. */
async function readSettings(git: GitRunner, clone: Clone): Promise<Map<string, string>> {
  const file = join(clone.gitFolder, 'config');
  const about = await access(file, constants.R_OK).then(
    () => stat(file),
    () => null,
  );
  if (about === null) return new Map();
  if (about.size > mostOfSettings)
    throw new Failure(
      'INVALID_REQUEST',
      `The config file of this clone is larger than ${mostOfSettings / 1024 / 1024} MiB. Clone the repository again.`,
    );
  const options = ['--file', file, '--no-includes', '--null', '--get-regexp'];
  const printed = await runGit(git, clone, ['config', ...options, wantedSettings], { nothingCode: 1 });
  return new Map(
    printed.split('\0').map((entry) => {
      const [key = '', ...value] = entry.split('\n');
      // A key without a value is true.
      return [key, value.length > 0 ? value.join('\n').trim() : 'true'];
    }),
  );
}

const wantedSettings =
  '^(remote\\.origin\\.url|core\\.bare|extensions\\.(objectformat|refstorage|partialclone)|remote\\..*\\.promisor)$';

const promises = /^(?:extensions\.partialclone|remote\..*\.promisor)$/s;

/** The formats of a clone that are unsupported, because the isolated folder uses those that every git knows. */
function foreignOf(settings: Map<string, string>): string | null {
  if ((settings.get('extensions.objectformat') ?? 'sha1') !== 'sha1') return 'SHA-256 object ids';
  return (settings.get('extensions.refstorage') ?? 'files') !== 'files' ? 'branches in a reftable' : null;
}

const branches = ['HEAD', 'main', 'master']
  .map((name) => `refs/remotes/origin/${name}`)
  .concat('refs/heads/main', 'refs/heads/master');

async function findDefaultRef(git: GitRunner, clone: Clone): Promise<string | null> {
  const printed = await runGit(git, clone, ['for-each-ref', '--format=%(refname)', ...branches]);
  const found = new Set(printed.split('\n'));
  return branches.find((ref) => found.has(ref)) ?? null;
}

/**
 * The name in the URL of its remote, or else of its folders. Both may contain anything, so only valid repository names
 * are used.
 */
function nameOfClone(origin: string | null, root: string): { owner: string; name: string } {
  const ofRemote = nameInAddress(pathIn(origin ?? ''));
  return ofRemote.name ? ofRemote : nameInAddress(lastTwo(root));
}

/** On a host groups can be nested, while in a file system only the last folder is the owner. */
function pathIn(address: string): string[] {
  if (/^[\w+.-]+:\/\//.test(address)) {
    const url = URL.parse(address);
    return url?.protocol === 'file:' ? lastTwo(url.pathname) : pathSegments(url?.pathname ?? '');
  }
  const [, path] = /^(?:[^/]*@)?(?:\[[^\]/]+\]|[^/:@]+):(.+)$/s.exec(address) ?? [];
  return path === undefined ? lastTwo(address) : pathSegments(path);
}

const pathSegments = (path: string): string[] => path.split('/').filter(Boolean);

const lastTwo = (path: string): string[] => pathSegments(path).slice(-2);

function nameInAddress(source: string[]): { owner: string; name: string } {
  const name = source.at(-1)?.replace(/\.git$/, '') ?? '';
  if (!isRepositoryName(name)) return { owner: '', name: '' };
  const groups = source.slice(0, -1);
  return { owner: groups.every(isRepositoryName) ? groups.join('/') : '', name };
}
