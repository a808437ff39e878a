import type { BaseLogger } from 'pino';
import type { Caller, CodeHost, HostRange, HostRepository, RangeChange } from '../../code-hosts/code-host.ts';
import type { Release } from '../../contract/releases.ts';
import { findOrInsertOperator } from '../../db/accounts.ts';
import { type ArticleOfRelease, listArticlesAbout } from '../../db/article-lists.ts';
import { noteReleaseChanges } from '../../db/article-pages.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { type ChangeType, changeTypes } from '../../domain/articles.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { type Change, type Pair, saysBreaking, settleChanges } from '../../domain/releases.ts';
import { namedChangeType } from '../../reading/change-type.ts';
import type { ActingUser, Deps, Viewer } from '../deps.ts';
import { keepGrant } from '../pull-requests/list-pull-requests.ts';
import {
  findOnHost,
  findRepositoryFor,
  noRepository,
  type RepositoryAddress,
  seenBy,
} from '../repositories/find-repository.ts';

type ReleaseDeps = Pick<Deps, 'database' | 'clock' | 'callerOn' | 'renewals'>;
type ReadingDeps = Pick<Deps, 'database'> & { log: Pick<BaseLogger, 'error'> };

interface ReleaseAsker {
  viewer: Viewer | ActingUser | null;
  signal: AbortSignal;
}

interface WantedRelease {
  from: string;
  to: string;
  languages: string[];
  tags?: string[];
}

type ReleaseChange = Change & Pick<RangeChange, 'pullRequest'>;

export interface ReleaseItem {
  pullRequest: NonNullable<RangeChange['pullRequest']>;
  article: ArticleOfRelease | null;
}

export interface CollectedRelease {
  host: string;
  repository: HostRepository;
  range: Omit<HostRange, 'changes'>;
  groups: { breaking: boolean; changeType: ChangeType | null; items: ReleaseItem[] }[];
  reverted: Pair<Change>[];
  backported: Pair<Change>[];
  bare: Change[];
}

interface OpenRepository {
  repository: HostRepository;
  caller: Caller;
  seen: DetailScope;
  without: ReadonlySet<number>;
}

export async function readRelease(
  deps: ReadingDeps,
  address: RepositoryAddress,
  open: OpenRepository,
  { tags, ...wanted }: WantedRelease,
): Promise<CollectedRelease> {
  const { codeHost } = address;
  const release = await collectRelease(deps, address, open, wanted);
  // Tags of remote hosts are not fetched only for this.
  const known = tags ?? (codeHost.isLocal ? await suggestTags(codeHost, open.repository, open.caller) : []);
  if (known.includes(wanted.from) && known.includes(wanted.to)) await noteRelease(deps, release, wanted);
  return release;
}

async function collectRelease(
  deps: Pick<Deps, 'database'>,
  address: RepositoryAddress,
  { repository, caller, seen, without }: OpenRepository,
  { languages, ...wanted }: Omit<WantedRelease, 'tags'>,
): Promise<CollectedRelease> {
  const { codeHost } = address;
  const range = await codeHost.readRange(repository, wanted, caller);
  if (!range) throw noRepository(address);
  // If the host shows a private repository to a user, they get a grant, as when its pull requests are listed.
  if (repository.isPrivate && seen.userId !== null)
    await keepGrant(deps.database, {
      seen: { host: codeHost.id, ...repository },
      userId: seen.userId,
      askedAt: seen.now,
    });
  const { changes, ...rest } = range;
  const shown = changes.filter(({ pullRequest }) => !pullRequest || !without.has(pullRequest.number));
  const { kept, reverted, backported } = settleChanges(shown.map(releaseChangeOf), repository);
  const numbers = kept.flatMap(({ number }) => number ?? []);
  const written = await listArticlesAbout(deps.database, {
    host: codeHost.id,
    hostRepoId: repository.hostRepoId,
    numbers,
    onceIn: languages,
    viewer: seen,
  });
  return {
    host: codeHost.id,
    repository,
    range: rest,
    groups: groupChanges(kept, new Map(written.map((article) => [article.number, article]))),
    reverted,
    backported: [...backported, ...shown.flatMap(copiesOf)],
    bare: kept.filter(({ number }) => number === null),
  };
}

interface ReleaseCounts {
  pullRequests: number;
  breaking: number;
}

export async function countRelease(
  deps: Pick<Deps, 'database'>,
  address: RepositoryAddress,
  open: OpenRepository,
  wanted: Omit<WantedRelease, 'tags'>,
): Promise<ReleaseCounts> {
  const { groups } = await collectRelease(deps, address, open, wanted);
  return {
    pullRequests: groups.reduce((sum, { items }) => sum + items.length, 0),
    breaking: groups.find(({ breaking }) => breaking)?.items.length ?? 0,
  };
}

/**
 * Links the articles of a release. Only for two tags on one line of history: branches move, and diverged tags share
 * less.
 */
