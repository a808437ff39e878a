import { join } from 'node:path';
import { changeTypes } from '../../src/domain/article.ts';
import { changeFeatures, type KindedFile } from '../../src/reading/change-type/change-features.ts';
import { hidePrefixes, typeOfFiles } from '../../src/reading/change-type/read-change-type.ts';
import type { PullRequestText } from '../../src/reading/facts.ts';
import type { FeatureNames } from './feature-names.ts';
import { kindFiles } from './kind-files.ts';
import { diffsOf, type LabelledCommit, labelledCommits } from './labelled-pull-requests.ts';

/** A pull request as the trainer sees it: numbers of features, how much each counts, and what it should be. */
export interface Example {
  repository: number;
  /** Its place in changeTypes. */
  type: number;
  features: Int32Array;
  amounts: Float32Array;
  /** Whether it is one of those that the table is learned from; the others are only for trying it out. */
  isLearned: boolean;
  /** Whether the table is tried on it: the newest, in the mix of types in which they came, if files do not decide. */
  isTried: boolean;
}

// The rare types need all that there are; of the common ones a large repository would drown the small ones.
const learnedOfType = 250;
const tried = 800;

/** The labelled pull requests of one mirror. */
export async function readExamples(
  mirrors: string,
  name: string,
  repository: number,
  names: FeatureNames,
): Promise<Example[]> {
  const gitFolder = join(mirrors, name, 'repo');
  const examples: Example[] = [];
  const ofType = new Map<string, number>();
  const chosen = chooseCommits(labelledCommits(gitFolder));
  for await (const diff of diffsOf(gitFolder, chosen)) {
    const { title, body, label } = diff.commit;
    const text = hidePrefixes({ title, body, commitMessages: [], labels: [] });
    const kinded = kindFiles(diff.files);
    const number = ofType.get(label) ?? 0;
    ofType.set(label, number + 1);
    examples.push({
      repository,
      type: changeTypes.indexOf(label),
      ...numberFeatures(text, kinded, names),
      isLearned: number < learnedOfType,
      isTried: examples.length < tried && typeOfFiles(text.title, kinded) === null,
    });
  }
  return examples;
}

function chooseCommits(commits: LabelledCommit[]): LabelledCommit[] {
  const ofType = new Map<string, number>();
  return commits.filter(({ label }, index) => {
    const number = ofType.get(label) ?? 0;
    ofType.set(label, number + 1);
    return index < tried || number < learnedOfType;
  });
}

function numberFeatures(text: PullRequestText, files: KindedFile[], names: FeatureNames) {
  const features: number[] = [];
  const amounts: number[] = [];
  for (const { family, names: found, weight } of changeFeatures(text, files)) {
    for (const name of found) {
      const number = names.numberOf(family, name);
      if (number === null) continue;
      features.push(number);
      amounts.push(weight);
    }
  }
  return { features: Int32Array.from(features), amounts: Float32Array.from(amounts) };
}
