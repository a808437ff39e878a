import { wordSet } from '../domain/text.ts';

/** A path taken apart once, in lower case, because naming conventions differ only in case. */
export interface PathParts {
  path: string;
  directories: string[];
  name: string;
  ending: string;
}

export function pathParts(path: string): PathParts {
  const lower = path.toLowerCase();
  const directories = lower.split('/');
  const name = directories.pop() ?? '';
  const dot = name.lastIndexOf('.');
  return { path: lower, directories, name, ending: dot > 0 ? name.slice(dot + 1) : '' };
}

export const lockFiles = wordSet(`
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock poetry.lock
  pipfile.lock uv.lock pdm.lock pixi.lock conda-lock.yml composer.lock gemfile.lock gems.locked go.sum go.work.sum
  mix.lock pubspec.lock podfile.lock packages.lock.json paket.lock project.assets.json flake.lock gradle.lockfile
  buildscript-gradle.lockfile cartfile.resolved package.resolved conan.lock .terraform.lock.hcl buf.lock chart.lock
  requirements.lock module.bazel.lock cabal.project.freeze stack.yaml.lock rebar.lock shard.lock gopkg.lock glide.lock
  symfony.lock manifest.toml berksfile.lock dub.selections.json pylock.toml
`);

export const manifestFiles = wordSet(`
  package.json package.json5 package.yaml cargo.toml pyproject.toml setup.py setup.cfg pipfile go.mod go.work gemfile
  gems.rb composer.json pom.xml build.gradle build.gradle.kts libs.versions.toml mix.exs pubspec.yaml package.swift
  podfile cartfile packages.config directory.packages.props environment.yml environment.yaml bower.json elm.json
  rebar.config shard.yml conanfile.txt conanfile.py vcpkg.json project.clj deps.edn build.sbt stack.yaml cpanfile
  project.toml build.zig.zon berksfile brewfile pnpm-workspace.yaml dub.json jsr.json deno.json deno.jsonc
`);

export const manifestEndings = wordSet('csproj fsproj vbproj gemspec podspec cabal nimble rockspec nuspec');

export const buildFiles = wordSet(`
  makefile gnumakefile cmakelists.txt cmakepresets.json dockerfile containerfile rakefile jenkinsfile earthfile justfile
  .justfile build workspace build.bazel workspace.bazel module.bazel .bazelrc meson.build meson_options.txt meson.options
  sconstruct sconscript wscript configure.ac makefile.am configure build.rs build.zig build.xml build.sh build.ps1
  build.bat build.js build.mjs build.ts make.bat noxfile.py tox.ini tasks.py fabfile.py taskfile.yml taskfile.yaml
  settings.gradle settings.gradle.kts gradle.properties .gitlab-ci.yml .gitlab-ci.yaml .travis.yml .drone.yml
  azure-pipelines.yml azure-pipelines.yaml appveyor.yml .appveyor.yml bitbucket-pipelines.yml cloudbuild.yaml
  cloudbuild.yml .cirrus.yml .woodpecker.yml .readthedocs.yml .readthedocs.yaml wercker.yml codeship-steps.yml
  docker-compose.yml docker-compose.yaml compose.yml compose.yaml docker-bake.hcl .dockerignore vagrantfile procfile
  snapcraft.yaml .goreleaser.yml .goreleaser.yaml goreleaser.yml goreleaser.yaml .release-it.json .releaserc nx.json
  turbo.json lerna.json rush.json gulpfile.js gulpfile.ts gulpfile.babel.js gruntfile.js gruntfile.coffee jakefile.js
  flake.nix default.nix shell.nix buf.gen.yaml skaffold.yaml tiltfile garden.yml fastfile dangerfile .pre-commit-hooks.yaml
  directory.build.props directory.build.targets global.json build.cake magefile.go
`);

export const builders = wordSet(`
  webpack rollup vite esbuild tsup tsdown rolldown parcel babel swc metro rspack rsbuild unbuild bunchee snowpack
  electron-builder forge
`);

export const buildEndings = wordSet(
  'mk mak cmake bazel bzl gradle dockerfile containerfile ninja pbxproj sln vcxproj targets',
);

