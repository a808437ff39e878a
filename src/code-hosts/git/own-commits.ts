import type { Clone } from '../git-runner/clone.ts';
import { type GitRunner, runGit } from '../git-runner/run-git.ts';
import { commonAncestor, mergeBases } from './merge-bases.ts';

export interface Branch {
  head: string;
  /** What it was merged into, or is to be; null where nothing was there yet. */
  base: string | null;
}

interface Repository {
  git: GitRunner;
  clone: Clone;
}

/** 200,000 commits, which is the line of first parents of the longest histories, and read in a moment. */
const mostPrinted = 16 * 1024 * 1024;

/**
 * The commits that each branch has of its own, newest first: along its first parents, up to the first that its base has
 * too. What is found for one does not depend on the others; they are asked for together because each run of git takes
 * its time.
 */
export async function ownCommits(repository: Repository, branches: Branch[]): Promise<string[][]> {
  if (branches.length === 0) return [];
  const { git, clone } = repository;
  const bases = [...new Set(branches.flatMap(({ base }) => base ?? []))];
  // What was merged early is part of what later ones were merged into: only what all bases have may be left out.
  const excluded = branches.every(({ base }) => base) ? await commonAncestor(git, clone, bases) : null;
  const input = [...branches.map(({ head }) => head), ...bases, ...(excluded ? [`^${excluded}`] : [])].join(
    '\n',
  );
  const printed = await runGit(git, clone, ['rev-list', '--first-parent', '--parents', '--stdin'], {
    input,
    maxBytes: mostPrinted,
  });
  const parents = new Map(
    [...printed.matchAll(/^(\w+)(?: (\w+))?/gm)].map(([, child = '', parent = '']) => [child, parent]),
  );
  const lines = branches.map(({ head, base }) => ({
    line: beforeTheyMeet(lineFrom(head, parents), lineFrom(base ?? '', parents)),
    // Git has left out all that this base has.
    base: base === excluded ? null : base,
  }));
  return cutAtBases(repository, lines);
}

function lineFrom(start: string, parents: Map<string, string>): string[] {
  const line: string[] = [];
  for (let at = start, parent = parents.get(at); parent !== undefined; parent = parents.get(at)) {
    line.push(at);
    at = parent;
  }
  return line;
}

/** Two lines of first parents that have met go on together to their end. */
function beforeTheyMeet(line: string[], other: string[]): string[] {
  let shared = 0;
  while (shared < line.length && line.at(-1 - shared) === other.at(-1 - shared)) shared += 1;
  return line.slice(0, line.length - shared);
}

/**
 * Leaves of each line what its base does not have. The oldest commit is asked about first, which is the end of it for
 * nearly all, and then the middle of what is left, for all lines in the same run of git.
 */
async function cutAtBases(
  { git, clone }: Repository,
  lines: { line: string[]; base: string | null }[],
): Promise<string[][]> {
  const searches = lines.map(({ line, base }) => ({
    line,
    base,
    from: 0,
    to: line.length,
    probe: line.length - 1,
  }));
  for (;;) {
    const undecided = searches.flatMap((search) => {
      const one = search.from < search.to ? search.line[search.probe] : undefined;
      return one && search.base ? { search, one, other: search.base } : [];
    });
    if (undecided.length === 0) return searches.map(({ line, to }) => line.slice(0, to));
    const bases = await mergeBases(git, clone, undecided);
    for (const [index, { search, one }] of undecided.entries()) {
      if (bases[index]?.includes(one)) search.to = search.probe;
      else search.from = search.probe + 1;
      search.probe = (search.from + search.to) >> 1;
    }
  }
}
