import type { BaseLogger } from 'pino';
import type {
  Caller,
  CodeHost,
  HostRange,
  HostRepository,
  HostTag,
  RangeChange,
} from '../../code-hosts/code-host.ts';
import type { Release } from '../../contract/releases.ts';
import { findOrInsertOperator } from '../../db/accounts.ts';
import { type ArticleOfRelease, listArticlesAbout } from '../../db/article-lists.ts';
import { noteReleaseChanges } from '../../db/article-pages.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { isKnownBot } from '../../domain/pull-requests.ts';
import { type Pair, settleChanges } from '../../domain/releases.ts';
import type { ActingUser, Deps, Viewer } from '../deps.ts';
import { keepGrant } from '../pull-requests/list-pull-requests.ts';
import {
  findOnHost,
  findRepositoryFor,
  noRepository,
  type RepositoryAddress,
  seenBy,
} from '../repositories/find-repository.ts';
import { groupChanges, type ReleaseChange, type ReleaseGroup } from './group-changes.ts';

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

interface Contributor {
  login: string;
  isNew: boolean;
}

export interface CollectedRelease {
  host: string;
  repository: HostRepository;
  range: Omit<HostRange, 'changes' | 'headings'>;
  groups: ReleaseGroup[];
  contributors: Contributor[];
  reverted: Pair<ReleaseChange>[];
  backported: Pair<ReleaseChange>[];
  bare: ReleaseChange[];
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
  const collected = await collectRelease(deps, address, open, wanted);
  const release = await markNewcomers(codeHost, open, collected);
  // Tags of remote hosts are not fetched only for this.
  const known =
    tags ??
    (codeHost.isLocal ? await suggestTags(codeHost, open.repository, open.caller) : []).map(
      ({ name }) => name,
    );
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
  const { changes, headings, ...rest } = range;
  const { kept, reverted, backported, shown } = settleRange({ changes, headings }, repository, without);
  const articles = await articlesAbout(
    deps.database,
    { host: codeHost.id, repository, seen, languages },
    kept,
  );
  return {
    host: codeHost.id,
    repository,
    range: rest,
    groups: groupChanges(kept, articles, headings),
    contributors: contributorsTo(kept),
    reverted,
    backported: [...backported, ...shown.flatMap(copiesOf)],
    bare: kept.filter(({ number }) => number === null),
  };
}

/** The authors of the changes without bots, those with most changes first. */
function contributorsTo(changes: ReleaseChange[]): Contributor[] {
  const logins = changes.flatMap(({ authorLogin }) => authorLogin ?? []);
  const counts = Map.groupBy(
    logins.filter((login) => !isKnownBot(login)),
    (login) => login.toLowerCase(),
  );
  return [...counts.values()]
    .sort((one, other) => other.length - one.length)
    .flatMap(([login]) => (login === undefined ? [] : { login, isNew: false }));
}

/** Without a common line of history, commits of the range may be older than its start. */
async function markNewcomers(
  codeHost: CodeHost,
  { caller }: OpenRepository,
  release: CollectedRelease,
): Promise<CollectedRelease> {
  const { range, repository, contributors } = release;
  if (!codeHost.findNewcomers || range.behind > 0 || range.isShallow || contributors.length === 0)
    return release;
  const newcomers = await codeHost.findNewcomers(repository, range, caller);
  return {
    ...release,
    contributors: contributors.map(({ login }) => ({ login, isNew: newcomers.has(login) })),
  };
}

interface ReleaseCounts {
  pullRequests: number;
  /** Commits without a pull request. */
  commits: number;
  breaking: number;
}

/** Counts what each release page lists. Null where that would take calls to the host, or too long. */
export async function countReleases(
  { database }: Pick<Deps, 'database'>,
  { codeHost }: RepositoryAddress,
  { repository, caller, seen, without }: OpenRepository,
  { ranges, languages }: { ranges: { from: string; to: string }[]; languages: string[] },
): Promise<(ReleaseCounts | null)[]> {
  const read = (await codeHost.readRanges?.(repository, ranges, caller)) ?? [];
  const settled = ranges.map((_, place) => read[place] && settleRange(read[place], repository, without));
  const articles = await articlesAbout(
    database,
    { host: codeHost.id, repository, seen, languages },
    settled.flatMap((one) => one?.kept ?? []),
  );
  return settled.map((one) => {
    if (!one) return null;
    const groups = groupChanges(one.kept, articles, one.headings);
    return {
      pullRequests: groups.reduce((sum, { items }) => sum + items.length, 0),
      commits: one.kept.filter(({ number }) => number === null).length,
      breaking: groups.find(({ breaking }) => breaking)?.items.length ?? 0,
    };
  });
}

function settleRange(
  { changes, headings }: Pick<HostRange, 'changes' | 'headings'>,
  repository: HostRepository,
  without: ReadonlySet<number>,
) {
  const shown = changes.filter(({ pullRequest }) => !pullRequest || !without.has(pullRequest.number));
  return { ...settleChanges(shown.map(releaseChangeOf), repository), shown, headings };
}

async function articlesAbout(
  database: Deps['database'],
  {
    host,
    repository: { hostRepoId },
    seen,
    languages,
  }: { host: string; repository: HostRepository; seen: DetailScope; languages: string[] },
  changes: ReleaseChange[],
): Promise<Map<number, ArticleOfRelease>> {
  const numbers = [...new Set(changes.flatMap(({ number }) => number ?? []))];
  const wanted = { host, hostRepoId, numbers, onceIn: languages, viewer: seen };
  const written = await listArticlesAbout(database, wanted);
  return new Map(written.map((article) => [article.number, article]));
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
    authorLogin: pullRequest?.authorLogin ?? first?.authorLogin ?? null,
    commits,
  };
}

function copiesOf(change: RangeChange): Pair<ReleaseChange>[] {
  const other = releaseChangeOf(change);
  return change.copies.map((commit) => ({
    change: {
      pullRequest: null,
      number: null,
      title: commit.subject,
      body: commit.body,
      authorLogin: commit.authorLogin,
      commits: [commit],
    },
    other,
  }));
}

const patienceMs = 2_000;

export async function suggestTags(
  codeHost: CodeHost,
  repository: HostRepository,
  caller: Caller,
  atMost = 50,
): Promise<HostTag[]> {
  const listed = codeHost.listTags(repository, atMost, caller).catch((error: unknown) => {
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
