import type { DescriptionClaim, FileFacts, UnitChange } from '../facts.ts';
import { findStatedClaims, type StatedClaim } from './find-claims.ts';
import { isPath } from './mentions.ts';

const testPath =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|__snapshots__|testdata|fixtures?|e2e|playground|cypress|examples?|mocks?|stories)(?:[/._-]|$)|[a-z]Tests?\.|_test\b|\btest_/i;
const documentationPath =
  /(?:^|[/._-])(?:docs?|documentation|readme|change-?log|changes|changesets?|www|website|site|guides?|manual|wiki|news|history)(?:[/._-]|$)|\.(?:mdx?|rst|adoc|txt|1)$/i;
const dependencyPath =
  /(?:^|\/)(?:package\.json|go\.mod|go\.sum|cargo\.toml|pyproject\.toml|poetry\.lock|[\w.-]*requirements[\w.-]*\.txt|gemfile|pom\.xml|build\.gradle|dockerfile|deps\.\w+)|\.lock|lock\.ya?ml|(?:^|\/)\.github\/|\.ya?ml$|\.nix$/i;
const readKinds = new Set(['source', 'test']);

/** No honest description states more; it keeps a page of made-up claims from costing a search through the diff each. */
const mostClaims = 100;

interface DiffView {
  files: FileFacts[];
  paths: string[];
  diffMentions: (word: string) => boolean;
}

/** Words of a language that stand in code spans and name nothing of the project, and names that stand for others. */
const standsForOthers =
  /^(?:true|false|null|nil|none|undefined|nan|any|unknown|string|number|boolean|object|array|function|void|never|bigint|symbol|int|float|bool|str|dict|list|x)$|abc|\d{3}|xxx|[a-z]X[A-Z]|\bfoo|\bbar\b|\bbaz|example|\byour/i;
const codeFile = /\.(?:[cm]?[jt]sx?|svelte|vue|d\.ts)$/i;

/**
 * What a description says that cannot be seen in what was changed. `diffMentions` answers whether a word stands anywhere in the
 * diff, context included. A claim is only unseen if the diff has nothing at all that it could mean: to call a true claim
 * unseen is worse than to miss a false one.
 */
export function unseenClaims(
  text: string,
  files: FileFacts[],
  diffMentions: (word: string) => boolean,
): DescriptionClaim[] {
  if (files.length === 0 || text.trim() === '') return [];
  const view = { files, paths: files.flatMap((file) => [file.path, file.previousPath ?? '']), diffMentions };
  return findUnseen(text, view);
}

function findUnseen(text: string, view: DiffView): DescriptionClaim[] {
  // Of what was not read nothing can be said to be absent.
  if (view.files.some((file) => file.skipped !== null && readKinds.has(file.kind))) return [];
  return findStatedClaims(text)
    .filter((claim) => !claim.isHistory)
    .slice(0, mostClaims)
    .filter((claim) => !isSeen(claim, view))
    .map(({ sentence, mentions, subject }) => ({ sentence, mentions, subject }));
}

function isSeen(claim: StatedClaim, { files, paths, diffMentions }: DiffView): boolean {
  switch (claim.subject) {
    case 'tests':
      return hasTests(files) || ['test', 'tests', 'assert', 'doctest'].some(diffMentions);
    case 'documentation':
      return files.some(
        (file) =>
          file.kind === 'documentation' || documentationPath.test(file.path) || file.changes.some(isSpoken),
      );
    case 'dependency':
      return (
        files.some((file) => file.dependencies.length > 0 || dependencyPath.test(file.path)) ||
        claim.mentions.some(diffMentions)
      );
    default:
      return claim.objects.length === 0 || claim.objects.some((name) => isNamed(name, paths, diffMentions));
  }
}

/** What comments say documents code as well. */
const isSpoken = ({ of }: UnitChange): boolean => of === 'comment';

function hasTests(files: FileFacts[]): boolean {
  return files.some((file) => file.kind === 'test' || file.tests.length > 0 || testPath.test(file.path));
}

/** Whether a file has the name, or the diff has it in any spelling that an author may have meant. */
function isNamed(name: string, paths: string[], diffMentions: (word: string) => boolean): boolean {
  const bare = name.replace(/\(.*$/s, '').replace(/^[\s@$#.:/-]{1,20}|[\s.:/;,]{1,20}$/g, '');
  if (bare.length < 3 || !/^[\w$][\w$.:@/#-]*$/.test(bare) || standsForOthers.test(bare)) return true;
  if (isPath(bare)) {
    const base = baseOf(bare);
    return (
      [name, bare, base].some(diffMentions) ||
      paths.some((path) => path.includes(bare) || isSameFile(path, base))
    );
  }
  const words = spellings(bare.split(/[.:#/@]+/).at(-1) ?? bare);
  if ([bare, name, ...words].some(diffMentions)) return true;
  const inPaths = [bare, ...words].filter((word) => word.length > 2).map((word) => word.toLowerCase());
  return paths.some((path) => inPaths.some((word) => path.toLowerCase().includes(word)));
}

function baseOf(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}

/** Authors write `.js` where the file is `.ts`, and the other way round. */
function isSameFile(path: string, base: string): boolean {
  const other = baseOf(path).toLowerCase();
  if (other === base.toLowerCase()) return true;
  const isCode = codeFile.test(other) && codeFile.test(base);
  return isCode && other.replace(codeFile, '') === base.toLowerCase().replace(codeFile, '');
}

function spellings(word: string): string[] {
  const parts = word
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
  const capital = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  const joined = [
    parts.join(''),
    parts.join('_'),
    parts.join('-'),
    parts.join('_').toUpperCase(),
    capital.join(''),
  ];
  const camel = (parts[0] ?? '') + capital.slice(1).join('');
  const singular = word.length > 4 && word.endsWith('s') ? [word.slice(0, -1)] : [`${word}s`];
  return [word, ...joined, camel, capital.join('-'), ...singular];
}
