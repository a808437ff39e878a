import { type CommentSigns, commentSignsIn, type Fence } from '../../reading/comment-signs.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { readsAsText } from '../../reading/reads-as-text.ts';
import { documentLanguages } from '../../reading/well-known-files.ts';

/** Documents say everything in prose, whatever their lines begin with. */
export const isDocumentPath = (path: string): boolean =>
  /\.(?:md|mdx|markdown|rst|rdoc|adoc|asciidoc|textile|txt|org|pod)$/i.test(path);

/** Whether a file is to be read as a document: what lies among documents may be code or settings. */
export const readsAsDocument = ({ path, kind, language }: FileFacts): boolean =>
  isDocumentPath(path) ||
  (kind === 'documentation' && (language === null || documentLanguages.has(language)));

/** A line of a longer text, whose beginning and end are not shown: words, and none of the signs that code is made of. */
const readsAsWords = (text: string): boolean => {
  const plain = text.replace(/`[^`]*`/g, 'x');
  if (/\w\(/.test(plain)) return false;
  return isManyWords(plain) || /^\s*[a-z]+(?: [a-z]+){2,}[.,]?\s*$/.test(plain);
};

const wordSigns = /^[\p{L}'"(][\p{L}\d'’,.\-/() ]*$/u;

/** Nothing but words, of which the last three stand one blank apart. A single pattern for it would look from each word on. */
function isManyWords(text: string): boolean {
  const words = text.trim().replace(/:$/, '');
  const [, ...others] = words.split(' ');
  return wordSigns.test(words) && others.length >= 3 && others.slice(-3).every((word) => word !== '');
}

/** Elsewhere, texts of several lines are values. */
const texts: Fence[] = [
  { open: /^\s*[rRuU]?"""/, close: /"""/ },
  { open: /^\s*[rRuU]?'''/, close: /'''/ },
];

/** In Julia, what documents something stands before it, and a text may begin behind a call. */
const julia = /\.jl$/;
const juliaTexts: Fence[] = [{ open: /"""/, close: /"""/ }];

/** Which lines of a file hold no code but words: comments and documentation, as far as the lines that are shown tell. */
export const wordsOnlyIn = (diff: FileDiff): Set<number> =>
  remember(wordsOf, diff, callsByBlanks.test(diff.path) ? () => false : readsAsWords);

/** Where a call is a row of words, words alone tell no text from code. */
const callsByBlanks = /\.(?:l?hs|elm|purs|mli?|fsx?|fsi|idr|agda|nix|roc|gleam)$/;

/** The same by the marks of comments alone. */
export const markedIn = (diff: FileDiff): Set<number> => remember(marksOf, diff, null);

/** Which of its words speak to readers: a text that is a value is none of them. */
export const spokenIn = markedIn;

/** Whether a line without marks reads as words; null where only marks count. */
type IsWords = (text: string) => boolean;

/** Several plans ask for them, of files that may have a hundred thousand lines. */
const wordsOf = new WeakMap<FileDiff, Set<number>>();
const marksOf = new WeakMap<FileDiff, Set<number>>();

function remember(
  known: WeakMap<FileDiff, Set<number>>,
  diff: FileDiff,
  isWords: IsWords | null,
): Set<number> {
  const words = known.get(diff) ?? collectAll(diff, isWords);
  known.set(diff, words);
  return words;
}

/** Marks in comments that a tool or a framework reads: who changes them changes what is done. */
const instructs =
  /^\W*@(?!(?:param|returns?|var|throws?|exception|link|see|deprecated|since|author|version|package|subpackage|license|copyright|inheritdoc|internal|api|todo|example|type|typedef|property|template|module|doc|moduledoc|typedoc|shortdoc|default|description|summary|remarks|note)\b)[a-z]|\/\/go:|[+]build|(?:eslint|tslint|biome|prettier|rubocop|pylint|istanbul|c8|v8)[-: ]|noqa|nolint|type: ?ignore|noinspection|@ts-/i;

/** Whether nothing but comments and documentation changes in a file; in these languages, texts of many lines document. */
export function isOnlyWords(diff: FileDiff, isDocumented: boolean): boolean {
  const words = isDocumented ? wordsOnlyIn(diff) : markedIn(diff);
  const changed = diff.hunks
    .flatMap(linesOf)
    .filter(({ side, text }) => side !== 'context' && text.trim() !== '');
  return (
    changed.length > 0 && changed.every((line) => words.has(keyOfLine(line)) && !instructs.test(line.text))
  );
}

function collectAll(diff: FileDiff, isWords: IsWords | null): Set<number> {
  const found = new Set<number>();
  const { path } = diff;
  const look = { path, isWords, signs: commentSignsIn(diff) };
  for (const hunk of diff.hunks) {
    for (const side of ['removed', 'added'] as const) collect(hunk, side, found, look);
  }
  return found;
}

/** Which lines begin with the sign of a comment. */
export function commentsIn(diff: FileDiff): Set<number> {
  const { line: sign } = commentSignsIn(diff);
  return new Set(
    diff.hunks
      .flatMap(linesOf)
      .filter(({ text }) => sign.test(text))
      .map(keyOfLine),
  );
}

/** Whether words stand behind the signs of comments, and not in a text that documents. */
export function isSaidInComments(diff: FileDiff, quote: string): boolean {
  const { line: sign } = commentSignsIn(diff);
  const comments = diff.hunks
    .flatMap(linesOf)
    .flatMap(({ side, text }) => (side !== 'removed' && sign.test(text) ? [text.replace(sign, '')] : []));
  const fold = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
  return fold(comments.join(' ')).includes(fold(quote));
}

/** Tells a line from all others of its file: its number, less than zero where it is gone. */
export const keyOfLine = ({ oldLine, newLine }: DiffLine): number => newLine ?? -(oldLine ?? 0);

/** The same of the line that a reference begins with. */
export const keyOfFirst = ({ side, startLine }: Evidence): number =>
  side === 'new' ? startLine : -startLine;

/** What a shell of a language writes before what is typed; below stands what it answers, up to a blank line. */
const prompt =
  /^\s*(?:>>> \S|iex(?:\(\d+\))?> \S|\.\.\.> \S|julia> \S|irb(?:\([^)]*\))?(?::\d+)*[>*] \S|ghci> \S|scala> \S|In \[\d+\]: )/;

interface Look {
  path: string;
  signs: CommentSigns;
  isWords: IsWords | null;
}

function collect(hunk: Hunk, side: 'removed' | 'added', found: Set<number>, look: Look): void {
  const { path, signs, isWords } = look;
  const lines = linesOf(hunk).filter((line) => line.side === 'context' || line.side === side);
  const values = signs.documents.length === 0 ? texts : julia.test(path) ? juliaTexts : [];
  const known = [...signs.fences, ...signs.documents, ...values];
  const isTold = (fence: Fence): boolean => isWords !== null || !values.includes(fence);
  let inside: Fence | null = fenceAround(lines, look);
  const isText =
    inside === null && (isWords !== null || signs.documents.length > 0) && isPartOfText(lines, path);
  let isSession = false;
  for (const line of lines) {
    const { text } = line;
    const isFence = known.some(({ open, close }) => open.test(text) || close.test(text));
    isSession = !isFence && (prompt.test(text) || (isSession && text.trim() !== ''));
    if (isSession) found.add(keyOfLine(line));
    if (inside) {
      if (isTold(inside)) found.add(keyOfLine(line));
      if (inside.close.test(text)) inside = null;
      continue;
    }
    if (text === '' && !isText) continue;
    const opened = known.find(({ open }) => open.test(text));
    if (opened) {
      if (isTold(opened)) found.add(keyOfLine(line));
      const behind = text.replace(opened.open, '');
      if (!opened.close.test(behind)) inside = opened;
    } else if (isText || signs.line.test(text) || isWords?.(text)) found.add(keyOfLine(line));
  }
}

/** What a text of several lines is closed by where it closes behind its last words. */
const closesBehindWords = /(?<!(?:^|[\s=(,])[rRuUbBfF]{1,2})(?<=[\p{L}\d.!?)`;'>\]])"""\s*$/u;

/** What a hunk begins in the middle of: something that ends before anything of its kind begins. */
function fenceAround(lines: DiffLine[], { path, signs: { fences, documents } }: Look): Fence | null {
  const [documentation = null] = documents;
  // Nothing is begun before the first line.
  if (lines[0]?.newLine === 1 || lines[0]?.oldLine === 1) return null;
  for (const [index, { text }] of lines.entries()) {
    if (text === '') continue;
    if (fences.some(({ open }) => open.test(text))) return null;
    const closed = fences.find(({ close }) => close.test(text));
    if (closed) return closed;
    // The same marks open and close a text of several lines: alone on a line, they open below what is unfinished.
    if (!text.includes('"""')) continue;
    if (julia.test(path)) return closesInJulia(lines, index) ? documentation : null;
    const above = lines[index - 1]?.text.trimEnd() ?? ':';
    const isAlone = text.trim() === '"""' && !/[:({=,?[>\\]$/.test(above);
    const isLast = text.indexOf('"""') === text.lastIndexOf('"""') && closesBehindWords.test(text);
    const fence = documentation ?? texts[0] ?? null;
    return isAlone || (isLast && fence?.close.test(text)) ? fence : null;
  }
  return null;
}

/** Marks alone on a line open below a blank one, and above a signature that is indented. */
function closesInJulia(lines: DiffLine[], index: number): boolean {
  const [above, below] = [lines[index - 1]?.text, lines[index + 1]?.text ?? ''];
  if (lines[index]?.text.trim() !== '"""') return false;
  return above === undefined ? !/^(?:\s|$)/.test(below) : above.trim() !== '';
}

/** Whether a hunk shows the middle of a text, and neither where that begins nor where it ends. */
const isPartOfText = (lines: DiffLine[], path: string): boolean =>
  /\.(?:exs?|pyi?|kts?|swift|scala|jl)$/.test(path) &&
  lines[0]?.newLine !== 1 &&
  !lines.some(({ text }) => /"""|\/\*|\*\/|^\s*\/\//.test(text)) &&
  (isHeadedText(lines, path) ||
    readsAsText(
      lines.map(({ text }) => ({
        text: julia.test(path) ? text.replace(/^#(?= [A-Z])/, '##') : text,
        indent: text.search(/\S/),
      })),
    ));

/** Elixir documents in Markdown: what has headings there is no code. */
const isHeadedText = (lines: DiffLine[], path: string): boolean =>
  /\.exs?$/.test(path) && lines.some(({ text }) => /^\s{2}#{2,4} \p{Lu}/u.test(text));
