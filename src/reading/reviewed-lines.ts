import { basename } from 'node:path/posix';
import { type Discussion, type DiscussionThread, mostOfComment } from '../domain/reviews.ts';
import { likeness } from '../domain/text.ts';
import type { FileKind, NamedRange } from './facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from './file-diff.ts';
import { innermostRange } from './name-ranges.ts';
import { isTelling, keyOf } from './quoted-code.ts';

export interface ReviewedFile {
  file: FileDiff;
  kind: FileKind;
  ranges: NamedRange[];
}

/** A discussion, and the final diff of its pull request. */
export interface ReviewedChange {
  discussion: Discussion;
  authorLogin: string;
  headSha: string;
  files: ReviewedFile[];
  /** Whether `files` has all files, so that a name in none of them is certainly gone. */
  hasAllFiles: boolean;
}

/** Without git's heading, which names the function above if the hunk begins between two. */
export interface HunkLines {
  lines: DiffLine[];
}

const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses the hunk that a host shows beside a comment. */
export function readHunk(text: string): HunkLines {
  const [first = '', ...rest] = text.split('\n');
  const [, old = '1', now = '1'] = header.exec(first) ?? [];
  let [oldLine, newLine] = [Number(old), Number(now)];
  const lines = rest.flatMap((line): DiffLine[] => {
    const side = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context';
    if (line.startsWith('\\')) return [];
    return [
      {
        side,
        text: line.slice(1),
        oldLine: side === 'added' ? null : oldLine++,
        newLine: side === 'removed' ? null : newLine++,
      },
    ];
  });
  return { lines };
}

export interface ComparedLines {
  before: HunkLines;
  /** The lines of the file that the host shows, as they were when the comment was made. */
  known: DiffLine[];
  /** Contains at least one line. */
  commented: DiffLine[];
  /** Lines that existed when the comment was made. */
  seen: ReadonlySet<string>;
  reviewed: ReviewedFile;
  /** All lines of the commented function in the final diff. */
  now: (Shown & { isNew: boolean; behind: number | null })[];
  /** The lines with the review comment that were removed after it. */
  gone: DiffLine[];
  /** Known lines that were removed after the last unchanged one. */
  wentBehind: DiffLine[];
  anchor: Shown;
  heading: string | null;
}

/** The number of lines around the commented ones that count as context. */
const linesAround = 3;

export function aroundCommented({ lines }: HunkLines, commented: DiffLine[]): HunkLines {
  const places = commented.map((line) => lines.indexOf(line)).filter((place) => place !== -1);
  const [from, to] = [Math.min(...places), Math.max(...places)];
  return { lines: lines.slice(Math.max(0, from - linesAround), to + linesAround + 1) };
}

/** The commented lines and those around them, as they were when the comment was made. */
export function linesAsReviewed(thread: DiscussionThread): (HunkLines & { commented: DiffLine[] }) | null {
  const { hunk, side, startLine, line } = thread;
  if (hunk === null) return null;
  const before = readHunk(hunk);
  const found = before.lines.filter((one) => {
    const number = side === 'old' ? one.oldLine : one.newLine;
    return number !== null && number >= (startLine ?? line ?? 0) && number <= (line ?? 0);
  });
  const commented = found.length > 0 ? found : before.lines.slice(-1);
  return { ...aroundCommented(before, commented), commented };
}

/** The same lines in the final diff; null if it does not have them, if they are the same, or far too long. */
export function linesNow(thread: DiscussionThread, change: ReviewedChange) {
  const found = findLines(thread, change);
  if (!found) return null;
  const { known, last, stayed, anchor, reviewed, range } = found;
  const { hunk } = anchor.now;
  const near = aroundCommented({ lines: known }, last).lines;
  const all = linesOf(hunk);
  const places = near.flatMap((line, place) => {
    const now = stayed.get(line);
    return now?.hunk === hunk ? [{ place, at: all.findIndex(({ newLine }) => newLine === now.newLine) }] : [];
  });
  const [first, end] = [places[0], places.at(-1)];
  if (!first || !end) return null;
  // The lines that replaced those before the first and after the last known one are as many as they were.
  const lines = all.slice(Math.max(0, first.at - first.place), end.at + near.length - end.place);
  const textOf = (some: readonly DiffLine[]) =>
    some.flatMap(({ side, text }) => (side === 'removed' ? [] : text)).join('\n');
  const text = textOf(lines);
  return text === textOf(near) || text.length > mostOfComment
    ? null
    : { file: reviewed.file, heading: range?.name ?? null, all, lines };
}

interface FoundLines {
  before: HunkLines;
  known: DiffLine[];
  last: DiffLine[];
  reviewed: ReviewedFile;
  end: Shown[];
  stayed: Map<DiffLine, Shown>;
  anchor: { line: DiffLine; now: Shown };
  range: NamedRange | null;
}

