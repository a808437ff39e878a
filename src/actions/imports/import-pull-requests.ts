import { createHash } from 'node:crypto';
import type { CodeHost, HostPullRequestSummary, HostRepository } from '../../code-hosts/code-host.ts';
import { findOrInsertOperator } from '../../db/accounts.ts';
import { findArticlesWithoutModel, findNumbersWithArticle } from '../../db/articles.ts';
import { countLiveImports, findLiveImport, insertImport, type WantedImport } from '../../db/imports.ts';
import { articlesQuotaOf, countQuota } from '../../db/quotas.ts';
import { findLearnedRemoval, findRemoval } from '../../db/removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import { type ErrorCode, Failure } from '../../domain/errors.ts';
import { mostImported } from '../../domain/pull-requests.ts';
import { type RequestDeps, requireLanguage, usualLanguage } from '../articles/request-article.ts';
import {
  type Asker,
  findOnHost,
  noRepository,
  type RepositoryAddress,
  tokenRequired,
} from '../repositories/find-repository.ts';

/** The pull requests to import: by number, the last ones opened, those merged since a date, or the newest with an article without a model. */
export type ImportWish =
  | { numbers: number[] }
  | { last: number }
  | { since: Date }
  /** How many articles without a model to write with it. */
  | { rewrite: number };

type ImportDeps = Pick<RequestDeps, 'database' | 'callerOn' | 'clock' | 'currentModels'>;

const boundsOfUsers = { imports: 5, pullRequests: mostImported, read: 2_000 };
const unlimited = Number.POSITIVE_INFINITY;
const boundsOfOperator = { imports: unlimited, pullRequests: unlimited, read: unlimited };
type Bounds = typeof boundsOfUsers;

const pageSize = 100;

/** Pull requests move between pages while the list is read. The pages are read again until nothing new appears. */
const mostPasses = 4;

interface Wanted {
  address: RepositoryAddress;
  wish: ImportWish;
  /** Null for the requester's own, or English if that cannot be written. */
  language: string | null;
}

interface Meant extends Wanted {
  language: string;
  seen: HostRepository & { host: string };
  writer: 'ai' | 'offline';
  numbers: number[];
  askedAt: Date;
}

export async function importPullRequests(
  deps: ImportDeps,
  wanted: Wanted,
  asker: Asker,
): Promise<{ jobId: string; language: string }> {
  const meant = await findMeant(deps, wanted, asker, boundsOfUsers);
  const numbers = await withinQuotaFirst(deps, meant, asker);
  const userId = asker.viewer.user.id;
  const jobId = await storeImport(deps, { ...meant, numbers }, { userId, bounds: boundsOfUsers });
  return { jobId, language: meant.language };
}

/**
 * An import by the operator: without limits, without existing articles, and from remote hosts only public repositories.
 */
