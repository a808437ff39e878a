import { suggestRefs } from '../../domain/release/ref-name.ts';
import { plainTitle } from '../../domain/release/settle-changes.ts';
import {
  type HostRange,
  type HostRepository,
  MovedMeanwhile,
  type RangeChange,
  type RangeCommit,
} from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import { nameOf } from '../http/host-client.ts';
import { changesIn, childrenFirst, numberNamedBy, ownLine, sortRange } from '../sort-range.ts';
import { UnknownRef, UnrelatedRefs } from '../unknown-ref.ts';
import { cutText } from './discussion.ts';
import type { GitHubClient } from './github-client.ts';
import { RangePayload, RangePullRequestPayload, TagPayload } from './payloads.ts';
import { summaryOf } from './read-github-pull-request.ts';
import { inTurns, isMergedIn, mostAskedAbout, pathOf, readNamed } from './read-named-pull-requests.ts';

interface Parts {
  client: GitHubClient;
  web: string;
}

/** As many commits as GitHub lists at once, and how many pages of them are read: those with the newest. */
const pageSize = 100;
const mostPages = 10;

type Commit = RangeCommit & { parents: string[] };

const comparison = (repository: HostRepository, from: string, to: string, page: string): string =>
  `${pathOf(repository)}/compare/${encodeURIComponent(from)}...${encodeURIComponent(to)}?${page}`;

/** What lies between two commits does not change: for how long it is kept, and of how many ranges, because it takes many questions. */
const keptMs = 5 * 60 * 1000;
const mostKept = 100;

/** Reads ranges, and keeps them for a while, for each token apart. Who may see one is not decided here. */
export class GitHubRanges {
  readonly #parts: Parts & { clock: () => Date };
  readonly #kept = new Map<string, { range: HostRange; until: number }>();
  readonly #running = new Map<string, { range: Promise<HostRange>; signal: AbortSignal }>();