const foundLines = new WeakMap<DiscussionThread, { found: FoundLines | null }>();

/** Finds the commented lines in the final diff. */
function findLines(thread: DiscussionThread, change: ReviewedChange): FoundLines | null {
  const known = foundLines.get(thread) ?? { found: searchLines(thread, change) };
  foundLines.set(thread, known);
  return known.found;
}

function searchLines(thread: DiscussionThread, change: ReviewedChange): FoundLines | null {
  if (thread.hunk === null || thread.side === 'old') return null;
  const before = readHunk(thread.hunk);
  const shown = before.lines.filter(({ newLine }) => newLine !== null);
  const known = [...shown, ...linesBehind(thread, shown)];
  const commented = known.filter(
    ({ newLine }) =>
      (newLine ?? 0) >= (thread.startLine ?? thread.line ?? 0) && (newLine ?? 0) <= (thread.line ?? 0),
  );
  const last = commented.length > 0 ? commented : shown.slice(-1);
  const reviewed = fileOf(thread, known, change);
  if (!reviewed || last.length === 0) return null;
  const { end, once } = linesOfFile(reviewed.file);
  const stayed = survivorsOf(known, once);
  const anchor = nearest(known, last, stayed);
  if (!anchor) return null;
  const { newLine = 0 } = anchor.now;
  const at = { side: 'new' as const, startLine: newLine ?? 0, endLine: newLine ?? 0 };
  const range = innermostRange(
    reviewed.ranges.filter(({ isFunction }) => isFunction),
    at,
  );
  return { before, known, last, reviewed, end, stayed, anchor, range };
}

/** Compares the commented lines with the final state of the same function; null if that is not found. */
export function compareLines(thread: DiscussionThread, change: ReviewedChange): ComparedLines | null {
  const found = findLines(thread, change);
  if (!found) return null;
  const { before, known, last, reviewed, end, stayed, anchor, range } = found;
  const { newLine } = anchor.now;
  const isInside = (line: Shown): boolean => {
    const number = line.newLine ?? 0;
    const distance = Math.abs(number - (newLine ?? 0));
    if (range) return number >= range.startLine && number <= range.endLine && distance <= longestFunction;
    return line.hunk === anchor.now.hunk && distance <= reach;
  };
  const inside = end.filter(isInside);
  const keys = new Set(inside.map(({ key }) => key));
  const goneOf = (lines: DiffLine[]) =>
    lines.filter(({ text }) => isTelling(keyOf(text)) && !keys.has(keyOf(text)));
  const gone = goneOf(last);
  const seen = seenWith(thread, change.discussion);
  const lastStayed = known.findLastIndex((line) => stayed.has(line));
  const wentBehind = goneOf(known.slice(lastStayed + 1));
  const behindOf = newLinesOf(inside, { known, stayed, seen });
  const removed = new Set(before.lines.flatMap(({ side, text }) => (side === 'removed' ? keyOf(text) : [])));
  // Lines that were removed when the comment was made, and are not in the end, came back after it.
  const isBack = ({ side, key }: Shown): boolean =>
    side === 'context' && isTelling(key) && removed.has(key) && !seen.has(key);
  return {
    before,
    known,
    commented: last,
    seen,
    reviewed,
    now: inside.map((line) => {
      const behind = behindOf.get(line) ?? null;
      return {
        ...line,
        behind,
        isNew:
          isBack(line) ||
          (behind !== null && behind <= wentBehind.length && (behind === 0 || replacesOne(line, wentBehind))),
      };
    }),
    gone,
    wentBehind,
    anchor: anchor.now,
    heading: range?.name ?? null,
  };
}

/** An edited line is this similar to the former one. */
const leastLikeness = 0.4;

const replacesOne = (line: DiffLine, went: DiffLine[]): boolean =>
  went.some(({ text }) => likeness(text, line.text, words) >= leastLikeness);

const words = /[\p{L}\p{N}_]+/gu;

/** Context lines of which it is unknown whether the pull request has changed them. */
const linesBehind = ({ behind }: DiscussionThread, shown: DiffLine[]): DiffLine[] =>
  behind.map((text, place) => ({
    side: 'context',
    text,
    oldLine: null,
    newLine: (shown.at(-1)?.newLine ?? 0) + place + 1,
  }));

/** If the functions are unknown, lines this close count as one function. */
const reach = 30;

/** The part of a longer function that counts, in lines. */
const longestFunction = 400;

