import { splitLine } from './description/sentences.ts';
import type { Evidence, FileFacts } from './facts.ts';
import { type DiffLine, type FileDiff, linesOf } from './file-diff.ts';

const literal = String.raw`(["'\x60])((?:(?!\1)[^\\\n]|\\.){4,300})\1`;
const named = new RegExp(
  String.raw`(?:\.(?:help|about|description)\(|\b(?:help|about|describe|description|desc|Usage|Short)\s{0,20}[:=]\s{0,20}\(?)\s{0,20}${literal}`,
);
const declares =
  /Arg::new\(|\.long\(|#\[arg|add_argument\(|option\(|Option\(|Flags\(\)|\bflag\.|Flag\{|\.command\(|Command\{/;
/** Calls that take the text behind the name, without a word for it. */
const positional = /\.option\(|\bOption\(|Flags\(\)\.|\bflag\.\w+\(|\.command\(/;

/** How many lines below its name a help text may be. */
const reach = 10;

/** What the program itself says of an option or command that is declared on some line; the first sentence. */
export function helpOf({ hunks }: FileDiff, { startLine }: Evidence): string | null {
  const lines = hunks.map((hunk) => linesOf(hunk).filter(({ newLine }) => newLine !== null));
  const own = lines.find((some) => some.some(({ newLine }) => newLine === startLine)) ?? [];
  const at = own.findIndex(({ newLine }) => newLine === startLine);
  const next = own.findIndex(({ text }, index) => index > at && index > at + 1 && declares.test(text));
  const below = own.slice(at, Math.min(at + reach, next < 0 ? own.length : next)).map(({ text }) => text);
  const [first = ''] = below;
  const found = named.exec(below.join('\n')) ?? (positional.test(first) ? lastLiteral(first) : null);
  return found
    ? wholeSentence(
        found[2] ?? '',
        below.join('\n').slice(below.join('\n').indexOf(found[0]) + found[0].length),
      )
    : docAbove(own, at);
}

function lastLiteral(line: string): RegExpExecArray | null {
  const all = Array.from(line.matchAll(new RegExp(literal, 'g')));
  const last = all.at(-1);
  return last && /\s/.test(last[2] ?? '') && all.length > 1 ? (last as RegExpExecArray) : null;
}

/** A text that goes on in another literal is known up to the end of its first sentence only. */
function wholeSentence(text: string, behind: string): string | null {
  const plain = text
    .replace(/\\n/g, ' ')
    .replace(/\\(["'`])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const sentences = splitLine(plain);
  const [first = ''] = sentences;
  const goesOn = /^\s*(?:\+\s*)?["'`\\]/.test(behind);
  const isWhole = sentences.length > 1 || !goesOn || /[.!?。]$/.test(first);
  const isSentence = /\p{L}{2,}\S*\s+\S/u.test(first) && !/[{}%<>$]/.test(first);
  return isWhole && isSentence ? first : null;
}

/** Rust takes what documents a field as the help of its option. */
function docAbove(lines: DiffLine[], at: number): string | null {
  const said: string[] = [];
  for (let above = at - 1; above >= 0; above--) {
    const text = lines[above]?.text.trim() ?? '';
    if (/^#\[/.test(text) && said.length === 0) continue;
    if (!text.startsWith('///')) break;
    said.unshift(text.replace(/^\/\/\/\s?/, ''));
  }
  const [paragraph = ''] = said.join('\n').split(/\n\s*\n/);
  return paragraph === '' ? null : wholeSentence(paragraph.replaceAll('\n', ' '), '');
}

/** A command of a program that came. */
export interface NewCommand {
  name: string;
  help: string | null;
  evidence: Evidence;
}

/** How a command is declared, and how a line shows that the declaration is one, by language. */
const commands: Record<string, RegExp> = {
  Go: /^\s*Use:\s+"([a-z][\w-]*)/,
  Python: /\.add_parser\(\s*["']([a-z][\w-]*)["']/,
  JavaScript: /\.command\(\s*["'`]([a-z][\w:-]*)/,
  TypeScript: /\.command\(\s*["'`]([a-z][\w:-]*)/,
  Rust: /\bsubcommand\(\s*(?:clap::)?Command::new\("([a-z][\w-]*)"\)/,
};

export function newCommands({ language, path, status }: FileFacts, file: FileDiff): NewCommand[] {
  const pattern = commands[language ?? ''];
  if (!pattern || status === 'removed') return [];
  const lines = file.hunks.flatMap(linesOf);
  const namesOn = (side: DiffLine['side']): Set<string> =>
    new Set(lines.filter((line) => line.side === side).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []));
  const known = new Set([...namesOn('removed'), ...namesOn('context')]);
  return lines.flatMap(({ side, text, newLine }) => {
    const name = side === 'added' ? pattern.exec(text)?.[1] : undefined;
    if (name === undefined || newLine === null || known.has(name)) return [];
    known.add(name);
    const evidence: Evidence = { fileName: path, startLine: newLine, endLine: newLine, side: 'new' };
    return [{ name, help: helpOf(file, evidence), evidence }];
  });
}
