import type { Static, TSchema } from 'typebox';
import { plainTitle, suggestRefs } from '../../domain/releases.ts';
import { cacheResponses } from '../bounded-map.ts';
import {
  type HostRange,
  type HostRepository,
  type HostTag,
  MovedMeanwhile,
  type RangeChange,
  type RangeCommit,
  UnknownRef,
} from '../code-host.ts';
import { cutText, timeOf } from '../payload-types.ts';
import { changesIn, childrenFirst, ownLine, sortRange } from '../sort-range.ts';
import { type HostCaller, ResponseTooLarge } from './host-api.ts';
import { type HostClient, inTurns, tokenName } from './host-client.ts';

interface RangeEnds {
  from: string;
  to: string;
}

type FoundRange = Pick<HostRange, 'fromSha' | 'toSha' | 'total' | 'behind'>;

/** The part of a range that a host lists. */
export type ReadRange = Omit<HostRange, 'headings' | 'compareUrl'>;

export interface RangeSource {
  find: (
    repository: HostRepository,
    wanted: RangeEnds,
    caller: HostCaller,
  ) => Promise<FoundRange | keyof RangeEnds>;
  read: (repository: HostRepository, found: FoundRange, caller: HostCaller) => Promise<ReadRange>;
}

/** The commits between two commits never change, and listing them takes many calls. */
const mostCached = 100;

const tagsToSuggestFrom = 100;

type ListTags = (repository: HostRepository, atMost: number, caller: HostCaller) => Promise<HostTag[]>;

/** Reads ranges and caches them for each token. The caller checks who may see them. */
export function cacheRanges(source: RangeSource, listTags: ListTags, clock: () => Date) {
  const { cached } = cacheResponses<ReadRange>(clock, { most: mostCached });
  return async (repository: HostRepository, wanted: RangeEnds, caller: HostCaller): Promise<ReadRange> => {
    const found = await source.find(repository, wanted, caller);
    if (typeof found === 'string') {
      const tags = (await listTags(repository, tagsToSuggestFrom, caller)).map(({ name }) => name);
      throw new UnknownRef(
        found,
        wanted[found],
        suggestRefs(wanted[found], tags, tags.length < tagsToSuggestFrom),
      );
    }
    // A token that may only read commits gets no pull requests, so the cache is per token.
    const key = [tokenName(caller), repository.hostRepoId, found.fromSha, found.toSha].join(' ');
    let isOwn = false;
    const read = () =>
      cached(key, () => {
        isOwn = true;
        return source.read(repository, found, caller);
      });
    return read().catch((error) => {
      if (isOwn || caller.signal.aborted) throw error;
      // Another request started this read and may have been aborted.
      return read();
    });
  };
}

export interface ListedCommit {
  sha: string;
  parents: string[];
  message: string;
  committedAt: string | null | undefined;
  authorLogin: string | null;
}

type LinkedRangeCommit = RangeCommit & { parents: string[]; committedAt: Date | null };

function rangeCommitOf({ sha, parents, message, committedAt, authorLogin }: ListedCommit): LinkedRangeCommit {
  const at = Number.isNaN(Date.parse(committedAt ?? '')) ? null : timeOf(committedAt ?? '');
  return { sha, parents, ...splitMessage(message), authorLogin, committedAt: at };
}

function splitMessage(message: string): Pick<RangeCommit, 'subject' | 'body'> {
  const [subject = '', ...body] = cutText(message).split('\n');
  return { subject, body: body.join('\n').trim() };
}

export async function readHostRange(
  found: FoundRange,
  listed: ListedCommit[],
  queries: RangeQueries,
): Promise<ReadRange> {
  const commits = childrenFirst(listed.map(rangeCommitOf));
  const { changes, unchecked } = await changesOfRange(commits, queries);
  const committedAt = commits.find(({ sha }) => sha === found.toSha)?.committedAt ?? null;
  return { ...found, committedAt, read: commits.length - unchecked, isShallow: false, changes };
}

export interface RangePull {
  number: number;
  title: string;
  isMerged: boolean;
  /** The commit that merged the pull request, by all names that the host has for it. */
  mergeCommits: (string | null | undefined)[];
  summary: NonNullable<RangeChange['pullRequest']>;
}

