import { commentSigns } from './comment-signs.ts';
import type { FileKind, SurfaceChange } from './facts.ts';
import type { FileDiff, WholeDiff } from './file-diff.ts';
import { partsOf } from './file-places.ts';
import { isFreshOption } from './fresh-names.ts';
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
  { whole, fresh }: { whole: WholeDiff; fresh: readonly string[] | null },
): SurfaceChange[] {
  const read = readers.get(language ?? '');
  const { directories } = partsOf(file.path);
  if (!read || kind !== 'source' || directories.some((directory) => asideDirectories.has(directory)))
    return [];
  const { line: comment } = commentSigns(language);
  const mentionsIn = (lines: SideLine[]): Mention[] =>
    lines.flatMap((line, index): Mention[] => {
      const name = comment.test(line.text) ? undefined : read(line.text, lines[index - 1]?.text ?? '');
      // Spaces are for people, and who may see a field says nothing about the option.
      const text = line.text.replace(/^\s*pub(?:\([a-z]+\))? /, '').replaceAll(/\s/g, '');
      return name ? [{ name, text, line }] : [];
    });
  const old: Mention[] = [];
  const current: Mention[] = [];
  for (const hunk of file.hunks) {
    const text = `${hunk.heading}\n${hunk.text()}`;
    if (!/ption|add_argument|[fF]lag|#\[|\.long\(/.test(text)) continue;
    if (language === 'Rust' && rustTest.test(text)) continue;
    const sides = sidesOf(hunk);
    old.push(...mentionsIn(sides.old));
    current.push(...mentionsIn(sides.new));
  }
  return pairSurfaces(file.path, old, current, whole).map((one) => ({
    ...one,
    isNew: one.change === 'added' && (fresh === null || isFreshOption(one.name, fresh)),
  }));
}

function pairSurfaces(
  fileName: string,
  old: Mention[],
  current: Mention[],
  whole: WholeDiff,
): Omit<SurfaceChange, 'isNew'>[] {
  const byName = Map.groupBy([...old, ...current], ({ name }) => name);
  const changes = Array.from(byName.values(), (mentions): Omit<SurfaceChange, 'isNew'>[] => {
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

type Reader = (text: string, before: string) => string | undefined;

const commander =
  /(?:\.(?:option|requiredOption)\(|\bnew Option\()\s{0,2}['"`](?:-\w,? ?)?(--[A-Za-z][\w-]{0,60})/;
const readScript: Reader = (text) => commander.exec(text)?.[1];

const pythonCall = /(?:\badd_argument|@(?:click\.)?option|\btyper\.Option)\((.*)$/;
const pythonFlag = /["'](--[A-Za-z][\w-]{0,60})(?:\/--[\w-]{1,60})?["']/;

function readPython(text: string, before: string): string | undefined {
  // Formatters put the arguments of long calls on lines of their own.
  const isBelow = pythonCall.exec(before)?.[1]?.trim() === '' && /^\s*["']-/.test(text);
  return pythonFlag.exec(pythonCall.exec(text)?.[1] ?? (isBelow ? text : ''))?.[1];
}

const cobra = /\b(?:PersistentFlags|LocalFlags|Flags)\(\)\.\w{3,20}\([^"]{0,80}"([A-Za-z][\w.-]{0,60})"/;
const standardFlag =
  /\bflag\.(?:String|Bool|Int|Int64|Uint|Duration|Float64|Var|StringVar|BoolVar|IntVar|DurationVar)\([^"]{0,60}"([A-Za-z][\w.-]{0,60})"/;
// Looking a flag up, marking or hiding it declares nothing.
const cobraLookup = /Flags\(\)\.(?:Mark|Get|Lookup|Set|Changed|Args?|Parse|Add|Visit|Has)/;

function readGo(text: string): string | undefined {
  const declared = cobraLookup.test(text) ? undefined : cobra.exec(text)?.[1];
  const plain = standardFlag.exec(text)?.[1];
  return declared ? `--${declared}` : plain && `-${plain}`;
}

const clapAttribute = /^\s*#\[(?:arg|clap)\((.*)$/;
const clapLong =
  /\.long\("([A-Za-z][\w-]{0,60})"\)|^\s*#\[(?:arg|clap)\(.*\blong\s?=\s?"([A-Za-z][\w-]{0,60})"/;
const rustField = /^\s*(?:pub(?:\([a-z]+\))? )?(?:r#)?([a-z]\w{0,60}):\s/;

function readRust(text: string, before: string): string | undefined {
  const [, built, named] = clapLong.exec(text) ?? [];
  if (built ?? named) return `--${built ?? named}`;
  const isLong = /\blong\b(?!\s?=)/.test(clapAttribute.exec(before)?.[1] ?? '');
  const field = isLong ? rustField.exec(text)?.[1] : undefined;
  return field && `--${field.replaceAll('_', '-')}`;
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['JavaScript', readScript],
  ['TypeScript', readScript],
  ['Python', readPython],
  ['Go', readGo],
  ['Rust', readRust],
]);