async function noteRelease(
  { database, log }: ReadingDeps,
  { host, repository, range, groups }: CollectedRelease,
  { from, to }: Pick<WantedRelease, 'from' | 'to'>,
): Promise<void> {
  if (range.behind > 0) return;
  const numbers = groups.flatMap(({ items }) => items.map(({ pullRequest }) => pullRequest.number));
  await noteReleaseChanges(database, {
    host,
    hostRepoId: repository.hostRepoId,
    from,
    to,
    commits: range.total,
    numbers,
    isWhole: range.read === range.total,
    // A release is shown even if its links cannot be stored.
  }).catch((error: unknown) => log.error({ err: error }, 'a release could not be stored'));
}

/**
 * Users see what the host shows them now. Other viewers see stored public data: for them, no remote host is called
 * about unknown repositories.
 */
export async function openRepository(
  deps: ReleaseDeps,
  address: RepositoryAddress,
  { viewer, signal }: ReleaseAsker,
): Promise<OpenRepository> {
  const { database, callerOn, clock } = deps;
  const { codeHost } = address;
  const now = clock();
  const caller = await callerOn(codeHost, viewer, signal);
  const isUser = hasSignedUp(viewer);
  const look = { viewer: isUser ? null : (viewer as Viewer | null), now };
  const visible = isUser ? null : await findRepositoryFor(deps, address, look);
  if (!isUser && !visible && !codeHost.isLocal) throw noRepository(address);
  const repository =
    visible?.found ?? (await findOnHost(deps, address, { viewer: isUser ? viewer : null, signal }));
  const { hostRepoId, owner, name, isPrivate } = repository;
  const { numbers } = await findLearnedRemoval(database, { host: codeHost.id, hostRepoId, owner, name }, now);
  return {
    repository: { hostRepoId, owner, name, isPrivate },
    // Without a token of the user, the call uses the shared quota.
    caller: caller.token !== null ? caller : { ...caller, respectsBackgroundQuota: true },
    seen: isUser
      ? { userId: viewer.user.id, now, purpose: 'beforeAskingHost' }
      : (visible?.seen ?? seenBy(look)),
    without: numbers,
  };
}

const hasSignedUp = (viewer: ReleaseAsker['viewer']): viewer is ActingUser => Boolean(viewer?.user);

function releaseChangeOf({ pullRequest, commits }: RangeChange): ReleaseChange {
  const [first] = commits;
  return {
    pullRequest,
    number: pullRequest?.number ?? null,
    title: pullRequest?.title ?? first?.subject ?? '',
    body: pullRequest ? (pullRequest.body ?? '') : (first?.body ?? ''),
    commits,
  };
}

function copiesOf(change: RangeChange): Pair<Change>[] {
  const other = releaseChangeOf(change);
  return change.copies.map((commit) => ({
    change: { number: null, title: commit.subject, body: commit.body, commits: [commit] },
    other,
  }));
}

/** The order of types in release notes: new features and fixes first. */
const order: (ChangeType | null)[] = [
  ...(['FEAT', 'FIX', 'PERF'] as const),
  ...changeTypes.filter((type) => !['FEAT', 'FIX', 'PERF'].includes(type)),
  null,
];

const typeUnread = ({ title, commits }: ReleaseChange): ChangeType | null =>
  namedChangeType({ title, commitMessages: commits.map(({ subject }) => subject), labels: [] });

function groupChanges(
  changes: ReleaseChange[],
  written: Map<number, ArticleOfRelease>,
): CollectedRelease['groups'] {
  const items = changes.flatMap((change) => {
    const { pullRequest } = change;
    if (!pullRequest) return [];
    const article = written.get(pullRequest.number) ?? null;
    const type = article ? (article.changeTypes[0] ?? null) : typeUnread(change);
    return [
      { item: { pullRequest, article }, type, isBreaking: article?.isBreaking || saysBreaking(change) },
    ];
  });
  const breaking = items.flatMap(({ item, isBreaking }) => (isBreaking ? item : []));
  const groups = order.map((changeType) => ({
    breaking: false,
    changeType,
    items: items.flatMap(({ item, type, isBreaking }) => (!isBreaking && type === changeType ? item : [])),
  }));
  return [{ breaking: true, changeType: null, items: breaking }, ...groups].filter(
    (group) => group.items.length > 0,
  );
}

const mostTags = 50;

const patienceMs = 2_000;

export async function suggestTags(
  codeHost: CodeHost,
  repository: HostRepository,
  caller: Caller,
): Promise<string[]> {
  const listed = codeHost.listTags(repository, mostTags, caller).catch((error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  });
  return inTime(listed, patienceMs, () => []);
}

/** The changes between two versions for the operator, who sees every clone, and public repositories of other hosts. */
export async function releaseForOperator(
  deps: ReleaseDeps & ReadingDeps,
  address: RepositoryAddress,
  wanted: WantedRelease,
  signal: AbortSignal,
): Promise<CollectedRelease> {
  const operator = await deps.database.transaction((tx) => findOrInsertOperator(tx, deps.clock()));
  const viewer = { ...operator, credential: { kind: 'saved' } } as const;
  return readRelease(deps, address, await openRepository(deps, address, { viewer, signal }), wanted);
}

/** Release notes in Markdown. The module is loaded on first use. */
export async function printRelease(
  release: Release,
  options: { language: string; publicUrl: string | undefined },
): Promise<string> {
  const { releaseMarkdown } = await import('./release-markdown.ts');
  return releaseMarkdown(release, options);
}