export interface RangeQueries {
  numberNamedBy: (commit: RangeCommit) => number | null;
  closed: (page: number) => Promise<{ items: RangePull[]; isLast: boolean }>;
  byNumbers: (numbers: number[]) => Promise<RangePull[]>;
  ofCommit: (sha: string) => Promise<RangePull[]>;
  /** The messages of a pull request's commits, for hosts that know only the last commit of a rebased one. */
  messagesOf?: (number: number) => Promise<string[]>;
  listAbove: number;
  /** Whether commits without a number are looked up only on the first-parent line, and in pages of the list first. */
  ownLineOnly?: boolean;
  /** The most numbers and commits to look up. All anonymous callers share the calls of the service. */
  most: { numbers: number; commits: number };
}

const mostPages = 10;

/**
 * A number in a message counts if the host says that it was merged here. Commits without a number are looked up one by
 * one.
 */
async function changesOfRange(
  commits: LinkedRangeCommit[],
  queries: RangeQueries,
): Promise<{ changes: RangeChange[]; unchecked: number }> {
  const inRange = new Set(commits.map(({ sha }) => sha));
  const line = new Set(ownLine(commits));
  const named = new Map(
    commits.flatMap((commit) => {
      const number = queries.numberNamedBy(commit);
      return number === null ? [] : [[commit, number] as const];
    }),
  );
  const { pulls, unknown, broughtBy } = await findPulls({ commits, inRange, line, named }, queries);
  const copies = findCopies({ named, pulls, line, broughtBy });
  const unchecked = new Set<string>();
  for (const [{ sha }, number] of named) if (unknown.has(number) && !broughtBy.has(sha)) unchecked.add(sha);
  const bare = sortRange(commits, broughtBy).bare.filter(
    (commit) =>
      !copies.has(commit) && !unchecked.has(commit.sha) && (!queries.ownLineOnly || line.has(commit)),
  );
  for (const { sha } of bare.slice(queries.most.commits)) unchecked.add(sha);
  await inTurns(bare.slice(0, queries.most.commits), async ({ sha }) => {
    const found = await queries.ofCommit(sha);
    const pull = found.find((one) => one.isMerged && one.mergeCommits.some((by) => inRange.has(by ?? '')));
    if (!pull) return;
    pulls.set(pull.number, pull);
    broughtBy.set(sha, pull.number);
  });
  await followRebases(commits, { broughtBy, copies }, queries);
  for (const sha of broughtBy.keys()) unchecked.delete(sha);
  const changes = changesIn(commits, {
    broughtBy,
    copies,
    pullRequestOf: (number) => pulls.get(number)?.summary,
  });
  return {
    changes: changes.filter(
      ({ pullRequest, commits: [first] }) => pullRequest || !unchecked.has(first?.sha ?? ''),
    ),
    unchecked: unchecked.size,
  };
}

/**
 * Assigns to a rebased pull request the commits below its last one, as long as they have the messages of its commits.
 */
async function followRebases(
  commits: LinkedRangeCommit[],
  { broughtBy, copies }: { broughtBy: Map<string, number>; copies: ReadonlyMap<LinkedRangeCommit, number> },
  { messagesOf, most }: RangeQueries,
): Promise<void> {
  if (!messagesOf) return;
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const bare = new Set(sortRange(commits, broughtBy).bare.filter((commit) => !copies.has(commit)));
  const bareBelow = ({ parents: [parent, another] }: LinkedRangeCommit): LinkedRangeCommit | null => {
    const below = another ? null : bySha.get(parent ?? '');
    return below && bare.has(below) ? below : null;
  };
  const ends = commits.flatMap((commit) => {
    const number = broughtBy.get(commit.sha);
    const below = bareBelow(commit);
    return number && below ? { number, below } : [];
  });
  const keyOf = ({ subject, body }: Pick<RangeCommit, 'subject' | 'body'>): string => `${subject}\n${body}`;
  await inTurns(ends.slice(0, most.commits), async ({ number, below }) => {
    const messages = new Set((await messagesOf(number)).map((message) => keyOf(splitMessage(message))));
    for (let at: typeof below | null = below; at && messages.delete(keyOf(at)); at = bareBelow(at))
      broughtBy.set(at.sha, number);
  });
}