/** The file under its present path, because it may have been moved since the comment. */
function fileOf(
  { path }: DiscussionThread,
  known: DiffLine[],
  { files }: ReviewedChange,
): ReviewedFile | null {
  const named =
    files.find(({ file }) => file.path === path) ?? files.find(({ file }) => file.previousPath === path);
  if (named) return named;
  const keys = known
    .filter(({ side }) => side === 'added')
    .map(({ text }) => keyOf(text))
    .filter(isTelling);
  const moved = files.filter(({ file }) => {
    if (basename(file.path) !== basename(path)) return false;
    const has = new Set(linesOfFile(file).all.map(({ key }) => key));
    return keys.filter((key) => has.has(key)).length * 2 > keys.length;
  });
  return moved.length === 1 ? (moved[0] ?? null) : null;
}

export type Shown = DiffLine & { hunk: Hunk; key: string };

interface FileLines {
  all: Shown[];
  /** The final lines of the file, as far as the diff has them, and those that occur once. */
  end: Shown[];
  once: Map<string, Shown>;
}

/** Cached, because threads about one file are compared with the same lines, and `linesOf` keeps those of few files. */
const fileLines = new WeakMap<FileDiff, FileLines>();

export function linesOfFile(file: FileDiff): FileLines {
  const known = fileLines.get(file);
  if (known) return known;
  const all = file.hunks.flatMap((hunk) =>
    linesOf(hunk).map((line) => ({ ...line, hunk, key: keyOf(line.text) })),
  );
  const end = all.filter(({ newLine }) => newLine !== null);
  const read = { all, end, once: onceIn(end) };
  fileLines.set(file, read);
  return read;
}

function onceIn<Line extends DiffLine>(lines: Line[]): Map<string, Line> {
  const groups = Map.groupBy(lines, ({ text }) => keyOf(text));
  return new Map(
    [...groups].flatMap(([key, [only, ...more]]) =>
      only && more.length === 0 && isTelling(key) ? [[key, only]] : [],
    ),
  );
}

/** Lines that are in a hunk once and in the final diff once. */
const survivorsOf = (known: DiffLine[], ends: Map<string, Shown>): Map<DiffLine, Shown> =>
  new Map(
    [...onceIn(known)].flatMap(([key, line]) => {
      const end = ends.get(key);
      return end ? [[line, end]] : [];
    }),
  );

function nearest(
  known: DiffLine[],
  commented: DiffLine[],
  stayed: Map<DiffLine, Shown>,
): { line: DiffLine; now: Shown } | null {
  const places = new Map(known.map((line, place) => [line, place]));
  const [from = 0, to = 0] = [commented[0], commented.at(-1)].map((line) => line && places.get(line));
  const distance = (line: DiffLine): number => {
    const at = places.get(line) ?? 0;
    return Math.max(0, from - at, at - to);
  };
  const [best] = [...stayed].sort(([one], [other]) => distance(one) - distance(other));
  return best && distance(best[0]) <= reach ? { line: best[0], now: best[1] } : null;
}

interface Knowledge {
  known: DiffLine[];
  stayed: Map<DiffLine, Shown>;
  seen: ReadonlySet<string>;
}

/** The threads of a discussion by commit and path, and the lines that they show of each version of a file. */
const versions = new WeakMap<Discussion, Map<string, DiscussionThread[]>>();
const seenIn = new WeakMap<DiscussionThread[], ReadonlySet<string>>();

const versionOf = ({ sha, path }: DiscussionThread): string => `${sha}:${path}`;

/** The lines of a file that this and other comments on the same version show. */
function seenWith(thread: DiscussionThread, discussion: Discussion): ReadonlySet<string> {
  const all = versions.get(discussion) ?? Map.groupBy(discussion.threads, versionOf);
  versions.set(discussion, all);
  const threads = all.get(versionOf(thread)) ?? [];
  const seen = seenIn.get(threads) ?? new Set(threads.flatMap(keysShown));
  seenIn.set(threads, seen);
  return seen;
}

function keysShown({ hunk, behind }: DiscussionThread): string[] {
  const shown = hunk === null ? [] : readHunk(hunk).lines.filter(({ newLine }) => newLine !== null);
  return [...shown.map(({ text }) => text), ...behind].map(keyOf);
}

/**
 * Lines that did not exist when the comment was made, each with its distance from the last unchanged line. Hosts show
 * lines only up to the commented ones: lines between two known ones are certainly new, and later lines only if they
 * replace removed ones.
 */
function newLinesOf(inside: Shown[], { known, stayed, seen }: Knowledge): Map<Shown, number> {
  const ends = known.flatMap((line) => stayed.get(line)?.newLine ?? []);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const found = new Map<Shown, number>();
  let behind = 0;
  for (const line of inside) {
    const { key } = line;
    const at = line.newLine ?? 0;
    if (at > last && line.side !== 'added') break;
    if (at < first || line.side !== 'added' || seen.has(key) || !isTelling(key)) continue;
    if (at > last) behind += 1;
    found.set(line, behind);
  }
  return found;
}
