import type { Static, TSchema } from 'typebox';
import { suggestRefs } from '../../domain/release/ref-name.ts';
import { plainTitle } from '../../domain/release/settle-changes.ts';
import {
  type HostRange,
  type HostRepository,
  MovedMeanwhile,
  type RangeChange,
  type RangeCommit,
  UnknownRef,
} from '../code-host.ts';
import { cutText, timeOf } from '../payload-types.ts';
import { changesIn, childrenFirst, ownLine, sortRange } from '../sort-range.ts';
import { AnswerTooLarge, type HostCaller } from './host-api.ts';
import { type HostClient, inTurns, nameOf } from './host-client.ts';

/** Between which commits a range lies, and how many there are. */
export type FoundRange = Pick<HostRange, 'fromSha' | 'toSha' | 'total' | 'behind'>;

interface Parts {
  find: (
    repository: HostRepository,
    wanted: { from: string; to: string },
    caller: HostCaller,
  ) => Promise<FoundRange>;
  read: (repository: HostRepository, found: FoundRange, caller: HostCaller) => Promise<HostRange>;
  clock: () => Date;
}

/** What lies between two commits does not change: for how long it is kept, and of how many ranges, because it takes many questions. */
const keptMs = 5 * 60 * 1000;
const mostKept = 100;