interface RangeCommits {
  commits: LinkedRangeCommit[];
  inRange: ReadonlySet<string>;
  line: ReadonlySet<LinkedRangeCommit>;
  named: ReadonlyMap<LinkedRangeCommit, number>;
}

interface FoundPulls {
  pulls: Map<number, RangePull>;
  unknown: Set<number>;
  broughtBy: Map<string, number>;
}

async function findPulls(
  { commits, inRange, line, named }: RangeCommits,
  { closed, byNumbers, listAbove, ownLineOnly, most }: RangeQueries,
): Promise<FoundPulls> {
  const wanted = new Set(named.values());
  const unknown = new Set(wanted);
  const pulls = new Map<number, RangePull>();
  const broughtBy = new Map<string, number>();
  const take = (pull: RangePull): void => {
    unknown.delete(pull.number);
    const sha = pull.mergeCommits.find((one) => one && inRange.has(one));
    if (!pull.isMerged || (!sha && !wanted.has(pull.number))) return;
    if (sha) broughtBy.set(sha, pull.number);
    pulls.set(pull.number, pull);
  };
  const listWhile = async (isWanted: () => boolean): Promise<void> => {
    for (let page = 1; page <= mostPages && isWanted(); page += 1) {
      const { items, isLast } = await closed(page).catch(lastIfTooLarge);
      items.forEach(take);
      if (isLast) break;
    }
  };
  await listWhile(() => unknown.size > listAbove);
  const numbers = [...unknown].slice(0, most.numbers);
  (await byNumbers(numbers)).forEach(take);
  for (const number of numbers) unknown.delete(number);
  if (ownLineOnly) await listWhile(() => sortRange(commits, broughtBy).bare.some((one) => line.has(one)));
  return { pulls, unknown, broughtBy };
}

function lastIfTooLarge(error: unknown): { items: RangePull[]; isLast: boolean } {
  if (error instanceof ResponseTooLarge) return { items: [], isLast: true };
  throw error;
}

/** Commits that bring in a pull request again. If the range has no other commit of it, they count as its merge. */
function findCopies({
  named,
  pulls,
  line,
  broughtBy,
}: Pick<RangeCommits, 'named' | 'line'> & Pick<FoundPulls, 'pulls' | 'broughtBy'>): Map<
  LinkedRangeCommit,
  number
> {
  const brought = new Set(broughtBy.values());
  const copies = new Map<LinkedRangeCommit, number>();
  for (const [commit, number] of named) {
    const original = pulls.get(number);
    if (!original || broughtBy.has(commit.sha)) continue;
    if (!line.has(commit) && !brought.has(number)) continue;
    const isPicked = original.mergeCommits.some(
      (sha) => sha && commit.body.includes(`(cherry picked from commit ${sha})`),
    );
    if (!isPicked && plainTitle(commit.subject) !== plainTitle(original.title)) continue;
    copies.set(commit, number);
    if (!brought.has(number)) broughtBy.set(commit.sha, number);
  }
  return copies;
}

interface PullQueries<Schema extends TSchema> {
  client: HostClient;
  caller: HostCaller;
  schema: Schema;
  path: string;
  closedPage: (page: number) => string;
  pullOf: (payload: Static<Schema>) => RangePull;
}

export const queryPulls = <Schema extends TSchema>({
  client,
  caller,
  schema,
  path,
  closedPage,
  pullOf,
}: PullQueries<Schema>): Pick<RangeQueries, 'closed' | 'byNumbers' | 'listAbove' | 'most'> => ({
  async closed(page) {
    const read = await client.pageUnlessUnchanged(`${path}?${closedPage(page)}`, schema, caller, null);
    if (!read || read === 'unchanged') throw new MovedMeanwhile();
    return { items: read.items.map(pullOf), isLast: read.isLast };
  },
  async byNumbers(numbers) {
    const pulls = await inTurns(numbers, (number) => client.get(`${path}/${number}`, schema, caller));
    return pulls.flatMap((pull) => (pull ? pullOf(pull) : []));
  },
  listAbove: 10,
  most: caller.isService ? { numbers: 15, commits: 15 } : { numbers: 1_000, commits: 100 },
});
