import { isBotLogin, type MergedPullRequest } from '../../domain/watching.ts';
import type { Clone } from '../git-runner/clone.ts';
import { type GitRunner, runGit, UnreadableClone } from '../git-runner/run-git.ts';
import { numberNamedBy } from '../sort-range.ts';
import type { Merge } from './pull-request-index.ts';
import { readLog, subjectField } from './read-log.ts';
import { findIndexed, type Parts, type Summary, summarize } from './summarize-pull-requests.ts';

/** How many of the highest numbers are looked at for those that were merged last. */
const lookedAt = 200;

/** So many of the last ones are told of where the commit is gone at which the branch stood, so that what is new cannot be told apart. */
const toldAfterLoss = 20;

/**
 * What the default branch has got since it stood at a commit, or since it had none, whatever dates its commits bear: a clone
 * is fetched when its operator likes.
 */
export async function mergedAfter(parts: Parts, tip: string | null): Promise<MergedPullRequest[]> {
  const { git, clone, index } = parts;
  if (tip === index.tip) return [];
  if (tip === null) return tellMerged(parts, [...index.merged.keys()]);
  const moved = await movedFrom(git, clone, { from: tip, to: index.tip });
  if (!moved) return lastMergedInClone(parts, { most: toldAfterLoss, isWanted: () => true });
  const numbers = [...index.merged].flatMap(([number, merge]: [number, Merge]) =>
    moved.added.has(merge.sha) && !moved.told.has(number) ? number : [],
  );
  return tellMerged(parts, numbers);
}

export async function lastMergedInClone(
  parts: Parts,
  { most, isWanted }: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
): Promise<MergedPullRequest[]> {
  const newest = [...parts.index.merged.keys()].sort((one, other) => other - one).slice(0, lookedAt);
  const merged = await tellMerged(parts, newest);
  return merged
    .filter(isWanted)
    .sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
    .slice(0, most);
}

/**
 * The commits that the branch has got, and the pull requests that were merged into what it no longer has: a branch that was
 * rewritten names them again. Null where the commit at which it stood is gone.
 */
async function movedFrom(
  git: GitRunner,
  clone: Clone,
  { from, to }: { from: string; to: string },
): Promise<{ added: Set<string>; told: Set<number> } | null> {
  try {
    const told = new Set<number>();
    for await (const [subject = ''] of readLog(
      git,
      clone,
      [subjectField],
      ['--first-parent', `${to}..${from}`],
    ))
      told.add(numberNamedBy(subject) ?? 0);
    const added = await runGit(git, clone, ['rev-list', `${from}..${to}`]);
    return { added: new Set(added.split('\n').filter(Boolean)), told };
  } catch (error) {
    if (!(error instanceof UnreadableClone)) throw error;
    return null;
  }
}

/** What cannot be read is left out: whoever asks for it is told why. */
async function tellMerged(parts: Parts, numbers: number[]): Promise<MergedPullRequest[]> {
  const indexed = numbers.flatMap((number) => findIndexed(parts.index, number) ?? []);
  const summaries = await summarize(parts, indexed);
  return summaries.flatMap((summary) => ('shown' in summary ? mergedOf(summary) : []));
}

function mergedOf({ shown, mergedBy }: Summary): MergedPullRequest[] {
  const mergedAt = mergedBy?.committedAt;
  if (!mergedAt) return [];
  const { number, authorLogin } = shown;
  return [{ number, mergedAt, authorLogin, isBot: isBotLogin(authorLogin), isDraft: false, labels: [] }];
}