/** Reads ranges, and keeps them for a while, for each token apart. Who may see one is not decided here. */
export class KeptRanges {
  readonly #parts: Parts;
  readonly #kept = new Map<string, { range: HostRange; until: number }>();
  readonly #running = new Map<string, { range: Promise<HostRange>; signal: AbortSignal }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Equal questions with the same rights share one read. It ends with the request that began it; then another one begins it anew. */
  async read(
    repository: HostRepository,
    wanted: { from: string; to: string },
    caller: HostCaller,
  ): Promise<HostRange> {
    const key = [nameOf(caller), repository.hostRepoId, wanted.from, wanted.to].join(' ');
    for (let known = this.#running.get(key); known; known = this.#running.get(key))
      try {
        return await known.range;
      } catch (error) {
        if (!known.signal.aborted || caller.signal.aborted) throw error;
      }
    const range = this.#read(repository, wanted, caller).finally(() => this.#running.delete(key));
    this.#running.set(key, { range, signal: caller.signal });
    return range;
  }

  async #read(
    repository: HostRepository,
    wanted: { from: string; to: string },
    caller: HostCaller,
  ): Promise<HostRange> {
    const { find, read, clock } = this.#parts;
    const found = await find(repository, wanted, caller);
    // With a token that may read commits only, a host tells nothing of pull requests.
    const key = [nameOf(caller), repository.hostRepoId, found.fromSha, found.toSha].join(' ');
    const known = this.#kept.get(key);
    const now = clock().getTime();
    if (known && known.until > now) return known.range;
    this.#kept.delete(key);
    const range = await read(repository, found, caller);
    this.#kept.set(key, { range, until: now + keptMs });
    const [oldest] = this.#kept.keys();
    if (oldest && this.#kept.size > mostKept) this.#kept.delete(oldest);
    return range;
  }
}

/** A commit of a range as a host tells it. */
interface ToldCommit {
  sha: string;
  parents: string[];
  message: string;
  committedAt: string | null | undefined;
}

export type DatedCommit = LinkedRangeCommit & { committedAt: Date | null };

function commitOf({ sha, parents, message, committedAt }: ToldCommit): DatedCommit {
  const [subject = '', ...body] = cutText(message).split('\n');
  const at = Number.isNaN(Date.parse(committedAt ?? '')) ? null : timeOf(committedAt ?? '');
  return { sha, parents, subject, body: body.join('\n').trim(), committedAt: at };
}

/** A range of those commits of it that were listed, with what they brought. */
export async function rangeOf(
  found: FoundRange,
  listed: ToldCommit[],
  changesOf: (commits: DatedCommit[]) => Promise<{ changes: RangeChange[]; unasked: number }>,
): Promise<HostRange> {
  const commits = childrenFirst(listed.map(commitOf));
  const { changes, unasked } = await changesOf(commits);
  const committedAt = commits.find(({ sha }) => sha === found.toSha)?.committedAt ?? null;
  return { ...found, committedAt, read: commits.length - unasked, isShallow: false, changes };
}

/** Says which end of a range is not there, and what might have been meant. */
export function unknownEnd(
  { from, to }: { from: string; to: string },
  isFromThere: boolean,
  tags: string[],
): UnknownRef {
  const [field, ref] = isFromThere ? (['to', to] as const) : (['from', from] as const);
  return new UnknownRef(field, ref, suggestRefs(ref, tags));
}

interface PullsOf<Schema extends TSchema> {
  client: HostClient;
  caller: HostCaller;
  schema: Schema;
  /** Where the pull requests of the repository are. */
  path: string;
  /** Which page of those that are closed is asked for, what has changed last first. */
  closedPage: (page: number) => string;
  pullOf: (payload: Static<Schema>) => RangePull;
}

/** How pull requests of a range are asked for by list and by number. */
export const askForPulls = <Schema extends TSchema>({
  client,
  caller,
  schema,
  path,
  closedPage,
  pullOf,
}: PullsOf<Schema>): Pick<RangeQuestions, 'closed' | 'byNumber' | 'most'> => ({
  async closed(page) {
    const read = await client.pageUnlessUnchanged(`${path}?${closedPage(page)}`, schema, caller, null);
    if (!read || read === 'unchanged') throw new MovedMeanwhile();
    return { items: read.items.map(pullOf), isLast: read.isLast };
  },
  async byNumber(number) {
    const pull = await client.get(`${path}/${number}`, schema, caller);
    return pull && pullOf(pull);
  },
  most: mostAskedAbout(caller),
});

/** A pull request that commits of a range may have come with. */
export interface RangePull {
  number: number;
  title: string;
  /** Whether it was merged in this repository, and may be shown. */
  isMerged: boolean;
  mergeCommitSha: string | null;
  told: NonNullable<RangeChange['pullRequest']>;
}

/** What a host is asked to find the pull requests of a range. */
export interface RangeQuestions {
  /** A page of those that are closed, what has changed last first; pages are counted from one. */
  closed: (page: number) => Promise<{ items: RangePull[]; isLast: boolean }>;
  byNumber: (number: number) => Promise<RangePull | null>;
  ofCommit: (sha: string) => Promise<RangePull[]>;
  /** The number that the subject of a commit names. */
  numberNamedBy: (subject: string) => number | null;
  /** How many numbers that were not listed, and how many commits that name none, are asked about by a question each. */
  most: { numbers: number; commits: number };
}

/** What is asked with the service's token, or with none, is taken from all others. */
export const mostAskedAbout = ({ isService }: HostCaller): RangeQuestions['most'] =>
  isService ? { numbers: 15, commits: 15 } : { numbers: 1_000, commits: 100 };

export type LinkedRangeCommit = RangeCommit & { parents: string[] };

/** How many pages of pull requests are listed to find those that commits name, and how few of these are left to be asked for singly. */
const mostListed = 10;
const fewEnough = 10;

/**
 * Numbers that commits name are pull requests if the host says that these were merged here: by a commit of the range, or elsewhere
 * and then picked. What names none is asked about by its commit.
 */
export async function changesOfRange(
  commits: LinkedRangeCommit[],
  questions: RangeQuestions,
): Promise<{ changes: RangeChange[]; unasked: number }> {
  const inRange = new Set(commits.map(({ sha }) => sha));
  const named = new Map(
    commits.flatMap((commit) => {
      const number = questions.numberNamedBy(commit.subject);
      return number === null ? [] : [[commit, number] as const];
    }),
  );
  const { told, unknown } = await readNamed(new Set(named.values()), questions);
  const broughtBy = new Map<string, number>();
  for (const { number, mergeCommitSha: sha } of told.values())
    if (sha && inRange.has(sha)) broughtBy.set(sha, number);
  const copies = findCopies({ named, told, line: new Set(ownLine(commits)), broughtBy });
  const unasked = new Set<string>();
  for (const [{ sha }, number] of named) if (unknown.has(number) && !broughtBy.has(sha)) unasked.add(sha);
  const bare = sortRange(commits, broughtBy).bare.filter(
    (commit) => !copies.has(commit) && !unasked.has(commit.sha),
  );
  const { commits: most } = questions.most;
  for (const { sha } of bare.slice(most)) unasked.add(sha);
  await inTurns(bare.slice(0, most), async ({ sha }) => {
    const pulls = await questions.ofCommit(sha);
    const pull = pulls.find(({ isMerged, mergeCommitSha }) => isMerged && inRange.has(mergeCommitSha ?? ''));
    if (!pull) return;
    told.set(pull.number, pull);
    broughtBy.set(sha, pull.number);
  });
  const changes = changesIn(commits, { broughtBy, copies, tell: (number) => told.get(number)?.told });
  return {
    changes: changes.filter(
      ({ pullRequest, commits: [first] }) => pullRequest || !unasked.has(first?.sha ?? ''),
    ),
    unasked: unasked.size,
  };
}

/** Merged pull requests by numbers, and those numbers of which the host was not asked. */
async function readNamed(
  numbers: ReadonlySet<number>,
  { closed, byNumber, most }: RangeQuestions,
): Promise<{ told: Map<number, RangePull>; unknown: Set<number> }> {
  const told = new Map<number, RangePull>();
  const unknown = new Set(numbers);
  const take = (pull: RangePull) => {
    if (unknown.delete(pull.number) && pull.isMerged) told.set(pull.number, pull);
  };
  for (let page = 1; page <= mostListed && unknown.size > fewEnough; page += 1) {
    const { items, isLast } = await closed(page).catch(lastIfTooLarge);
    items.forEach(take);
    if (isLast) break;
  }
  await inTurns([...unknown].slice(0, most.numbers), async (number) => {
    const pull = await byNumber(number);
    if (pull) take(pull);
    unknown.delete(number);
  });
  return { told, unknown };
}

/** A page that is more than is read at once is the last one. */
function lastIfTooLarge(error: unknown): { items: RangePull[]; isLast: boolean } {
  if (error instanceof AnswerTooLarge) return { items: [], isLast: true };
  throw error;
}

interface Known {
  named: Map<LinkedRangeCommit, number>;
  told: Map<number, RangePull>;
  line: Set<LinkedRangeCommit>;
  broughtBy: Map<string, number>;
}

/** Commits that bring once more what a pull request brought. Where that is not in the range itself, they stand for it. */
function findCopies({ named, told, line, broughtBy }: Known): Map<LinkedRangeCommit, number> {
  const brought = new Set(broughtBy.values());
  const copies = new Map<LinkedRangeCommit, number>();
  for (const [commit, number] of named) {
    const original = told.get(number);
    if (!original || broughtBy.has(commit.sha)) continue;
    if (!line.has(commit) && !brought.has(number)) continue;
    const isPicked = commit.body.includes(`(cherry picked from commit ${original.mergeCommitSha})`);
    if (!isPicked && plainTitle(commit.subject) !== plainTitle(original.title)) continue;
    copies.set(commit, number);
    if (!brought.has(number)) broughtBy.set(commit.sha, number);
  }
  return copies;
}