/** File names up to the first dot or hyphen, so that CHANGELOG.old and license-mit count as documents. */
export const documentStems = wordSet(`
  readme license licence copying notice authors contributors changelog changes history news contributing security
  code_of_conduct maintainers governance support roadmap todo credits acknowledgements upgrading migration patents
  unlicense copyright release_notes
`);

export const documentLanguages = wordSet(
  'Markdown MDX reStructuredText AsciiDoc Org Text LaTeX RDoc Textile Wikitext Typst',
);

export const configurationFiles = wordSet(`
  codeowners .gitignore .gitattributes .gitmodules .editorconfig .npmrc .nvmrc .node-version .python-version
  .ruby-version .tool-versions .prettierrc .eslintrc .babelrc .swcrc robots.txt rust-toolchain rust-toolchain.toml
  pylintrc nginx.conf crontab sshd_config
`);

export const configurationLanguages: ReadonlySet<string> = new Set(
  'JSON, YAML, TOML, INI, Properties, Property List, Dotenv, XML, Ignore List, Git Attributes, Git Config, Nginx, Pkl, CUE'.split(
    ', ',
  ),
);

export const binaryEndings = wordSet(`
  png jpg jpeg gif bmp ico icns webp avif tif tiff psd ai eps heic woff woff2 ttf otf eot mp3 mp4 m4a wav ogg flac avi
  mov webm mkv zip gz tgz bz2 xz zst br 7z rar tar jar war ear aar whl egg nupkg deb rpm dmg iso apk ipa exe dll so dylib
  a lib o obj bin dat class pyc pyo wasm pdf doc docx xls xlsx ppt pptx odt ods sketch fig db sqlite sqlite3 parquet
  onnx pt pth safetensors gguf npy npz keystore jks p12 pfx der snk mo nib rlib pdb
`);

const vendoredDirectories = wordSet(`
  node_modules bower_components third_party third-party thirdparty 3rdparty 3rd_party vendor _vendor vendored
  godeps pods carthage jspm_packages
`);

const vendoredFiles = wordSet(
  'gradlew gradlew.bat mvnw mvnw.cmd gradle-wrapper.properties maven-wrapper.properties',
);

const generatedFiles = wordSet(`
  publicapi.shipped.txt publicapi.unshipped.txt
  next-env.d.ts auto-imports.d.ts components.d.ts typed-router.d.ts worker-configuration.d.ts
  snapshot.md project.assets.json .pnp.cjs .pnp.js .pnp.loader.mjs
`);

const generatedDirectories = wordSet(
  '__generated__ deno_dist generated autogenerated auto-generated __snapshots__ _snapshots',
);

const generatedSuffixes: readonly string[] = [
  ...wordSet(`
    .min.js .min.mjs .min.css .map .snap .ambr .pb.go .pb.gw.go .pb.validate.go .connect.go .pb.cc .pb.h .pb.swift
    .pb.dart .pbjson.dart .pbenum.dart .pb.rb _pb.rb _pb.js _pb.ts _pb.d.ts _pb2.py _pb2.pyi _pb2_grpc.py .pbobjc.h
    .pbobjc.m .g.dart .freezed.dart .gr.dart .mocks.dart .g.cs .g.i.cs .designer.cs .designer.vb .gen.go .gen.ts
    .gen.tsx .gen.rs .generated.ts .generated.tsx .generated.js .generated.go .generated.cs .generated.d.ts
    _generated.go _generated.rs _generated.ts _string.go .api.md
  `),
];

const fixtureDirectories = wordSet(
  'fixtures fixture __fixtures__ testdata test-data test_data test-fixtures test_fixtures __testfixtures__ goldens golden mocks __mocks__ _snaps',
);
const testDirectories = wordSet(
  'test tests __tests__ __test__ e2e cypress integration-tests integration_tests integrationtests unit-tests acceptance-tests androidtest unittests test-suite testsuite testlib testutil testutils test-utils test_utils testhelpers test-helpers',
);
const testSuffixes = ['.tests', '.test', '-tests', '_tests', '-e2e'];
const documentDirectories = wordSet('docs doc documentation');
// Within these folders, one called "docs" or "vendor" is part of the program.
const programDirectories = wordSet('src lib internal pkg app java kotlin crates cmd');
const compiledEndings = wordSet('js mjs cjs css map json');

