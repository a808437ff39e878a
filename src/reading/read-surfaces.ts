import { commentSigns } from './comment-signs.ts';
import type { FileKind, SurfaceChange } from './facts.ts';
import type { FileDiff, Hunk } from './file-diff.ts';
import { type SideLine, sidesOf } from './hunk-sides.ts';
import { type PathParts, partsOf } from './path-parts.ts';
import { readCommandLineOptions } from './surfaces/command-line-options.ts';
import { readIndentedKeys, readSectionKeys } from './surfaces/configuration-keys.ts';
import { readDotenv, readEnvironmentVariables } from './surfaces/environment-variables.ts';
import type { SurfaceMention } from './surfaces/mention.ts';
import { pairSurfaces } from './surfaces/pair-surfaces.ts';
import { readRoutes } from './surfaces/routes.ts';
import { switchedOff } from './surfaces/switched-off.ts';
import type { WholeDiff } from './whole-diff.ts';
import { wordSet } from './word-set.ts';

type SideReader = (lines: SideLine[], hunk: Hunk) => SurfaceMention[];

// Where more keys than this change at once, the file is data that happens to be in the same format.
const mostKeys = 40;

/** What people set or call from outside and can see coming, going or changing in this file. */
export function readSurfaces(
  file: FileDiff,
  kind: FileKind,
  language: string | null,
  whole: WholeDiff,
): SurfaceChange[] {
  const read = chooseReader(file, kind, language);
  if (!read) return [];
  const old: SurfaceMention[] = [];
  const current: SurfaceMention[] = [];
  const hint = kind === 'source' ? hints.get(language ?? '') : undefined;
  for (const hunk of file.hunks) {
    if (hint && !hint.test(hunk.text())) continue;
    const sides = sidesOf(hunk);
    for (const mention of read(sides.old, hunk)) old.push(mention);
    for (const mention of read(sides.new, hunk)) current.push(mention);
  }
  const paired = pairSurfaces(file.path, old, current, whole);
  const isOff = paired.some(({ change }) => change === 'removed') ? switchedOff(file) : new Set<number>();
  const changes = paired.filter(
    ({ change, evidence }) => change !== 'removed' || !isOff.has(evidence.startLine),
  );
  const isData = changes.filter(({ kind }) => kind === 'configurationKey').length > mostKeys;
  return isData ? [] : changes;
}

// Settings of somebody's editor, and programs that only show or measure the real one.
const asideDirectories = wordSet(`
  .vscode .idea .devcontainer .zed examples example samples demo demos benchmarks benchmark bench benches playground
  playgrounds
`);
// The first says how to write, not what to set; what the second names are dependencies.
const asideFiles: ReadonlySet<string> = new Set(['.editorconfig', '.pre-commit-config.yaml']);

function chooseReader(file: FileDiff, kind: FileKind, language: string | null): SideReader | null {
  if (language === null || (kind !== 'source' && kind !== 'configuration')) return null;
  const parts = partsOf(file.path);
  if (parts.directories.some((directory) => asideDirectories.has(directory))) return null;
  if (language === 'Dotenv') return (lines) => lines.flatMap(readDotenv);
  if (kind === 'source') {
    const hint = hints.get(language);
    return hint ? (lines, hunk) => readCode(lines, hunk, { parts, language, hint }) : null;
  }
  if (asideFiles.has(parts.name)) return null;
  // Of a file that is new or gone as a whole, the outermost keys say enough.
  const levels = file.status === 'added' || file.status === 'removed' ? 1 : 2;
  switch (language) {
    case 'JSON':
      return (lines) => readIndentedKeys(lines, 'JSON', levels);
    case 'YAML':
      return (lines) => readIndentedKeys(lines, 'YAML', levels);
    case 'TOML':
    case 'INI':
    case 'Properties':
      return readSectionKeys;
    default:
      return null;
  }
}

const script =
  /\benv\b|\.(?:get|post|put|patch|delete|head|options|all|any)\(|[oO]ption\(|parseArgs|\bmethod: ['"]|\[ ?['"](?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)['"],/;
const jvm = /getenv|Mapping\(|@Path/;
// Every line that a reader can make something of has one of these in it, or follows one that has. What may stand at the
// beginning of a line is blanks and tabs: with other white space, each carriage return would begin a line that goes on to the end.
const hints: ReadonlyMap<string, RegExp> = new Map([
  ['JavaScript', script],
  ['TypeScript', script],
  ['Vue', script],
  ['Svelte', script],
  ['Astro', script],
  ['Python', /environ|getenv|^.?[ \t]*@\w|add_argument|Option\(|(?:path|url)\(/m],
  [
    'Go',
    /Getenv|LookupEnv|Handle|[fF]lags?\(|\bflag\.|Flag\{|\.(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Get|Post|Put|Patch|Delete|Head|Options)\("/,
  ],
  ['Rust', /env(?:::|!)|#\[|\.long\(|\.route\(/],
  ['Ruby', /\bENV\b|^.?[ \t]*(?:get|post|put|patch|delete|resources?)\b/m],
  ['PHP', /env\(|_ENV|Route/],
  ['Java', jvm],
  ['Kotlin', jvm],
  ['Scala', jvm],
  ['Groovy', jvm],
  ['C#', /GetEnvironmentVariable|\.Map[GPD]|\[Http/],
  ['Elixir', /_env|^.?[ \t]*(?:get|post|put|patch|delete|live)\b/m],
  ['C', /getenv/],
  ['C++', /getenv/],
  ['Perl', /\$ENV/],
  ['Dart', /Platform\.environment/],
  ['Swift', /\.environment\[/],
]);
// Rust keeps tests beside the code, and what they set up nobody calls from outside.
const rustTest = /#\[(?:\w+::)*test\b|#\[cfg\(test\)\]|\bmod tests?\b|\bTestClient\b|\bassert(?:_eq|_ne)?!/;

interface Code {
  parts: PathParts;
  language: string;
  hint: RegExp;
}

function readCode(lines: SideLine[], hunk: Hunk, { parts, language, hint }: Code): SurfaceMention[] {
  const mentions: SurfaceMention[] = [];
  if (language === 'Rust' && rustTest.test(`${hunk.heading}\n${hunk.text()}`)) return mentions;
  const hasParseArgs =
    hunk.heading.includes('parseArgs') || lines.some(({ text }) => text.includes('parseArgs'));
  const { line: comment } = commentSigns(language);
  let before = '';
  let wasHinted = false;
  for (const [index, line] of lines.entries()) {
    const isHinted = hint.test(line.text);
    if ((isHinted || wasHinted || hasParseArgs) && !comment.test(line.text)) {
      const after = lines[index + 1]?.text ?? '';
      mentions.push(
        ...readEnvironmentVariables(line, language),
        ...readRoutes(line, language, parts),
        ...readCommandLineOptions(line, language, { before, after, hasParseArgs }),
      );
    }
    before = line.text;
    wasHinted = isHinted;
  }
  return mentions;
}