  constructor(parts: Parts & { clock: () => Date }) {
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
    const found = await findRange(this.#parts.client, repository, wanted, caller);
    // With a token that may read commits only, GitHub tells nothing of pull requests.
    const key = [nameOf(caller), repository.hostRepoId, found.fromSha, found.toSha].join(' ');
    const known = this.#kept.get(key);
    const now = this.#parts.clock().getTime();
    if (known && known.until > now) return known.range;
    this.#kept.delete(key);
    const range = await readFound(this.#parts, repository, found, caller);
    this.#kept.set(key, { range, until: now + keptMs });
    const [oldest] = this.#kept.keys();
    if (oldest && this.#kept.size > mostKept) this.#kept.delete(oldest);
    return range;
  }
}

/** Between which commits a range lies, and how many there are. */
type FoundRange = Pick<HostRange, 'fromSha' | 'toSha' | 'total' | 'behind'>;

/** A comparison tells which commit its beginning is: that of the other way round is the end. Its second page comes without files. */
async function findRange(
  client: GitHubClient,
  repository: HostRepository,
  { from, to }: { from: string; to: string },
  caller: HostCaller,
): Promise<FoundRange> {
  const compare = (one: string, other: string) =>
    client.get(comparison(repository, one, other, 'per_page=1&page=2'), RangePayload, caller, {
      isCostly: true,
    });
  const [found, back] = await Promise.all([compare(from, to), compare(to, from)]);
  if (found && back)
    return {
      fromSha: found.base_commit.sha,
      toSha: back.base_commit.sha,
      total: found.total_commits,
      behind: found.behind_by,
    };
  // What is there can be compared with itself. Without a common ancestor, GitHub says of both that they are not there.
  const [isFrom, isTo] = await Promise.all([compare(from, from), compare(to, to)]);
  if (isFrom && isTo) throw new UnrelatedRefs(from, to);
  const tags = await listGitHubTags(client, repository, pageSize, caller);
  const [field, ref] = isFrom ? (['to', to] as const) : (['from', from] as const);
  throw new UnknownRef(field, ref, suggestRefs(ref, tags));
}

export async function listGitHubTags(
  client: GitHubClient,
  repository: HostRepository,
  atMost: number,
  caller: HostCaller,
): Promise<string[]> {
  const { items } = await client.page(`${pathOf(repository)}/tags?per_page=${atMost}`, TagPayload, caller);
  return items.map(({ name }) => name);
}

async function readFound(
  parts: Parts,
  repository: HostRepository,
  found: FoundRange,
  caller: HostCaller,
): Promise<HostRange> {
  const last = Math.ceil(found.total / pageSize);
  const pages = Array.from({ length: Math.min(last, mostPages) }, (_, index) => last - index);
  const read = await inTurns(pages, async (page) => {
    const path = comparison(repository, found.fromSha, found.toSha, `per_page=${pageSize}&page=${page}`);
    const compared = await parts.client.get(path, RangePayload, caller, { isCostly: true });
    if (!compared) throw new MovedMeanwhile();
    return compared.commits.toReversed();
  });
  const listed = read.flat();
  const commits = childrenFirst(listed.map(commitOf));
  const { changes, unasked } = await changesOf(parts, repository, commits, caller);
  return {
    ...found,
    committedAt: madeAt(listed.find(({ sha }) => sha === found.toSha)),
    read: commits.length - unasked,
    isShallow: false,
    changes,
  };
}

function madeAt(commit: RangePayload['commits'][number] | undefined): Date | null {
  const date = commit?.commit.committer?.date ?? '';
  return Number.isNaN(Date.parse(date)) ? null : timeOf(date);
}

function commitOf({ sha, parents, commit }: RangePayload['commits'][number]): Commit {
  const [subject = '', ...body] = cutText(commit.message).split('\n');
  return {
    sha,
    parents: parents.flatMap((parent) => parent.sha ?? []),
    subject,
    body: body.join('\n').trim(),
  };
}

/**
 * Numbers that commits name are pull requests if GitHub says that these were merged here: by a commit of the range, or elsewhere
 * and then picked. What names none is asked about by its commit.
 */
async function changesOf(
  parts: Parts,
  repository: HostRepository,
  commits: Commit[],
  caller: HostCaller,
): Promise<{ changes: RangeChange[]; unasked: number }> {
  const inRange = new Set(commits.map(({ sha }) => sha));
  const line = new Set(ownLine(commits));
  const named = new Map(
    commits.flatMap((commit) => {
      const number = numberNamedBy(commit.subject);
      return number === null ? [] : [[commit, number] as const];
    }),
  );
  const { told, unknown } = await readNamed(parts.client, repository, new Set(named.values()), caller);
  const broughtBy = new Map<string, number>();
  for (const { number, merge_commit_sha: sha } of told.values())
    if (sha && inRange.has(sha)) broughtBy.set(sha, number);
  const copies = findCopies({ named, told, line, broughtBy });
  const unasked = new Set<string>();
  for (const [{ sha }, number] of named) if (unknown.has(number) && !broughtBy.has(sha)) unasked.add(sha);
  const bare = sortRange(commits, broughtBy).bare.filter(
    (commit) => !copies.has(commit) && !unasked.has(commit.sha),
  );
  const { commits: most } = mostAskedAbout(caller);
  for (const { sha } of bare.slice(most)) unasked.add(sha);
  const isMerged = isMergedIn(repository, caller);
  await inTurns(bare.slice(0, most), async ({ sha }) => {
    const path = `${pathOf(repository)}/commits/${sha}/pulls`;
    const { items } = await parts.client.page(path, RangePullRequestPayload, caller);
    const pull = items.find((one) => isMerged(one) && inRange.has(one.merge_commit_sha ?? ''));
    if (!pull) return;
    told.set(pull.number, pull);
    broughtBy.set(sha, pull.number);
  });
  const tell = (number: number) => {
    const pull = told.get(number);
    return pull && { ...summaryOf(pull, parts.web), body: pull.body ?? null };
  };
  const changes = changesIn(commits, { broughtBy, copies, tell });
  return {
    changes: changes.filter(
      ({ pullRequest, commits: [first] }) => pullRequest || !unasked.has(first?.sha ?? ''),
    ),
    unasked: unasked.size,
  };
}

/** Commits that bring once more what a pull request brought. Where that is not in the range itself, they stand for it. */
function findCopies({
  named,
  told,
  line,
  broughtBy,
}: {
  named: Map<Commit, number>;
  told: Map<number, RangePullRequestPayload>;
  line: Set<Commit>;
  broughtBy: Map<string, number>;
}): Map<Commit, number> {
  const brought = new Set(broughtBy.values());
  const copies = new Map<Commit, number>();
  for (const [commit, number] of named) {
    const original = told.get(number);
    if (!original || broughtBy.has(commit.sha)) continue;
    if (!line.has(commit) && !brought.has(number)) continue;
    const isPicked = commit.body.includes(`(cherry picked from commit ${original.merge_commit_sha})`);
    if (!isPicked && plainTitle(commit.subject) !== plainTitle(original.title)) continue;
    copies.set(commit, number);
    if (!brought.has(number)) broughtBy.set(commit.sha, number);
  }
  return copies;
}
