import { createHash } from 'node:crypto';
import type { HostPullRequestSummary, HostRepository } from '../../code-hosts/code-host.ts';
import { countLiveImports, findLiveImport, insertImport, type WantedImport } from '../../db/imports.ts';
import { findLearnedRemoval } from '../../db/learn-removals.ts';
import { findRemoval } from '../../db/removals.ts';
import { saveSeenRepository } from '../../db/repositories.ts';
import { Failure } from '../../domain/errors.ts';
import { mostImported } from '../../domain/import-bounds.ts';
import {
  type Asker,
  findOnHost,
  noRepository,
  type RepositoryAddress,
  tokenRequired,
} from '../repositories/find-on-host.ts';
import { type RequestParts, requireLanguage } from './request-article.ts';

/** Which pull requests are meant: these, so many that were opened last, or those that were merged since a moment. */
export type ImportWish = { numbers: number[] } | { last: number } | { since: Date };

type Parts = Pick<RequestParts, 'database' | 'callerOn' | 'clock' | 'models'>;

/** More than a person waits for, and few enough that one user's do not fill the queue of all. */
const mostImports = 5;

/** How many pull requests are looked through for those that are meant. */
const mostRead = 2_000;

const pageSize = 100;

/**
 * Has merged pull requests of a repository written about, one after another, and returns the id of the import. The same
 * that is asked for twice is one import for as long as it is under way.
 */
export async function importPullRequests(
  parts: Parts,
  { address, wish, language }: { address: RepositoryAddress; wish: ImportWish; language: string },
  asker: Asker,
): Promise<string> {
  const { database, clock } = parts;
  const askedAt = clock();
  const found = await findOnHost(parts, address, asker);
  requireLanguage(parts, language, found.isPrivate);
  if (found.isPrivate) await requireSavedToken(parts, address, asker);
  const numbers =
    'numbers' in wish ? [...new Set(wish.numbers)] : await listMeant(parts, address, found, { wish, asker });
  const seen = { host: address.codeHost.id, ...found };
  const userId = asker.viewer.user.id;
  return database.transaction(async (tx) => {
    const { id: repositoryId } = await saveSeenRepository(tx, { seen, userId, askedAt });
    // An operator may have removed it since the host was asked.
    if ((await findRemoval(tx, seen)).isWhole) throw noRepository(address);
    const wanted: WantedImport = { repositoryId, userId, languageCode: language, wanted: nameOf(numbers) };
    const known = await findLiveImport(tx, wanted);
    if (known) return known;
    if ((await countLiveImports(tx, userId)) >= mostImports) throw tooMany();
    const created = await insertImport(tx, wanted, numbers, clock());
    return created ?? (await findLiveImport(tx, wanted)) ?? Promise.reject(overtaken());
  });
}

/** What is done later is done without the credential that is presented now. */
async function requireSavedToken(
  { callerOn }: Parts,
  { codeHost }: RepositoryAddress,
  { viewer, signal }: Asker,
): Promise<void> {
  if (codeHost.isLocal) return;
  const { identity } = viewer;
  const later = await callerOn(codeHost, { identity, credential: { kind: 'saved' } }, signal);
  if (later.token === null) throw tokenRequired(codeHost);
}

/** The numbers that are meant, the oldest last. */
async function listMeant(
  { database, callerOn, clock }: Parts,
  { codeHost }: RepositoryAddress,
  repository: HostRepository,
  { wish, asker }: { wish: Exclude<ImportWish, { numbers: number[] }>; asker: Asker },
): Promise<number[]> {
  const caller = await callerOn(codeHost, asker.viewer, asker.signal);
  const seen = { host: codeHost.id, ...repository };
  const { numbers: without } = await findLearnedRemoval(database, seen, clock());
  const most = 'last' in wish ? wish.last : mostImported + 1;
  const order = 'since' in wish ? { order: 'updated' as const } : {};
  const isMeant = ({ state, mergedAt }: HostPullRequestSummary) =>
    state === 'merged' && ('last' in wish || (mergedAt !== null && mergedAt >= wish.since));
  const isPast = ({ updatedAt }: HostPullRequestSummary) =>
    'since' in wish && updatedAt !== null && updatedAt < wish.since;
  const meant: number[] = [];
  for (let offset = 0; offset < mostRead && meant.length < most; offset += pageSize) {
    const page = { state: 'closed' as const, limit: pageSize, offset, without, ...order };
    const { items, total } = await codeHost.listPullRequests(repository, page, caller);
    meant.push(...items.filter(isMeant).map(({ number }) => number));
    const isLast = total === null ? items.length < pageSize : offset + pageSize >= total;
    if (isLast || items.some(isPast)) break;
  }
  if ('last' in wish) return meant.slice(0, most);
  if (meant.length <= mostImported) return meant;
  throw new Failure('INVALID_REQUEST', `More than ${mostImported} pull requests were merged since then.`, {
    details: [{ field: 'since', problem: `must be later: one import takes ${mostImported} pull requests` }],
  });
}

const nameOf = (numbers: number[]): string =>
  createHash('sha256')
    .update(numbers.toSorted((one, other) => one - other).join(' '))
    .digest('base64url');

function tooMany(): Failure {
  return new Failure(
    'RATE_LIMITED',
    `${mostImports} imports are under way for you already. Wait until one of them is over, or cancel it.`,
    { headers: { 'retry-after': '60' } },
  );
}

const overtaken = () => new Failure('UNAVAILABLE', 'The same import has ended in this moment. Ask again.');
