import { commentEnd } from './comment-signs.ts';
import { isCommentLine } from './compare/units.ts';
import { splitLine } from './description/sentences.ts';
import type { Evidence, FileFacts, SymbolChange } from './facts.ts';
import { type DiffLine, type FileDiff, linesOf } from './file-diff.ts';
import type { HunkLine, HunkLines } from './hunk-lines.ts';
import { detachText } from './text.ts';

const decoration = /^\s*(?:@[\w.]+.*|#\[.*\]|\[[\w(].*\])\s*$/;

export function explainSymbols(hunks: HunkLines[], symbols: SymbolChange[]): void {
  const wanted = symbols.filter(
    ({ change }) => change === 'added' || change === 'signatureChanged' || change === 'renamed',
  );
  if (wanted.length === 0) return;
  const lines = new Map<number, HunkLine>();
  for (const hunk of hunks) {
    for (const line of hunk.new) if (line.newLine !== null) lines.set(line.newLine, line);
  }
  for (const symbol of wanted) {
    const { startLine, endLine } = symbol.evidence;
    if (symbol.evidence.side !== 'new') continue;
    const sentence =
      firstSentence(commentAbove(lines, startLine)) ?? firstSentence(docstring(lines, startLine, endLine));
    symbol.explanation = sentence === null ? null : detachText(sentence);
  }
}

/** A text that documents what is above it says nothing of what is below. */
const explains = (line: HunkLine): boolean =>
  isCommentLine(line) && (line.signs.documents.length === 0 || line.isComment);

function commentAbove(lines: Map<number, HunkLine>, startLine: number): string {
  const comment: HunkLine[] = [];
  for (let number = startLine - 1; number > startLine - 60; number--) {
    const line = lines.get(number);
    if (line === undefined) break;
    if (explains(line)) comment.unshift(line);
    else if (comment.length > 0 || !decoration.test(line.text)) break;
  }
  return commentText(comment);
}

function docstring(lines: Map<number, HunkLine>, startLine: number, endLine: number): string {
  const last = Math.min(endLine, startLine + 24);
  for (let number = startLine + 1; number <= last; number++) {
    const opened = /^[rub]?("""|''')(.*)$/.exec(lines.get(number)?.text ?? '');
    if (!opened) continue;
    const [, quote = '', first = ''] = opened;
    const said: string[] = [];
    for (let text = first; number <= last; text = lines.get(++number)?.text ?? '') {
      const end = text.indexOf(quote);
      said.push((end < 0 ? text : text.slice(0, end)).trim());
      if (end >= 0 || (text === '' && said.some((one) => one !== ''))) break;
    }
    return said.join(' ').trim();
  }
  return '';
}

const closing = /(?<!\s)\s*(?:"""|''')\s*$/;
const opensDocument = /^[rRuU]?(?:"""|''')/;

/** Words to a tool, a licence, or code that was switched off: not what somebody wants to tell a reader. */
const notForReaders =
  /eslint|prettier|biome-|@ts-|tslint|nolint|noqa|noinspection|istanbul|c8 ignore|v8 ignore|pragma|copyright|spdx|licen[cs]e|#region|type: ignore|pylint|rubocop|clippy|coverage|\btodo\b|\bfixme\b|\bxxx\b|^@\w|^\W*(?:if|for|while|return|const|let|var|import|export|def|func|fn|end)\b.*[({;=]|[;{]$|=>|^[\w.]+\(.*\)$|\{@|<\w+\s+(?:cref|name|langword|href|paramref)=|\s--?[a-z][\w-]*[= ]|&&|\|\||\$[\w{(]/i;

const documentTags = /<\/?(?:summary|remarks|para|returns|value|example)>/g;

function commentText(lines: HunkLine[]): string {
  return (
    lines
      .map(({ text, signs }) =>
        text
          .replace(signs.line, '')
          .replace(opensDocument, '')
          .replace(closing, '')
          .replace(commentEnd, '')
          // A box of signs around a heading.
          .replace(/(?<!\s)\s+(?:--+|#+|\/\/+|;+|%+)$/, '')
          .replace(/^\*\s/, '')
          .replace(documentTags, '')
          .trim(),
      )
      .filter((line) => line !== '/' && !/^[-=*#_~]{3,}$/.test(line))
      .join('\n')
      .split(/\n\s*\n|\n(?=@|-\s)/)[0]
      ?.replaceAll('\n', ' ')
      .trim() ?? ''
  );
}

function firstSentence(comment: string): string | null {
  const [sentence = ''] = splitLine(comment.replace(/^@(?:description|summary|brief)\s+/i, ''));
  const words = sentence.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
  const isWide = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/u.test(sentence);
  if ((words < 4 && !isWide) || sentence.length > 220 || notForReaders.test(sentence)) return null;
  return /[{}]|\w\(\)?.*\)\s*\{|:$/.test(sentence) ? null : sentence;
}

const literal = String.raw`(["'\x60])((?:(?!\1)[^\\\n]|\\.){4,300})\1`;
const named = new RegExp(
  String.raw`(?:\.(?:help|about|description)\(|\b(?:help|about|describe|description|desc|Usage|Short)\s{0,20}[:=]\s{0,20}\(?)\s{0,20}${literal}`,
);
const declares =
  /Arg::new\(|\.long\(|#\[arg|add_argument\(|option\(|Option\(|Flags\(\)|\bflag\.|Flag\{|\.command\(|Command\{/;
const positional = /\.option\(|\bOption\(|Flags\(\)\.|\bflag\.\w+\(|\.command\(/;

const reach = 10;

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

export interface NewCommand {
  name: string;
  help: string | null;
  evidence: Evidence;
}

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

export interface Deprecation {
  name: string;
  note: string | null;
  evidence: Evidence;
}

const mark =
  /^\s*(?:(?:\/\/[/!]?|\/?\*+|#)\s*(?:@deprecated\b:?|Deprecated:)\s*(.*)|#\[deprecated\b.*|@Deprecated\b.*|@(?:\w+\.)*deprecated\b.*|\[Obsolete\b.*)$/;
const between = /^\s*(?:\/\/|\/?\*|#|@|\[|$)/;
const declared =
  /^\s*(?:(?:export|default|declare|pub|public|static|final|abstract|async|override|open|virtual|sealed|const|unsafe)\s+)*(?:func(?:\s*\(\s*\w*\s*\*?(\w+)[^)]*\))?|fn|def|fun|class|function|const|let|var|val|type|struct|enum|interface|trait)\s+([\p{L}_$][\w$]*)/u;
const method = /^\s*(?:public|export)\s[\w<>[\],.? ]*?\b([\p{L}_$][\w$]*)\s*\(/u;

function isOpen(line: string, name: string, language: string | null): boolean {
  if (language === 'Go') return /^\p{Lu}/u.test(name);
  if (language === 'Python' || language === 'Ruby') return !name.startsWith('_');
  return /\b(?:pub|public|export)\b(?!\s*\()/.test(line);
}

export function deprecationsIn({ path, language }: FileFacts, { hunks }: FileDiff): Deprecation[] {
  return hunks.flatMap((hunk) => {
    const lines = linesOf(hunk);
    const gone = new Set(lines.filter(({ side }) => side === 'removed').map(({ text }) => text.trim()));
    const shown = lines.filter(({ side }) => side !== 'removed');
    return shown.flatMap(({ side, text, newLine }, at): Deprecation[] => {
      const found = side === 'added' && !gone.has(text.trim()) ? mark.exec(text) : null;
      if (!found || newLine === null) return [];
      const below = shown.slice(at + 1, at + 12).find((line) => !between.test(line.text));
      const [, owner, plain] = declared.exec(below?.text ?? '') ?? [];
      const name = plain ?? method.exec(below?.text ?? '')?.[1];
      // What is new and deprecated at once was never to be used.
      if (!below || name === undefined || below.side === 'added' || !isOpen(below.text, name, language))
        return [];
      const [note = ''] = splitLine((found[1] ?? '').replace(/\*\/\s*$/, '').trim());
      const evidence: Evidence = { fileName: path, startLine: newLine, endLine: newLine, side: 'new' };
      return [
        {
          name: owner === undefined ? name : `${owner}.${name}`,
          note: isWhole(note, shown[at + 1]?.text ?? '') ? note : null,
          evidence,
        },
      ];
    });
  });
}

const isWhole = (note: string, next: string): boolean =>
  /\p{L}{2,}\s+\S/u.test(note) &&
  note.length < 220 &&
  (/[.!]$/.test(note) || !/^\s*(?:\/\/|\*(?!\/)|#)\s*\S/.test(next));
