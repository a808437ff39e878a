import { BoundedMap } from '../bounded-map.ts';
import type { HostRange } from '../code-host.ts';
import type { PullRequestIndex } from './pull-request-index.ts';
import { type Commit, commonAncestor, readCommits } from './read-commits.ts';
import { changesByNumbers, findBrought, readHeadings, resolveRefs, summarizeRange } from './read-range.ts';
import type { CloneSource } from './summarize-pull-requests.ts';

type Ends = { from: string; to: string };
type ReadChanges = Pick<HostRange, 'changes' | 'headings'> | null;

const mostRead = 10_000;
/** Enough to see what a change reverts or copies, and so little that the result can be cached. */
const mostOfBody = 1_000;
const mostCached = 16 * 1024 * 1024;

/** Reads many ranges with as few runs of git as one. */
export class CachedRangeLists {
  readonly #cached = new BoundedMap<{ index: WeakRef<PullRequestIndex>; lists: ReadChanges[] }>(
    mostCached,
    ({ lists }, key) => key.length + JSON.stringify(lists).length,
  );

  readonly #underWay = new Map<string, { key: string; reading: Promise<ReadChanges[]> }>();

  /** A clone is read once at a time; who asks for other ranges meanwhile gets null for all. */
  async read(source: CloneSource, ranges: Ends[]): Promise<ReadChanges[]> {
    const { gitFolder } = source.clone;
    const key = JSON.stringify([gitFolder, ranges]);
    const known = this.#cached.get(key);
    if (known?.index.deref() === source.index) return known.lists;
    const underWay = this.#underWay.get(gitFolder);
    if (underWay && underWay.key !== key) return ranges.map(() => null);
    const reading =
      underWay?.reading ?? readRanges(source, ranges).finally(() => this.#underWay.delete(gitFolder));
    this.#underWay.set(gitFolder, { key, reading });
    const lists = await reading;
    this.#cached.set(key, { index: new WeakRef(source.index), lists });
    return lists;
  }
}

/** The changes of each range, newest first; null for all if the commits are too many to read at once. */
async function readRanges(source: CloneSource, ranges: Ends[]): Promise<ReadChanges[]> {
  const { git, clone } = source;
  const names = [...new Set(ranges.flatMap(({ from, to }) => [from, to]))];
  const shas = await resolveRefs(git, clone, names);
  const shaOf = new Map(names.map((name, place) => [name, shas[place] ?? '']));
  const ends = ranges.map(({ from, to }) => ({ from: shaOf.get(from) ?? '', to: shaOf.get(to) ?? '' }));
  const known = ends.filter(({ from, to }) => from && to);
  const begin = await commonAncestor(
    git,
    clone,
    known.map(({ from }) => from),
  );
  const wanted = [...known.map(({ to }) => to), ...(begin ? [`^${begin}`] : [])];
  const commits =
    known.length === 0
      ? []
      : await readCommits(git, clone, ['--topo-order', `--max-count=${mostRead + 1}`, '--stdin'], {
          input: wanted.join('\n'),
          mostOfBody,
        });
  if (known.length === 0 || commits.length > mostRead) return ranges.map(() => null);
  const parts = ends.map((end) => commitsBetween(commits, end));
  const brought = parts.map((part) => findBrought(source, part));
  const merges = new Map(brought.flatMap(({ bySha }) => [...bySha].map(([sha, number]) => [number, sha])));
  const numbers = new Set([...merges.keys(), ...brought.flatMap(({ again }) => [...again.values()])]);
  const summaries = await summarizeRange(source, commits, [...numbers], merges);
  const changes = parts.map((part, place) => {
    const { bySha, again } = brought[place] ?? { bySha: new Map(), again: new Map() };
    return changesByNumbers(source, part, { bySha, again, summaries });
  });
  const headings = await readHeadings(source, known[0]?.to ?? '', changes.flat());
  return changes.map((some) => ({ changes: some, headings }));
}

function commitsBetween(commits: Commit[], { from, to }: Ends): Commit[] {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const reached = (start: string, before: ReadonlySet<string>): Set<string> => {
    const found = new Set<string>();
    const next = [start];
    for (let sha = next.pop(); sha !== undefined; sha = next.pop()) {
      const commit = bySha.get(sha);
      if (!commit || found.has(sha) || before.has(sha)) continue;
      found.add(sha);
      next.push(...commit.parents);
    }
    return found;
  };
  const own = reached(to, reached(from, new Set()));
  return commits.filter(({ sha }) => own.has(sha));
}
