import type { PullRequestText } from '../facts.ts';
import { lineFeatures } from './line-features.ts';
import { pathFeatures } from './path-features.ts';
import { type KindedFile, shapeFeatures } from './shape-features.ts';
import { bodyFeatures, titleFeatures } from './text-features.ts';

/** Where a feature was seen; the same word means something else in a title than in a path. */
export const families = ['title', 'titleBesideFiles', 'body', 'shape', 'path'] as const;

export type Family = (typeof families)[number];

interface FamilyFeatures {
  family: Family;
  names: Set<string>;
  /** How much each of them counts. */
  weight: number;
}

/** Everything about a pull request that may tell what kind of change it is. */
export function changeFeatures(text: PullRequestText, files: KindedFile[]): FamilyFeatures[] {
  const title = titleFeatures(text.title);
  const body = bodyFeatures(text.body ?? '');
  const shape = new Set([...shapeFeatures(files), ...lineFeatures(files)]);
  const paths = pathFeatures(files);
  return [
    { family: 'title', names: title.features, weight: 1 },
    { family: 'titleBesideFiles', names: besideFiles(title.words, shape), weight: 0.7 },
    { family: 'shape', names: shape, weight: 0.5 },
    { family: 'body', names: body, weight: dilution(body) },
    { family: 'path', names: paths, weight: dilution(paths) },
  ];
}

/** A long description and a large change have many words; together they shall not shout down the title. */
const dilution = (names: Set<string>): number => 3 / Math.sqrt(9 + names.size);

/** Words of the title, told apart by what was touched: "fix" beside nothing but tests is no bug fix. */
function besideFiles(words: string[], shape: Set<string>): Set<string> {
  const touched = ['source', 'test'].filter((kind) => shape.has(`kind ${kind}`));
  if (touched[0] !== 'source') {
    touched.push(
      ...['documentation', 'build', 'manifest', 'lock'].filter((kind) => shape.has(`kind ${kind}`)),
    );
  }
  const beside = touched.map((kind) => kind[0]).join('');
  const found = new Set<string>();
  for (const [index, word] of words.entries()) {
    found.add(`${beside} ${word}`);
    if (index === 0) found.add(`${beside} ^${word}`);
    else found.add(`${beside} ${words[index - 1]} ${word}`);
  }
  return found;
}
