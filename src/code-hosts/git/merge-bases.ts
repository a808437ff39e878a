import type { Clone } from '../git-runner/clone.ts';
import { type GitRunner, runGit } from '../git-runner/run-git.ts';

/** For each pair of commits, where their histories parted; empty where they share nothing. One run of git for all. */
export async function mergeBases(
  git: GitRunner,
  clone: Clone,
  pairs: { one: string; other: string }[],
): Promise<string[][]> {
  const ranges = pairs.map(({ one, other }) => `${one}...${other}`);
  const printed = await runGit(git, clone, ['rev-parse', ...ranges]);
  // For each pair the two commits themselves, each on a line, and then those that are wanted, marked as excluded.
  const groups = [...printed.matchAll(/^\w+\n\w+\n((?:\^\w+\n)*)/gm)];
  return groups.map(([, marked = '']) => [...marked.matchAll(/\w+/g)].map(([sha]) => sha));
}

/** A late commit that all of these come from; null where there is none. */
export async function commonAncestor(git: GitRunner, clone: Clone, shas: string[]): Promise<string | null> {
  if (shas.length < 2) return shas[0] ?? null;
  const printed = await runGit(git, clone, ['merge-base', '--octopus', ...shas], { nothingCode: 1 });
  return printed.trim() || null;
}
