import type { SideLine } from '../hunk-sides.ts';
import type { SurfaceMention } from './mention.ts';

/** What the reader of one line may know of the lines before it and of the hunk. */
interface Surroundings {
  before: string;
  after: string;
  /** Whether the hunk speaks of parseArgs, whose options look like any other object. */
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

export function readCommandLineOptions(
  line: SideLine,
  language: string,
  surroundings: Surroundings,
): SurfaceMention[] {
  const name = readers.get(language)?.(line.text, surroundings);
  // Spaces are for people, and who may see a field says nothing about the option.
  const text = line.text.replace(/^\s*pub(?:\([a-z]+\))? /, '').replaceAll(/\s/g, '');
  return name ? [{ kind: 'commandLineOption', name, text, line }] : [];
}
