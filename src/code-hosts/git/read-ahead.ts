import { Failure } from '../../domain/errors.ts';
import { mostCommits } from '../../domain/pull-request-bounds.ts';
import type { Clone } from '../git-runner/clone.ts';
import { type Commit, readCommits } from './commit.ts';
import { ownCommits } from './own-commits.ts';
import {
  type IndexedPullRequest,
  noteFirstCommits,
  type Parts,
  type Summary,
  summarize,
} from './summarize-pull-requests.ts';

/** Messages are listed 250 at a time, for as many pull requests as are read at once; few are half as long. */
export const keptOfMessages = { mostOfBody: 4_000 };

/** What a few runs of git tell of many pull requests. It follows from the ids of commits alone. */
export interface ReadTogether {
  summary: Summary;
  /** The oldest first; null where only a run of git for this one tells them. */
  commits: Commit[] | null;
}

/** As many as one run of git reads in a moment. */
const atOnce = 32;

/** What is expected and never read is forgotten when there is so much of it. */
const mostKept = 200;

/** Reads together what is expected to be read one by one soon. */
export class ReadAhead {
  readonly #known = new Map<string, Promise<ReadTogether | null>>();

  expect(parts: Parts, pullRequests: IndexedPullRequest[]): void {
    const isNew = (one: IndexedPullRequest) => one.merge && !this.#known.has(keyOf(parts.clone, one));
    const wanted = pullRequests.filter(isNew).slice(0, mostKept);
    for (let from = 0; from < wanted.length; from += atOnce) {
      const some = wanted.slice(from, from + atOnce);
      // What cannot be read together is read alone, which tells why.
      const reading = readTogether(parts, some).catch(() => []);
      for (const [place, one] of some.entries())
        this.#known.set(
          keyOf(parts.clone, one),
          reading.then((read) => read[place] ?? null),
        );
    }
    for (const key of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(key);
    }
  }

  /** What was read of one already, which is not kept any longer; null where nothing was. */
  async take(clone: Clone, pullRequest: IndexedPullRequest): Promise<ReadTogether | null> {
    const key = keyOf(clone, pullRequest);
    const known = this.#known.get(key);
    this.#known.delete(key);
    return (await known) ?? null;
  }
}

const keyOf = ({ gitFolder }: Clone, { number, merge, branch }: IndexedPullRequest): string =>
  [gitFolder, number, merge?.sha, merge?.base, branch.head, branch.base].join('\n');

async function readTogether(
  parts: Parts,
  pullRequests: IndexedPullRequest[],
): Promise<(ReadTogether | null)[]> {
  const { git, clone, index } = parts;
  const own = await ownCommits(
    parts,
    pullRequests.map(({ branch }) => branch),
  );
  noteFirstCommits(index, pullRequests, own);
  const lines = pullRequests.map(({ branch: { head } }, place) =>
    own[place]?.length ? own[place].slice(0, mostCommits) : [head],
  );
  const [summaries, commits] = await Promise.all([
    summarize(parts, pullRequests),
    readCommits(git, clone, ['--no-walk=unsorted', '--stdin'], {
      input: [...new Set(lines.flat())].join('\n'),
      ...keptOfMessages,
    }),
  ]);
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  return summaries.map((summary, place) => {
    if (summary instanceof Failure) return null;
    const line = lines[place]?.flatMap((sha) => bySha.get(sha) ?? []) ?? [];
    // Along first parents is all that a branch has of its own only where nothing was merged into it.
    const isWhole = line.length === lines[place]?.length && !(own[place] ?? []).some(isMergeIn(bySha));
    return { summary, commits: isWhole ? line.toReversed() : null };
  });
}

const isMergeIn =
  (bySha: Map<string, Commit>) =>
  (sha: string): boolean =>
    (bySha.get(sha)?.parents.length ?? 2) > 1;
