import { compareVersions } from '../dependencies/compare-versions.ts';
import type { FileKind } from '../facts.ts';

const number = '(\\d+(?:\\.\\d+){0,2})';

/** What a line of a manifest says is the least that is needed. */
const inManifests: readonly [name: RegExp, platform: string, line: RegExp][] = [
  [/(?:^|\/)go\.mod$/, 'Go', new RegExp(`^go ${number}$`)],
  [/(?:^|\/)Cargo\.toml$/, 'Rust', new RegExp(`^rust-version\\s*=\\s*"${number}"`)],
  [/(?:^|\/)\.?clippy\.toml$/, 'Rust', new RegExp(`^msrv\\s*=\\s*"${number}"`)],
  [/(?:^|\/)package\.json$/, 'Node.js', new RegExp(`^"node":\\s*"(?:>=|\\^)\\s*v?${number}`)],
  [
    /(?:^|\/)pyproject\.toml$/,
    'Python',
    new RegExp(`^(?:requires-python|python)\\s*=\\s*"(?:>=|\\^|~=)\\s*${number}`),
  ],
  [/(?:^|\/)setup\.(?:py|cfg)$/, 'Python', new RegExp(`python_requires\\s*=\\s*["']?>=\\s*${number}`)],
  [/(?:^|\/)composer\.json$/, 'PHP', new RegExp(`^"php":\\s*"(?:>=|\\^)\\s*${number}`)],
  [/\.gemspec$/, 'Ruby', new RegExp(`required_ruby_version\\s*=\\s*["']>=\\s*${number}`)],
];

const platforms = ['Go', 'Node.js', 'Python', 'Ruby', 'PHP', 'Java', 'Rust'];
const keys = new Map(platforms.map((name) => [name.toLowerCase().replace('.js', ''), name]));
/** A list of versions on which everything is tried: the lowest of them is the least that works. */
const inWorkflows = /^-?\s*(go|node|python|ruby|php|java|rust)(?:[-_]?versions?)?:\s*\[([^\]]{1,300})\]/i;

const names = 'Go(?:lang)?|Node(?:\\.js)?|Python|Rust|Ruby|PHP|Java';
const inSentences: readonly RegExp[] = [
  // "Go 1.14+", "Python 3.8 or newer", "[Go](https://go.dev) installed (version 1.14+ is required)"
  new RegExp(
    `\\b(${names})\\b(?:\\]\\([^)]{0,80}\\))?[^.;\\d]{0,40}?v?${number}\\s*(?:\\+|(?:or|and) (?:later|newer|higher|above|up)\\b)`,
    'i',
  ),
  // "requires Go 1.14", "at least Node.js 20"
  new RegExp(
    `\\b(?:requires?|at least|minimum(?: supported)?(?: version(?: of)?)?|needs?)\\s+(${names})\\s*(?:version\\s*)?(?:>=\\s*)?v?${number}`,
    'i',
  ),
];

/** The platforms of which a line names the lowest version that is supported, each with that version. */
export function minimumVersions(
  line: string,
  path: string,
  kind: FileKind,
): [platform: string, version: string][] {
  if (!/\d/.test(line)) return [];
  for (const [name, platform, pattern] of inManifests) {
    const version = name.test(path) ? pattern.exec(line)?.[1] : undefined;
    if (version !== undefined) return [[platform, version]];
  }
  if (kind === 'build') {
    const [, key = '', list = ''] = inWorkflows.exec(line) ?? [];
    const platform = keys.get(key.toLowerCase());
    const lowest = lowestOf(list);
    return platform !== undefined && lowest !== null ? [[platform, lowest]] : [];
  }
  if (kind !== 'documentation' && kind !== 'source') return [];
  for (const pattern of inSentences) {
    const [, name = '', version] = pattern.exec(line) ?? [];
    if (version !== undefined)
      return [[keys.get(name.toLowerCase().replace(/lang|\.js/, '')) ?? name, version]];
  }
  return [];
}

function lowestOf(list: string): string | null {
  const versions = list.match(/\d+(?:\.\d+){0,2}/g) ?? [];
  if (versions.length < 2) return null;
  return versions.reduce((lowest, version) => (raises(version, lowest) ? version : lowest));
}

export const raises = (from: string, to: string): boolean => compareVersions(from, to) === 'upgraded';
