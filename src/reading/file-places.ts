import type { PathParts } from './path-parts.ts';
import {
  generatedDirectories,
  generatedFiles,
  generatedSuffixes,
  vendoredDirectories,
  vendoredFiles,
} from './well-known-files.ts';
import { wordSet } from './word-set.ts';

const fixtureDirectories = wordSet(
  'fixtures fixture __fixtures__ testdata test-data test_data test-fixtures test_fixtures __testfixtures__ goldens golden mocks __mocks__ _snaps',
);
const testDirectories = wordSet(
  'test tests __tests__ __test__ e2e cypress integration-tests integration_tests integrationtests unit-tests acceptance-tests androidtest unittests test-suite testsuite testlib testutil testutils test-utils test_utils testhelpers test-helpers',
);
const testSuffixes = ['.tests', '.test', '-tests', '_tests', '-e2e'];
const documentDirectories = wordSet('docs doc documentation');
// Inside these a folder called "docs" or "vendor" is a part of the program.
const programDirectories = wordSet('src lib internal pkg app java kotlin crates cmd');
const compiledEndings = wordSet('js mjs cjs css map json');

/** What others wrote and somebody copied in. */
export function isVendoredPlace({ directories, name, path }: PathParts): boolean {
  if (vendoredFiles.has(name)) return true;
  for (const directory of directories) {
    if (vendoredDirectories.has(directory)) return !isJavaPackage(directories, directory);
  }
  if (path.includes('.yarn/releases/') || path.includes('.yarn/plugins/')) return true;
  return /^jquery(?:-ui)?[-.]\d/.test(name);
}

function isJavaPackage(directories: string[], directory: string): boolean {
  const java = directories.indexOf('java');
  return java >= 0 && java < directories.indexOf(directory);
}

/** What a program wrote, by where it is and what it is called. */
export function isGeneratedPlace({ directories, name, ending }: PathParts): boolean {
  if (generatedFiles.has(name)) return true;
  if (name.startsWith('zz_generated')) return true;
  for (const suffix of generatedSuffixes) if (name.endsWith(suffix)) return true;
  for (const directory of directories) if (generatedDirectories.has(directory)) return true;
  if (name === 'schema.rb' || name === 'structure.sql') return directories.at(-1) === 'db';
  return directories.includes('dist') && compiledEndings.has(ending);
}

/** What tests work on: it looks like source, settings or manifests, and is none of them. */
export function isFixturePlace({ directories }: PathParts): boolean {
  return directories.some((directory) => fixtureDirectories.has(directory));
}

/** Where programs that are built by Gradle and Maven have what they ship: a library to test with is no test itself. */
const shippedPlace = /(?:^|\/)src\/\w*main\/(?:java|kotlin|scala|groovy)\//;

export const isShippedPlace = ({ path }: PathParts): boolean => shippedPlace.test(path);

/** Elm has its tests beside its sources; what is called so among them is a module that a package may show. */
const elmModule = /(?:^|\/)src\/test\/.*\.elm$/;

export function isTestDirectory({ directories, path }: PathParts): boolean {
  if (elmModule.test(path)) return false;
  // Inside of what is shipped, folders are packages.
  const shipped = shippedPlace.exec(path);
  const outer = shipped ? path.slice(0, shipped.index).split('/') : directories;
  // Deeper down it may be a part of the program that has to do with others.
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

const testNames: Record<string, RegExp> = {
  py: /^(?:test_.*|.*_test|tests?|conftest)\.py$/,
  go: /_test\.go$/,
  rs: /^(?:tests?|.*_tests?|test_.*)\.rs$/,
  rb: /(?:_spec|_test|^spec_helper|^rails_helper|^test_helper)\.rb$/,
  java: /(?:tests?|testcase|it|spec)\.java$/,
  kt: /(?:tests?|spec)\.kt$/,
  scala: /(?:tests?|spec|suite)\.scala$/,
  cls: /tests?\.cls$/,
  cs: /(?:test|spec)s?\.cs$/,
  php: /(?:test|cest|spec)\.php$/,
  swift: /(?:tests?|spec)\.swift$/,
  dart: /_test\.dart$/,
  ex: /_test\.ex$/,
  exs: /_test\.exs$/,
  bats: /\.bats$/,
  feature: /\.feature$/,
  cc: /(?:_|^)(?:unit)?tests?\.cc$/,
  cpp: /(?:_|^|-)(?:unit)?tests?\.cpp$/,
  c: /(?:^test_.*|_test)\.c$/,
};
const scriptTestName = /(?:^|[._-])(?:tests?|spec|test-d|spec-d|tst|cy|e2e|unit)\.(?:d\.)?[cm]?[jt]sx?$/;
const scriptEndings = wordSet('js mjs cjs jsx ts mts cts tsx vue svelte');
// In Java and its kin the words run together, so that the case tells "UnitIT" and "Latest" apart.
const properCaseEndings = wordSet('java kt scala cls cs php swift');
const properCaseTest = /(?:^|[a-z0-9_])(?:Tests?|TestCase|IT|Specs?|Suite|Cest)\.[a-z]+$/;

export function isTestName({ name, ending }: PathParts, path: string): boolean {
  if (scriptEndings.has(ending)) return scriptTestName.test(name);
  const pattern = testNames[ending];
  if (!pattern?.test(name)) return false;
  return !properCaseEndings.has(ending) || properCaseTest.test(path);
}

/** Spec folders of Ruby and JavaScript hold tests; those of others may hold specifications. */
export function isSpecPlace({ directories, ending }: PathParts): boolean {
  if (ending !== 'rb' && !scriptEndings.has(ending)) return false;
  return directories.includes('spec') || directories.includes('specs');
}
