import type { Family } from '../../src/reading/change-type/change-features.ts';
import type { FeatureNames } from './feature-names.ts';
import type { Example } from './read-examples.ts';

/** In how many repositories, and in how many pull requests, a feature must be seen to be learned from. */
const needed: Record<Family, { repositories: number; examples: number }> = {
  title: { repositories: 3, examples: 10 },
  titleBesideFiles: { repositories: 6, examples: 25 },
  body: { repositories: 6, examples: 30 },
  shape: { repositories: 5, examples: 20 },
  path: { repositories: 8, examples: 60 },
};

/** The numbers of the features that are common enough to say something of repositories that were never seen. */
export function chooseFeatures(examples: Example[], names: FeatureNames): number[] {
  const seen = new Int32Array(names.size);
  const repositories = new Int32Array(names.size);
  const last = new Int32Array(names.size).fill(-1);
  // One repository after the other, so that a change of repository is seen without keeping sets.
  for (const { repository, features } of examples.toSorted(
    (one, other) => one.repository - other.repository,
  )) {
    for (const feature of features) {
      seen[feature] = (seen[feature] ?? 0) + 1;
      if (last[feature] === repository) continue;
      last[feature] = repository;
      repositories[feature] = (repositories[feature] ?? 0) + 1;
    }
  }
  const chosen: number[] = [];
  for (let feature = 0; feature < names.size; feature++) {
    if ((repositories[feature] ?? 0) < needed.title.repositories) continue;
    const least = needed[names.nameOf(feature).family];
    if ((repositories[feature] ?? 0) < least.repositories || (seen[feature] ?? 0) < least.examples) continue;
    chosen.push(feature);
  }
  return chosen;
}
