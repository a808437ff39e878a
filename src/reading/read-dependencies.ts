import {
  readCargo,
  readGoMod,
  readGradle,
  readPom,
  readVersionCatalog,
} from './dependencies/compiled-manifests.ts';
import { type DependencyReader, type Mention, pairMentions } from './dependencies/pair-mentions.ts';
import { readPyproject, readRequirements } from './dependencies/python.ts';
import {
  readComposerJson,
  readDockerfile,
  readGemfile,
  readPackageJson,
  readPreCommit,
  readWorkflow,
} from './dependencies/script-manifests.ts';
import type { DependencyChange } from './facts.ts';
import type { FileDiff } from './file-diff.ts';
import { isFixturePlace, isTestDirectory, isVendoredPlace } from './file-places.ts';
import { sidesOf } from './hunk-sides.ts';
import { type PathParts, partsOf } from './path-parts.ts';
import type { WholeDiff } from './whole-diff.ts';

/** Dependencies that changed; and those of them whose line stands on both sides of the pull request. */
export interface FileDependencies {
  changes: DependencyChange[];
  /** If they have not moved to another manifest, then to where nobody looks for dependencies. */
  doubtful: Set<DependencyChange>;
}

/**
 * What happened to the dependencies that a manifest names. What a manifest among fixtures or vendored files names is
 * nobody's dependency here.
 */
export function readDependencies(file: FileDiff, whole: WholeDiff): FileDependencies {
  const parts = partsOf(file.path);
  const reader = findReader(parts);
  if (!reader || isFixturePlace(parts) || isVendoredPlace(parts)) return { changes: [], doubtful: new Set() };
  const old: Mention[] = [];
  const current: Mention[] = [];
  for (const hunk of file.hunks) {
    const sides = sidesOf(hunk);
    for (const mention of reader(sides.old)) old.push(mention);
    for (const mention of reader(sides.new)) current.push(mention);
  }
  const isWhole = file.status === 'added' || file.status === 'removed';
  // Several jobs of a workflow use the same actions: one that came or went here may well be in the unseen rest.
  const isUncertain = reader === readWorkflow && !isWhole;
  const isHandedOver = namesAnotherManifest(file);
  const paired = pairMentions(file.path, old, current).filter(({ change: { change } }) => {
    if (change === 'removed' && isHandedOver) return false;
    return !isUncertain || (change !== 'added' && change !== 'removed');
  });
  if (isTestDirectory(parts) || developmentFile.test(parts.path))
    for (const { change } of paired) change.isForDevelopment = true;
  return {
    changes: paired.map(({ change }) => change),
    doubtful: new Set(paired.filter(({ line }) => whole.standsOnBoth(line)).map(({ change }) => change)),
  };
}

const developmentFile = /(?:dev|test|doc|lint|typing|build|bench|style|format|check)[^/]*\.(?:txt|in)$/;

const otherManifest =
  /^\+(?:.*\bdynamic\s{0,9}=\s{0,9}\[[^\]]{0,500}dependencies|.*\bfile\s{0,9}=\s{0,9}\[?\s{0,9}["'][^"']{0,500}\.txt|[ \t]*-r[ \t]+\S)/m;

/** Where a manifest newly hands over to another one, what it no longer names may stand there. */
const namesAnotherManifest = ({ hunks }: FileDiff): boolean =>
  hunks.some(({ text }) => otherManifest.test(text()));

const byName: ReadonlyMap<string, DependencyReader> = new Map<string, DependencyReader>([
  ['package.json', readPackageJson],
  ['composer.json', readComposerJson],
  ['cargo.toml', readCargo],
  ['pyproject.toml', readPyproject],
  ['pipfile', readPyproject],
  ['go.mod', readGoMod],
  ['gemfile', readGemfile],
  ['gems.rb', readGemfile],
  ['pom.xml', readPom],
  ['build.gradle', readGradle],
  ['build.gradle.kts', readGradle],
  ['libs.versions.toml', readVersionCatalog],
  ['.pre-commit-config.yaml', readPreCommit],
  ['dockerfile', readDockerfile],
  ['containerfile', readDockerfile],
]);

const byEnding: ReadonlyMap<string, DependencyReader> = new Map<string, DependencyReader>([
  ['gemspec', readGemfile],
  ['dockerfile', readDockerfile],
]);

/** Who can read the dependencies of a file with this path; null for most files. */
function findReader({ name, ending, directories }: PathParts): DependencyReader | null {
  const reader = byName.get(name) ?? byEnding.get(ending);
  if (reader) return reader;
  if (name.startsWith('dockerfile.')) return readDockerfile;
  if (ending === 'txt' || ending === 'in') {
    const isRequirements = /^(?:requirements|constraints)|requirements\.(?:txt|in)$/.test(name);
    return isRequirements || directories.at(-1) === 'requirements' ? readRequirements : null;
  }
  if ((ending !== 'yml' && ending !== 'yaml') || directories[0] !== '.github') return null;
  return directories[1] === 'workflows' || name.startsWith('action.') ? readWorkflow : null;
}
