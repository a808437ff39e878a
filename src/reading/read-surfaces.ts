import { commentSigns } from './comment-signs.ts';
import type { FileKind, SurfaceChange } from './facts.ts';
import type { FileDiff, WholeDiff } from './file-diff.ts';
import { partsOf } from './file-places.ts';
import { type SideLine, sidesOf } from './hunk-lines.ts';
import { detachText, wordSet } from './text.ts';

interface Mention {
  name: string;
  text: string;
  line: SideLine;
}

// Programs that only show or measure the real one.
const asideDirectories = wordSet(`
  examples example samples demo demos benchmarks benchmark bench benches playground playgrounds
`);
// Rust keeps tests beside the code.
const rustTest = /#\[(?:\w+::)*test\b|#\[cfg\(test\)\]|\bmod tests?\b|\bTestClient\b|\bassert(?:_eq|_ne)?!/;

export function readSurfaces(
  file: FileDiff,
  kind: FileKind,
  language: string | null,
  whole: WholeDiff,
): SurfaceChange[] {
  const read = readers.get(language ?? '');
  const { directories } = partsOf(file.path);
  if (!read || kind !== 'source' || directories.some((directory) => asideDirectories.has(directory)))
    return [];
  const old: Mention[] = [];
  const current: Mention[] = [];
  for (const hunk of file.hunks) {
    const text = `${hunk.heading}\n${hunk.text()}`;
    if (!/ption|parseArgs|add_argument|[fF]lag|#\[|\.long\(/.test(text)) continue;
    if (language === 'Rust' && rustTest.test(text)) continue;
    const sides = sidesOf(hunk);
    const hasParseArgs = text.includes('parseArgs');
    old.push(...mentionsIn(sides.old, language, read, hasParseArgs));
    current.push(...mentionsIn(sides.new, language, read, hasParseArgs));
  }
  return pairSurfaces(file.path, old, current, whole);
}

function mentionsIn(
  lines: SideLine[],
  language: string | null,
  read: Reader,
  hasParseArgs: boolean,
): Mention[] {
  const { line: comment } = commentSigns(language);
  return lines.flatMap((line, index): Mention[] => {
    if (comment.test(line.text)) return [];
    const [before, after] = [lines[index - 1]?.text ?? '', lines[index + 1]?.text ?? ''];
    const name = read(line.text, { before, after, hasParseArgs });
    // Spaces are for people, and who may see a field says nothing about the option.
    const text = line.text.replace(/^\s*pub(?:\([a-z]+\))? /, '').replaceAll(/\s/g, '');
    return name ? [{ name, text, line }] : [];
  });
}

function pairSurfaces(
  fileName: string,
  old: Mention[],
  current: Mention[],
  whole: WholeDiff,
): SurfaceChange[] {
  const byName = Map.groupBy([...old, ...current], ({ name }) => name);
  const changes = Array.from(byName.values(), (mentions): SurfaceChange[] => {
    if (mentions.some(({ line }) => !line.isChanged)) return [];
    const removed = mentions.find((mention) => old.includes(mention));
    const added = mentions.find((mention) => current.includes(mention));
    const mention = added ?? removed;
    if (!mention || removed?.text === added?.text || whole.isOnBothSides(mention.line.text)) return [];
    const change = removed && added ? 'changed' : added ? 'added' : 'removed';
    const { number } = mention.line;
    const evidence = { fileName, startLine: number, endLine: number, side: added ? 'new' : 'old' } as const;
    return [{ kind: 'commandLineOption', name: detachText(mention.name), change, evidence }];
  });
  return changes.flat().sort((one, other) => one.evidence.startLine - other.evidence.startLine);
}

interface Surroundings {
  before: string;
  after: string;
  hasParseArgs: boolean;
}

type Reader = (text: string, surroundings: Surroundings) => string | null;

const flag = /(--[A-Za-z][\w-]{0,60})/;
const commander =
  /(?:\.(?:option|requiredOption)\(|\bnew Option\()\s{0,2}['"`]((?:-\w,? ?)?--[A-Za-z][\w-]{0,60})/;
const yargs = /\.option\(\s{0,2}['"]([A-Za-z][\w-]{0,60})['"],\s{0,2}\{/;
const yargsField = /\b(?:describe|description|desc|alias|demandOption|type|default)\s?:/;
const parseArgsOption = /^\s*['"]?([A-Za-z][\w-]{0,60})['"]?:\s?\{\s?type:\s?['"](?:string|boolean)['"]/;

function readScript(text: string, { after, hasParseArgs }: Surroundings): string | null {
  const spelled = commander.exec(text)?.[1];
  if (spelled) return flag.exec(spelled)?.[1] ?? null;
  const declared = yargs.exec(text)?.[1];
  if (declared) return yargsField.test(text) || yargsField.test(after) ? `--${declared}` : null;
  const parsed = hasParseArgs ? parseArgsOption.exec(text)?.[1] : undefined;
  return parsed ? `--${parsed}` : null;
}

const pythonCall = /(?:\badd_argument\(|@(?:click\.)?option\(|\btyper\.Option\()(.*)$/;
const pythonOpen = /(?:\badd_argument|@(?:click\.)?option|\btyper\.Option)\(\s*$/;
const pythonFlag = /["'](--[A-Za-z][\w-]{0,60})(?:\/--[\w-]{1,60})?["']/;

function readPython(text: string, { before }: Surroundings): string | null {
  const called = pythonCall.exec(text)?.[1];
  if (called !== undefined) return pythonFlag.exec(called)?.[1] ?? null;
  // Formatters put the arguments of long calls on lines of their own.
  return pythonOpen.test(before) && /^\s*["']-/.test(text) ? (pythonFlag.exec(text)?.[1] ?? null) : null;
}

const cobra = /\b(?:PersistentFlags|LocalFlags|Flags)\(\)\.\w{3,20}\([^"]{0,80}"([A-Za-z][\w.-]{0,60})"/;
const standardFlag =
  /\bflag\.(?:String|Bool|Int|Int64|Uint|Duration|Float64|Var|StringVar|BoolVar|IntVar|DurationVar)\([^"]{0,60}"([A-Za-z][\w.-]{0,60})"/;
const urfaveName = /\bName:\s{0,20}"([A-Za-z][\w-]{0,60})"/;
const urfaveFlag = /\bcli\.\w{2,30}Flag\{/;
// Looking a flag up, marking or hiding it declares nothing.
const cobraLookup = /Flags\(\)\.(?:Mark|Get|Lookup|Set|Changed|Args?|Parse|Add|Visit|Has)/;

function readGo(text: string, { before }: Surroundings): string | null {
  const declared = cobraLookup.test(text) ? undefined : cobra.exec(text)?.[1];
  if (declared) return `--${declared}`;
  const plain = standardFlag.exec(text)?.[1];
  if (plain) return `-${plain}`;
  const named = urfaveFlag.test(text) || urfaveFlag.test(before) ? urfaveName.exec(text)?.[1] : undefined;
  return named ? `--${named}` : null;
}

const clapLong = /\.long\("([A-Za-z][\w-]{0,60})"\)/;
const clapAttribute = /^\s*#\[(?:arg|clap|structopt)\((.*)$/;
const rustField = /^\s*(?:pub(?:\([a-z]+\))? )?(?:r#)?([a-z]\w{0,60}):\s/;

function readRust(text: string, { before }: Surroundings): string | null {
  const built = clapLong.exec(text)?.[1];
  if (built) return `--${built}`;
  const attribute = clapAttribute.exec(text)?.[1];
  const named = attribute && /\blong\s?=\s?"([A-Za-z][\w-]{0,60})"/.exec(attribute)?.[1];
  if (named) return `--${named}`;
  const above = clapAttribute.exec(before)?.[1];
  if (!above || !/\blong\b(?!\s?=)/.test(above)) return null;
  const field = rustField.exec(text)?.[1];
  return field ? `--${field.replaceAll('_', '-')}` : null;
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['JavaScript', readScript],
  ['TypeScript', readScript],
  ['Python', readPython],
  ['Go', readGo],
  ['Rust', readRust],
]);