export function isVendoredPlace({ directories, name, path }: PathParts): boolean {
  if (vendoredFiles.has(name)) return true;
  for (const directory of directories) {
    // Java packages may be called "vendor".
    if (vendoredDirectories.has(directory)) return !directories.includes('java');
  }
  return path.includes('.yarn/releases/') || path.includes('.yarn/plugins/');
}

export function isGeneratedPlace({ directories, name, ending }: PathParts): boolean {
  if (generatedFiles.has(name)) return true;
  if (name.startsWith('zz_generated')) return true;
  for (const suffix of generatedSuffixes) if (name.endsWith(suffix)) return true;
  for (const directory of directories) if (generatedDirectories.has(directory)) return true;
  if (name === 'schema.rb' || name === 'structure.sql') return directories.at(-1) === 'db';
  return directories.includes('dist') && compiledEndings.has(ending);
}

export function isFixturePlace({ directories }: PathParts): boolean {
  return directories.some((directory) => fixtureDirectories.has(directory));
}

/** Code that Gradle and Maven ship: a library for tests is not a test. */
const shippedPlace = /(?:^|\/)src\/\w*main\/(?:java|kotlin|scala|groovy)\//;

export const isShippedPlace = ({ path }: PathParts): boolean => shippedPlace.test(path);

export function isTestDirectory({ directories, path }: PathParts): boolean {
  // Folders within shipped code are packages.
  const shipped = shippedPlace.exec(path);
  const outer = shipped ? path.slice(0, shipped.index).split('/') : directories;
  // A deeper folder called "integration" may be part of the program, for integration with other services.
  if (outer[0] === 'integration' && outer.length === directories.length) return true;
  return outer.some(
    (directory) =>
      testDirectories.has(directory) || testSuffixes.some((suffix) => directory.endsWith(suffix)),
  );
}

export function isDocumentPlace({ directories }: PathParts): boolean {
  for (const directory of directories) {
    if (documentDirectories.has(directory)) return true;
    if (programDirectories.has(directory)) return false;
  }
  return false;
}

const plainTestName = /_test\.\w+$/;
const testNames: Record<string, RegExp> = {
  py: /^(?:test_.*|.*_test|tests?|conftest)\.py$/,
  go: plainTestName,
  rs: /^(?:tests?|.*_tests?|test_.*)\.rs$/,
  rb: /(?:_spec|_test|^spec_helper|^rails_helper|^test_helper)\.rb$/,
  dart: plainTestName,
  ex: plainTestName,
  exs: plainTestName,
  bats: /\.bats$/,
  feature: /\.feature$/,
  cc: /(?:_|^)(?:unit)?tests?\.cc$/,
  cpp: /(?:_|^|-)(?:unit)?tests?\.cpp$/,
  c: /(?:^test_.*|_test)\.c$/,
};
const scriptTestName = /(?:^|[._-])(?:tests?|spec|test-d|spec-d|tst|cy|e2e|unit)\.(?:d\.)?[cm]?[jt]sx?$/;
const scriptEndings = wordSet('js mjs cjs jsx ts mts cts tsx vue svelte');
// In these languages names are in camel case, so that only the case distinguishes "UnitIT" from "Latest".
const properCaseEndings = wordSet('java kt scala cls cs php swift');
const properCaseTest = /(?:^|[a-z0-9_])(?:Tests?|TestCase|IT|Specs?|Suite|Cest)\.[a-z]+$/;

export function isTestName({ name, ending }: PathParts, path: string): boolean {
  if (scriptEndings.has(ending)) return scriptTestName.test(name);
  return properCaseEndings.has(ending) ? properCaseTest.test(path) : (testNames[ending]?.test(name) ?? false);
}

/** Spec folders contain tests in Ruby and JavaScript, and may contain specifications elsewhere. */
export function isSpecPlace({ directories, ending }: PathParts): boolean {
  if (ending !== 'rb' && !scriptEndings.has(ending)) return false;
  return directories.includes('spec') || directories.includes('specs');
}