export async function importForOperator(
  deps: ImportDeps,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<{ importId: string; userId: string; standing: number }> {
  const { database, clock } = deps;
  const operator = await database.transaction((tx) => findOrInsertOperator(tx, clock()));
  const viewer = { ...operator, credential: { kind: 'saved' } } as const;
  const meant = await findMeant(deps, wanted, { viewer, signal }, boundsOfOperator).catch((error) => {
    throw isPrivateElsewhere(wanted.address, error) ? privateElsewhere(wanted.address) : error;
  });
  const written = await findNumbersWithArticle(database, { ...meant.seen, languages: [meant.language] });
  const missing = meant.numbers.filter((number) => !written.has(number));
  const userId = viewer.user.id;
  const importId = await storeImport(deps, meant, { userId, bounds: boundsOfOperator, missing });
  return { importId, userId, standing: meant.numbers.length - missing.length };
}

async function findMeant(deps: ImportDeps, wanted: Wanted, asker: Asker, bounds: Bounds): Promise<Meant> {
  const { address, wish } = wanted;
  const askedAt = deps.clock();
  const found = await findOnHost(deps, address, asker);
  const language = wanted.language ?? usualLanguage(deps, asker.viewer.user, found.isPrivate);
  const writer = requireLanguage(deps, language, found.isPrivate);
  if (found.isPrivate) await requireSavedToken(deps, address, asker);
  const meant = { ...wanted, language, seen: { host: address.codeHost.id, ...found }, writer, askedAt };
  if ('rewrite' in wish) {
    if (writer === 'offline') throw noModel();
    const newest = { ...meant.seen, languageCode: language, most: wish.rewrite };
    const written = await findArticlesWithoutModel(deps.database, newest);
    return { ...meant, numbers: written.map(({ number }) => number) };
  }
  const read = await openClosed(deps, address, found, asker);
  const numbers =
    'numbers' in wish
      ? await inOrderOfMerge(read, [...new Set(wish.numbers)])
      : await listMeant(read, wish, bounds);
  return { ...meant, numbers };
}

async function storeImport(
  { database, clock }: ImportDeps,
  { address, wish, language, seen, numbers, askedAt }: Meant,
  { userId, bounds, missing = numbers }: { userId: string; bounds: Bounds; missing?: number[] },
): Promise<string> {
  return database.transaction(async (tx) => {
    const { id: repositoryId } = await saveSeenRepository(tx, { seen, userId, askedAt });
    // An operator may have removed the repository since the host responded.
    if ((await findRemoval(tx, seen)).isWhole) throw noRepository(address);
    const wanted: WantedImport = {
      repositoryId,
      userId,
      languageCode: language,
      wanted: wantedNumbersKey(numbers),
      ...('rewrite' in wish && { isRewriting: true }),
    };
    const known = await findLiveImport(tx, wanted);
    if (known) return known;
    if ((await countLiveImports(tx, userId)) >= bounds.imports) throw tooManyImports();
    const created = await insertImport(tx, wanted, missing, clock());
    return created ?? (await findLiveImport(tx, wanted)) ?? Promise.reject(overtaken());
  });
}

/** Later steps of an import run without the credential of this request. */
async function requireSavedToken(
  { callerOn }: ImportDeps,
  { codeHost }: RepositoryAddress,
  { viewer, signal }: Asker,
): Promise<void> {
  if (codeHost.isLocal) return;
  const { identity } = viewer;
  const later = await callerOn(codeHost, { identity, credential: { kind: 'saved' } }, signal);
  if (later.token === null) throw tokenRequired(codeHost);
}

type ReadClosed = (page: { offset: number; order?: 'updated' }) => ReturnType<CodeHost['listPullRequests']>;

async function openClosed(
  { database, callerOn, clock }: ImportDeps,
  { codeHost }: RepositoryAddress,
  repository: HostRepository,
  asker: Asker,
): Promise<ReadClosed> {
  const caller = await callerOn(codeHost, asker.viewer, asker.signal);
  const { numbers: without } = await findLearnedRemoval(
    database,
    { host: codeHost.id, ...repository },
    clock(),
  );
  const closed = { state: 'closed', limit: pageSize, without } as const;
  return (page) => codeHost.listPullRequests(repository, { ...closed, ...page }, caller);
}

type Listed = Extract<ImportWish, { last: number } | { since: Date }>;

async function listMeant(read: ReadClosed, wish: Listed, bounds: Bounds): Promise<number[]> {
  const found = new Map<number, HostPullRequestSummary>();
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = found.size;
    const { meant, isOnePage } = await readPass(read, wish, bounds);
    for (const [number, one] of meant) found.set(number, one);
    if (isOnePage || (pass > 0 && found.size === before)) break;
  }
  const meant = [...found.values()];
  if ('last' in wish)
    return numbersByMerge(meant.toSorted((one, other) => other.number - one.number).slice(0, wish.last));
  if (meant.length <= bounds.pullRequests) return numbersByMerge(meant);
  throw tooEarly(
    `More than ${mostImported} pull requests were merged since then.`,
    `an import can cover at most ${mostImported} pull requests`,
  );
}

