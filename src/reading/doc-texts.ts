import { commentEnd, commentSigns } from './comment-signs.ts';
import { splitLine } from './description/sentences.ts';
import type { Evidence, FileFacts } from './facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from './file-diff.ts';

const decoration = /^\s*(?:@[\w.]+.*|#\[.*\]|\[[\w(].*\])\s*$/;

type Lines = ReadonlyMap<number, string>;

export function docOf(
  { hunks }: FileDiff,
  { startLine, endLine }: Evidence,
  language: string | null,
): string | null {
  const lines: Lines = new Map(
    hunks.flatMap((hunk) =>
      linesOf(hunk).flatMap((line) => (line.newLine ? [[line.newLine, line.text.trim()]] : [])),
    ),
  );
  const above = commentAbove(lines, startLine, commentSigns(language).line);
  return firstSentence(above) ?? firstSentence(docstring(lines, startLine, endLine));
}

function commentAbove(lines: Lines, startLine: number, sign: RegExp): string {
  const comment: string[] = [];
  for (let number = startLine - 1; number > startLine - 60; number--) {
    const text = lines.get(number);
    if (text === undefined) break;
    if (sign.test(text) && !/^#\[/.test(text))
      comment.unshift(text.replace(sign, '').replace(commentEnd, '').trim());
    else if (comment.length > 0 || !decoration.test(text)) break;
  }
  const [paragraph = ''] = comment
    .map((line) => line.replace(/^\*\s|<\/?(?:summary|remarks|para|returns|value|example)>/g, '').trim())
    .filter((line) => line !== '/' && !/^[-=*#_~]{3,}$/.test(line))
    .join('\n')
    .split(/\n\s*\n|\n(?=@|-\s)/);
  return paragraph.replaceAll('\n', ' ').trim();
}

function docstring(lines: Lines, startLine: number, endLine: number): string {
  const last = Math.min(endLine, startLine + 24);
  for (let number = startLine + 1; number <= last; number++) {
    const opened = /^[rub]?("""|''')(.*)$/.exec(lines.get(number) ?? '');
    if (!opened) continue;
    const [, quote = '', first = ''] = opened;
    const said: string[] = [];
    for (let text = first; number <= last; text = lines.get(++number) ?? '') {
      const end = text.indexOf(quote);
      said.push((end < 0 ? text : text.slice(0, end)).trim());
      if (end >= 0 || (text === '' && said.some((one) => one !== ''))) break;
    }
    return said.join(' ').trim();
  }
  return '';
}

/** Comments for tools, licenses and disabled code say nothing about what the code is for. */
const notForReaders =
  /eslint|prettier|biome-|@ts-|tslint|nolint|noqa|noinspection|istanbul|c8 ignore|v8 ignore|pragma|copyright|spdx|licen[cs]e|#region|type: ignore|pylint|rubocop|clippy|coverage|\btodo\b|\bfixme\b|\bxxx\b|^@\w|^\W*(?:if|for|while|return|const|let|var|import|export|def|func|fn|end)\b.*[({;=]|[;{]$|=>|^[\w.]+\(.*\)$|\{@|<\w+\s+(?:cref|name|langword|href|paramref)=|\s--?[a-z][\w-]*[= ]|&&|\|\||\$[\w{(]/i;

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

export function helpOf({ path, hunks }: FileDiff, { startLine }: Evidence): string | null {
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
    : path.endsWith('.rs')
      ? wholeSentence(
          commentAbove(
            new Map(own.map(({ newLine, text }) => [newLine ?? 0, text.trim()])),
            startLine,
            /^\/\/\/\s?/,
          ),
          '',
        )
      : null;
}

function lastLiteral(line: string): RegExpExecArray | null {
  const all = Array.from(line.matchAll(new RegExp(literal, 'g')));
  const last = all.at(-1);
  return last && /\s/.test(last[2] ?? '') && all.length > 1 ? (last as RegExpExecArray) : null;
}

/** If a text continues in another literal, only its first whole sentence is known. */
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

function isDocTextOpen(line: string, name: string, language: string | null): boolean {
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
      // A name that is new and deprecated at once was never meant to be used.
      if (
        !below ||
        name === undefined ||
        below.side === 'added' ||
        !isDocTextOpen(below.text, name, language)
      )
        return [];
      const [note = ''] = splitLine((found[1] ?? '').replace(/\*\/\s*$/, '').trim());
      const evidence: Evidence = { fileName: path, startLine: newLine, endLine: newLine, side: 'new' };
      return [
        {
          name: owner === undefined ? name : `${owner}.${name}`,
          note: isWholeNote(note, shown[at + 1]?.text ?? '') ? note : null,
          evidence,
        },
      ];
    });
  });
}

const isWholeNote = (note: string, next: string): boolean =>
  /\p{L}{2,}\s+\S/u.test(note) &&
  note.length < 220 &&
  (/[.!]$/.test(note) || !/^\s*(?:\/\/|\*(?!\/)|#)\s*\S/.test(next));

interface ChangelogEntry {
  text: string;
  evidence: Evidence;
}

export const changelogName =
  /(?:^|\/)(?:changelog|changes|history|news|release[-_ ]?notes|whats[-_ ]?new)[^/]*$/i;

const codeEnding = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h)$/;
const bullet = /^(\s*)[-*+•]\s+/;
const isEntry = (text: string): boolean =>
  /\p{L}{3,}.*\s\S+\s/u.test(text) && !/^(?:#|=+$|-+$|\[?v?\d+\.\d)/.test(text) && !/[:：]$/.test(text);

export const changelogEntries = (diff: FileDiff[]): ChangelogEntry[] =>
  diff
    .filter(({ path }) => changelogName.test(path) && !codeEnding.test(path))
    .flatMap(({ path, hunks }) => hunks.flatMap((hunk) => entriesIn(hunk, path)));

function entriesIn(hunk: Hunk, fileName: string): ChangelogEntry[] {
  const lines = linesOf(hunk);
  const texts = new Set(lines.filter(({ side }) => side !== 'removed').map(({ text }) => text.trim()));
  if (lines.some(({ side, text }) => side === 'removed' && isEntry(text.trim()) && !texts.has(text.trim())))
    return [];
  const entries: DiffLine[][] = [];
  let current: DiffLine[] = [];
  for (const line of lines.filter(({ side }) => side !== 'removed')) {
    const isBlank = line.text.trim() === '';
    const indent = bullet.exec(line.text)?.[1]?.length;
    const outer = bullet.exec(current[0]?.text ?? '')?.[1]?.length ?? 0;
    if (isBlank || (indent !== undefined && indent <= outer)) current = [];
    if (isBlank) continue;
    if (current.length === 0) entries.push(current);
    current.push(line);
  }
  return entries.flatMap((own) => {
    const [first, last] = [own[0]?.newLine, own.at(-1)?.newLine];
    const isNested = own.some(
      ({ text }, index) => /^\s{2,}/.test(text) && (index === 0 || bullet.test(text)),
    );
    if (!first || !last || isNested || own.some(({ side }) => side !== 'added')) return [];
    const text = own.map((line) => line.text.trim()).join(' ');
    const entry = text.replace(bullet, '');
    return isEntry(entry)
      ? [{ text: entry, evidence: { fileName, startLine: first, endLine: last, side: 'new' as const } }]
      : [];
  });
}
