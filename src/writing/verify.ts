import { findMentions } from '../reading/description/mentions.ts';
import { splitLine } from '../reading/description/sentences.ts';
import { isComment } from '../reading/edits/comments.ts';
import type { Evidence } from '../reading/facts.ts';
import { type FileDiff, linesOf } from '../reading/file-diff.ts';
import { plainText } from './plain-text.ts';

/** Something an article says, in all the wordings in which it says it. */
export interface Claim {
  texts: string[];
  /** The file it is about; null for what is not about a single one. */
  fileName: string | null;
  evidence: Evidence[];
}

/** Everything that a claim may rest on. */
export interface Material {
  diff: FileDiff[];
  /** Title, description, commit messages and discussion, as plain text. */
  words: string[];
}

/** The evidence that holds, or null when the claim does not. */
export type Verify = (claim: Claim) => Evidence[] | null;

const quotation = /“([^”]+)”|「((?:[^「」]|「[^「」]*」)+)」/g;
const codeSpan = /`[^`]*`/g;

/**
 * Proves claims against a diff: the file is in it, the lines are in a hunk, and every identifier, path, version and
 * quotation stands in the diff or in what people wrote about it.
 */
export function createVerifier({ diff, words }: Material): Verify {
  const files = new Map(diff.map((file) => [file.path, file]));
  const said = words.map(lettersOf);
  const standsAnywhere = memoize((mention: string) => stands(mention, diff, words));
  const lettersOfFile = memoize((path: string) => lettersOfLines(files.get(path)));

  return ({ texts, fileName, evidence }) => {
    if (fileName !== null && !files.has(fileName)) return null;
    const holding = evidence.filter((one) => isInHunk(one, files));
    const hasHunks = fileName === null ? evidence.length > 0 : (files.get(fileName)?.hunks.length ?? 0) > 0;
    if (holding.length === 0 && hasHunks) return null;
    const paths = new Set([...(fileName === null ? [] : [fileName]), ...holding.map((one) => one.fileName)]);
    const isQuoted = (text: string): boolean => {
      const letters = lettersOf(text);
      return (
        letters === '' ||
        said.some((whole) => whole.includes(letters)) ||
        [...paths].some((path) => lettersOfFile(path).includes(letters))
      );
    };
    const isProven = (text: string): boolean =>
      mentionsOf(text).every((mention) => standsAnywhere(mention) || isQuoted(mention)) &&
      quotationsOf(text).every(isQuoted);
    return texts.every(isProven) ? holding : null;
  };
}

/** Names in a text. What stands in quotation marks is somebody's sentence, and is looked at as such. */
function mentionsOf(text: string): string[] {
  const code = Array.from(text.matchAll(codeSpan), ([span]) => span.slice(1, -1).trim()).filter(
    (span) => span !== '',
  );
  return [...code, ...findMentions(text.replace(codeSpan, ' ').replace(quotation, ' '))];
}

function quotationsOf(text: string): string[] {
  // Quotation marks inside code belong to the code.
  const spans: string[] = [];
  const masked = text.replace(codeSpan, (span) => `\uE000${spans.push(span) - 1}\uE001`);
  const restore = (part: string) =>
    part.replace(/\uE000(\d+)\uE001/g, (_, index) => spans[Number(index)] ?? '');
  return Array.from(masked.matchAll(quotation), (match) =>
    restore(match[1] ?? match[2] ?? '').replace(/…$/, ''),
  ).flatMap(splitLine);
}

function stands(mention: string, diff: FileDiff[], words: string[]): boolean {
  return (
    diff.some(({ path, previousPath }) => path.includes(mention) || previousPath?.includes(mention)) ||
    words.some((text) => text.includes(mention)) ||
    diff.some(({ bytes }) => bytes.includes(mention))
  );
}

function isInHunk({ fileName, startLine, endLine, side }: Evidence, files: Map<string, FileDiff>): boolean {
  return (files.get(fileName)?.hunks ?? []).some(({ oldStart, oldLines, newStart, newLines }) => {
    const [start, count] = side === 'new' ? [newStart, newLines] : [oldStart, oldLines];
    return startLine >= start && endLine >= startLine && endLine < start + count;
  });
}

/** Letters and digits alone: how a quotation was wrapped, marked or punctuated does not make it another one. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

const commentMarks = /^\s*(?:\/\/[/!]?|\/\*\*?|\*|#|--|<!--|;;)/;

/** What a file of the diff reads like when its lines are joined, once before and once after the change. */
function lettersOfLines(file: FileDiff | undefined): string {
  if (!file) return '';
  const before: string[] = [];
  const after: string[] = [];
  for (const hunk of file.hunks) {
    for (const { text, oldLine, newLine } of linesOf(hunk)) {
      const plain = isComment(text) ? text.replace(commentMarks, '') : text;
      if (oldLine !== null) before.push(plain);
      if (newLine !== null) after.push(plain);
    }
  }
  const sides = [after.join(' '), before.join(' ')];
  // Quotations are without links and markup; names of tests and messages are with whatever stands there.
  return [...sides, ...sides.map(plainText)].map(lettersOf).join(' ');
}

function memoize<Result>(find: (key: string) => Result): (key: string) => Result {
  const known = new Map<string, Result>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const result = find(key);
    known.set(key, result);
    return result;
  };
}