async function readPass(
  read: ReadClosed,
  wish: Listed,
  bounds: Bounds,
): Promise<{ meant: Map<number, HostPullRequestSummary>; isOnePage: boolean }> {
  const most = 'last' in wish ? wish.last : bounds.pullRequests + 1;
  const order = 'since' in wish ? { order: 'updated' as const } : {};
  const isMeant = ({ state, mergedAt }: HostPullRequestSummary) =>
    state === 'merged' && ('last' in wish || (mergedAt !== null && mergedAt >= wish.since));
  const isPast = ({ updatedAt }: HostPullRequestSummary) =>
    'since' in wish && updatedAt !== null && updatedAt < wish.since;
  const meant = new Map<number, HostPullRequestSummary>();
  for (let offset = 0; offset < bounds.read; offset += pageSize) {
    const { items, total } = await read({ offset, ...order });
    for (const item of items.filter(isMeant)) meant.set(item.number, item);
    const isLast = total === null ? items.length < pageSize : offset + pageSize >= total;
    if (isLast || meant.size >= most || items.some(isPast)) return { meant, isOnePage: offset === 0 };
  }
  if ('last' in wish) return { meant, isOnePage: false };
  const looked = bounds.read.toLocaleString('en');
  throw tooEarly(
    `More than ${looked} closed pull requests have changed since then.`,
    `an import looks through the ${looked} that changed last`,
  );
}

function tooEarly(message: string, why: string): Failure {
  return new Failure('INVALID_REQUEST', `${message} Choose a later time.`, {
    details: [{ field: 'since', problem: `must be later: ${why}` }],
  });
}

/** Pull requests beyond the first page are older, and ordered by number. */
async function inOrderOfMerge(read: ReadClosed, numbers: number[]): Promise<number[]> {
  if (numbers.length < 2) return numbers;
  const { items } = await read({ offset: 0 });
  const mergedAt = new Map(items.map((item) => [item.number, item.mergedAt]));
  return numbersByMerge(numbers.map((number) => ({ number, mergedAt: mergedAt.get(number) ?? null })));
}

const numbersByMerge = (meant: Pick<HostPullRequestSummary, 'number' | 'mergedAt'>[]): number[] =>
  meant
    .toSorted(
      (one, other) =>
        (one.mergedAt?.getTime() ?? 0) - (other.mergedAt?.getTime() ?? 0) || one.number - other.number,
    )
    .map(({ number }) => number);

/**
 * Orders an import so that what exceeds the quota comes last, newest first, because the quota may be exhausted before
 * the import ends.
 */
async function withinQuotaFirst(
  { database, currentModels, clock }: ImportDeps,
  { seen, language, writer, numbers }: Meant,
  { viewer }: Asker,
): Promise<number[]> {
  const models = currentModels();
  if (writer === 'offline' || !models) return numbers;
  const left =
    models.articlesPerDay - (await countQuota(database, articlesQuotaOf(viewer.identity), clock()));
  const written = await findNumbersWithArticle(database, { ...seen, languages: [language] });
  const missing = numbers.filter((number) => !written.has(number));
  const beyond = missing.slice(0, Math.max(0, missing.length - Math.max(0, left)));
  return [...numbers.filter((number) => !beyond.includes(number)), ...beyond.toReversed()];
}

const wantedNumbersKey = (numbers: number[]): string =>
  createHash('sha256')
    .update(numbers.toSorted((one, other) => one - other).join(' '))
    .digest('base64url');

function tooManyImports(): Failure {
  return new Failure(
    'RATE_LIMITED',
    `You already have ${boundsOfUsers.imports} imports running. Wait until one of them ends, or cancel one.`,
    { headers: { 'retry-after': '60' } },
  );
}

export const noModel = (): Failure =>
  new Failure(
    'LANGUAGE_UNAVAILABLE',
    'Articles about this repository are written without a model: none is set, or it may not read private repositories.',
  );

const overtaken = () => new Failure('UNAVAILABLE', 'The same import ended a moment ago. Try again.');

/** Hosts do not distinguish private repositories from absent ones. */
const isPrivateElsewhere = ({ codeHost }: RepositoryAddress, error: unknown): boolean =>
  !codeHost.isLocal && error instanceof Failure && privateCodes.includes(error.code);

const privateCodes: ErrorCode[] = ['REPOSITORY_NOT_FOUND', 'HOST_TOKEN_REQUIRED'];

const privateElsewhere = ({ codeHost, owner, name }: RepositoryAddress): Failure =>
  new Failure(
    'REPOSITORY_NOT_FOUND',
    `There is no public repository ${owner}/${name} on the code host ${codeHost.id}. Check the spelling. This command ` +
      'imports only public repositories from there. For a private one, sign in to the service, save your token for that host, and import it on its page.',
  );
