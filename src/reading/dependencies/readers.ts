import type { PathParts } from '../path-parts.ts';
import { readDockerfile, readPreCommit, readWorkflow } from './automation.ts';
import { readCargo } from './cargo.ts';
import { readMsbuild } from './dotnet.ts';
import { readMix } from './elixir.ts';
import { readGoMod } from './go-mod.ts';
import { readComposerJson, readPackageJson } from './json-manifests.ts';
import { readGradle, readPom, readVersionCatalog } from './jvm.ts';
import type { DependencyReader } from './mention.ts';
import { readPyproject, readRequirements, readSetupCfg, readSetupPy } from './python.ts';
import { readGemfile, readGemspec } from './ruby.ts';
import { readPnpmWorkspace, readPubspec } from './yaml-manifests.ts';

const byName: ReadonlyMap<string, DependencyReader> = new Map<string, DependencyReader>([
  ['package.json', readPackageJson],
  ['composer.json', readComposerJson],
  ['cargo.toml', readCargo],
  ['pyproject.toml', readPyproject],
  ['pipfile', readPyproject],
  ['setup.cfg', readSetupCfg],
  ['setup.py', readSetupPy],
  ['go.mod', readGoMod],
  ['gemfile', readGemfile],
  ['gems.rb', readGemfile],
  ['mix.exs', readMix],
  ['pubspec.yaml', readPubspec],
  ['pnpm-workspace.yaml', readPnpmWorkspace],
  ['pom.xml', readPom],
  ['build.gradle', readGradle],
  ['build.gradle.kts', readGradle],
  ['libs.versions.toml', readVersionCatalog],
  ['packages.config', readMsbuild],
  ['directory.packages.props', readMsbuild],
  ['.pre-commit-config.yaml', readPreCommit],
  ['dockerfile', readDockerfile],
  ['containerfile', readDockerfile],
]);

const byEnding: ReadonlyMap<string, DependencyReader> = new Map<string, DependencyReader>([
  ['gemspec', readGemspec],
  ['csproj', readMsbuild],
  ['fsproj', readMsbuild],
  ['vbproj', readMsbuild],
  ['dockerfile', readDockerfile],
]);

/** Who can read the dependencies of a file with this path; null for most files. */
export function findReader({ name, ending, directories }: PathParts): DependencyReader | null {
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
