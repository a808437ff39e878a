import { looksLikeSha } from '../../domain/release/ref-name.ts';
import type { Clone } from '../git-runner/clone.ts';
import { type GitRunner, runGit } from '../git-runner/run-git.ts';

/** As many tags as are ever suggested. */
const mostTags = 200;

/** The newest tags of a clone, by when they were made. */
export async function readTags(git: GitRunner, clone: Clone): Promise<string[]> {
  const printed = await runGit(git, clone, [
    'for-each-ref',
    '--sort=-creatordate',
    `--count=${mostTags}`,
    '--format=%(refname:lstrip=2)',
    'refs/tags/',
  ]);
  return printed.split('\n').filter(Boolean);
}

/** Where a name is looked for: a tag is meant before a branch, and both before a commit. */
const placesOf = (name: string): string[] => [
  `refs/tags/${name}`,
  `refs/heads/${name}`,
  `refs/remotes/origin/${name}`,
  ...(looksLikeSha(name) ? [name] : []),
];

/**
 * The commits that names stand for; null for what stands for none. Names are told on standard input, where nothing is an option;
 * `isRefName` has made sure that none leads from one commit to another.
 */
export async function resolveRefs(
  git: GitRunner,
  clone: Clone,
  names: readonly string[],
): Promise<(string | null)[]> {
  const places = names.map(placesOf);
  const input = places
    .flat()
    .map((place) => `${place}^{commit}\n`)
    .join('');
  const printed = await runGit(git, clone, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input,
  });
  const lines = printed.split('\n');
  return places.map((of) => {
    const found = lines
      .splice(0, of.length)
      .flatMap((line) => /^([0-9a-f]{40}) commit$/.exec(line)?.[1] ?? []);
    return found[0] ?? null;
  });
}
