import { basename } from 'node:path/posix';
import type { Discussion, DiscussionComment, DiscussionThread } from '../domain/reviews.ts';
import { foldSpace, likeness } from '../domain/text.ts';
import { commentSignsIn } from './comment-signs.ts';
import { parseBlocks } from './description/markdown-blocks.ts';
import type { FileKind, NamedRange } from './facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from './file-diff.ts';
import { innermostRange } from './name-ranges.ts';

export interface ReviewedFile {
  file: FileDiff;
  kind: FileKind;
  ranges: NamedRange[];
}

/** A discussion, and the diff that it ended with. */
export interface ReviewedChange {
  discussion: Discussion;
  authorLogin: string;
  headSha: string;
  files: ReviewedFile[];
  /** Whether these are all files, so that a name that is in none of them is gone. */
  hasAllFiles: boolean;
}

/** How sure it is that a comment led to something; of a function that merely changed, nothing is told. */
export type Outcome = 'takenOver' | 'changedAsNamed' | 'functionChanged' | 'elsewhere' | null;

export interface ReviewEvidence {
  /** The comment that it bears out. */
  comment: DiscussionComment;
  reviewed: ReviewedFile;
  hunk: Hunk;
  /** The lines of the hunk that show it; none where something is gone. */
  lines: DiffLine[];
  /** The lines that were commented on, as they were then. */
  before: HunkLines;
  /** The name or literal that came or went; null for code that was taken over. */
  token: { text: string; isGone: boolean } | null;
  /** The nearest line that stayed. */
  anchor: DiffLine;
  heading: string | null;
}

export interface ThreadOutcome {
  thread: DiscussionThread;
  outcome: Outcome;
  evidence: ReviewEvidence | null;
  /** The pull request that the thread names, and that mentions this one. */
  elsewhere: number | null;
}

export interface HunkLines {
  heading: string | null;
  lines: DiffLine[];
}

/** Code that is too short, or brackets alone, is in every file. */
const leastToken = 4;
const leastNumber = 3;
const leastLine = 4;
const longLine = 20;
const mostRare = 4;

const keyOf = (text: string): string => foldSpace(text).replace(/[,;]$/, '');
const isTelling = (key: string): boolean => key.length >= leastLine && /[\p{L}\p{N}]{2}/u.test(key);

/** Words that stand in most lines of some language. */
const common = new Set(
  'this self super none null true false void undefined return const static public private async await function class struct string boolean number object array list dict type interface import from export default else then with case break continue throw raise except catch finally while switch yield lambda'.split(
    ' ',
  ),
);

const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** A hunk as a host shows it beside a comment. */
export function readHunk(text: string): HunkLines {
  const [first = '', ...rest] = text.split('\n');
  const [, old = '1', now = '1', heading = ''] = header.exec(first) ?? [];
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
  return { heading: heading.trim() || null, lines };
}

export const outcomesOf = (change: ReviewedChange): ThreadOutcome[] =>
  change.discussion.threads.flatMap((thread) => {
    const [first] = thread.comments;
    if (!first || first.isBot || first.author === change.authorLogin) return [];
    const elsewhere = namedElsewhere(thread, change.discussion);
    const found = isAnswered(thread, change) ? findEvidence(thread, change) : null;
    const outcome = elsewhere !== null && !found?.evidence ? 'elsewhere' : (found?.outcome ?? null);
    return [{ thread, outcome, evidence: found?.evidence ?? null, elsewhere }];
  });

function namedElsewhere({ comments }: DiscussionThread, { references }: Discussion): number | null {
  const said = comments.map(({ body }) => body).join('\n');
  const numbers = new Set([...said.matchAll(mention)].map(([, number]) => Number(number)));
  return references.find(({ number, isMerged }) => isMerged !== false && numbers.has(number))?.number ?? null;
}

const mention = /(?:#|!|\/(?:pull|pulls|merge_requests)\/)(\d{1,9})\b/g;

/** Whether another head came after the comment: hosts say which one it was made on, and dates of commits may lie. */
function isAnswered({ sha, comments }: DiscussionThread, { discussion, headSha }: ReviewedChange): boolean {
  const at = comments[0]?.createdAt ?? '';
  if (sha === null || sha === headSha) return false;
  const seen = [
    ...discussion.reviews.map((review) => ({ sha: review.sha, at: review.createdAt })),
    ...discussion.threads.map((thread) => ({ sha: thread.sha, at: thread.comments[0]?.createdAt ?? '' })),
    ...discussion.pushes.map((push) => ({ sha: push.after, at: push.at })),
  ];
  return !seen.some((one) => one.sha === headSha && one.at <= at);
}

interface Compared {
  before: HunkLines;
  /** At least one line. */
  commented: DiffLine[];
  /** Lines that were there when the comment was made. */
  seen: ReadonlySet<string>;
  reviewed: ReviewedFile;
  /** All lines of the end that are in the commented function. */
  now: (Shown & { isNew: boolean; behind: number | null })[];
  /** Of the lines that were commented on. */
  gone: DiffLine[];
  /** Known lines that went behind the last one that stayed. */
  wentBehind: DiffLine[];
  anchor: DiffLine & { hunk: Hunk };
  heading: string | null;
}

interface Found {
  outcome: 'takenOver' | 'changedAsNamed' | 'functionChanged';
  evidence: ReviewEvidence | null;
}

interface Shows {
  comment: DiscussionComment;
  lines: Compared['now'];
  token: ReviewEvidence['token'];
}

function findEvidence(thread: DiscussionThread, change: ReviewedChange): Found | null {
  const compared = compare(thread, change);
  if (!compared) return null;
  const { before, reviewed, anchor, heading, now, gone } = compared;
  const evidenceOf = ({ comment, lines, token }: Shows): ReviewEvidence => ({
    comment,
    reviewed,
    hunk: lines[0]?.hunk ?? anchor.hunk,
    lines: lines.filter(({ hunk }) => hunk === (lines[0]?.hunk ?? anchor.hunk)),
    before: aroundCommented(before, compared.commented),
    token,
    anchor,
    heading,
  });
  const taken = takenOver(thread, compared, change.authorLogin);
  if (taken) return { outcome: 'takenOver', evidence: evidenceOf(taken) };
  const named = changedAsNamed(thread, compared, change);
  if (named) return { outcome: 'changedAsNamed', evidence: evidenceOf(named) };
  const isChanged = gone.length > 0 || now.some(({ isNew }) => isNew);
  return isChanged ? { outcome: 'functionChanged', evidence: null } : null;
}

/** Around the lines that were commented on. */
const linesAround = 3;

function aroundCommented({ heading, lines }: HunkLines, commented: DiffLine[]): HunkLines {
  const at = lines.flatMap((line, place) => (commented.includes(line) ? place : []));
  const [from, to] = [Math.min(...at), Math.max(...at)];
  return { heading, lines: lines.slice(Math.max(0, from - linesAround), to + linesAround + 1) };
}

/** Holds the lines that were commented on against the end of the same function; null where that is not found. */
function compare(thread: DiscussionThread, change: ReviewedChange): Compared | null {
  if (thread.hunk === null || thread.side === 'old') return null;
  const before = readHunk(thread.hunk);
  const known = before.lines.filter(({ newLine }) => newLine !== null);
  const commented = known.filter(
    ({ newLine }) =>
      (newLine ?? 0) >= (thread.startLine ?? thread.line ?? 0) && (newLine ?? 0) <= (thread.line ?? 0),
  );
  const last = commented.length > 0 ? commented : known.slice(-1);
  const reviewed = fileOf(thread, known, change);
  if (!reviewed || last.length === 0) return null;
  const all = reviewed.file.hunks.flatMap((hunk) => linesOf(hunk).map((line) => ({ ...line, hunk })));
  const shown = all.filter(({ newLine }) => newLine !== null);
  const stayed = survivorsOf(known, shown);
  const anchor = nearest(known, last, stayed);
  if (!anchor) return null;
  const { newLine = 0 } = anchor.now;
  const at = { side: 'new' as const, startLine: newLine ?? 0, endLine: newLine ?? 0 };
  const range = innermostRange(
    reviewed.ranges.filter(({ isFunction }) => isFunction),
    at,
  );
  const isInside = (line: DiffLine & { hunk: Hunk }): boolean =>
    range
      ? (line.newLine ?? 0) >= range.startLine && (line.newLine ?? 0) <= range.endLine
      : line.hunk === anchor.now.hunk && Math.abs((line.newLine ?? 0) - (newLine ?? 0)) <= reach;
  const inside = shown.filter(isInside);
  const keys = new Set(inside.map(({ text }) => keyOf(text)));
  const goneOf = (lines: DiffLine[]) =>
    lines.filter(({ text }) => isTelling(keyOf(text)) && !keys.has(keyOf(text)));
  const gone = goneOf(last);
  const seen = seenWith(thread, change.discussion);
  const lastStayed = known.findLastIndex((line) => stayed.has(line));
  const wentBehind = goneOf(known.slice(lastStayed + 1));
  const behindOf = newLinesOf(inside, { known, stayed, seen });
  return {
    before,
    commented: last,
    seen,
    reviewed,
    now: inside.map((line) => {
      const behind = behindOf.get(line) ?? null;
      return {
        ...line,
        behind,
        isNew:
          behind !== null && behind <= wentBehind.length && (behind === 0 || replacesOne(line, wentBehind)),
      };
    }),
    gone,
    wentBehind,
    anchor: anchor.now,
    heading: range?.name ?? null,
  };
}

/** As an edited line is like the one before. */
const leastLikeness = 0.4;

const replacesOne = (line: DiffLine, went: DiffLine[]): boolean =>
  went.some(({ text }) => likeness(text, line.text, words) >= leastLikeness);

const words = /[\p{L}\p{N}_]+/gu;

/** Without known functions, what is as near as this is in the same. */
const reach = 30;

/** The file under its present path: it may have been moved since it was commented on. */
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
    const has = new Set(file.hunks.flatMap((hunk) => linesOf(hunk).map(({ text }) => keyOf(text))));
    return keys.filter((key) => has.has(key)).length * 2 > keys.length;
  });
  return moved.length === 1 ? (moved[0] ?? null) : null;
}

type Shown = DiffLine & { hunk: Hunk };

/** Lines of a hunk that stand once in it and once in the end. */
function survivorsOf(known: DiffLine[], shown: Shown[]): Map<DiffLine, Shown> {
  const once = <Line extends DiffLine>(lines: Line[]): Map<string, Line> => {
    const groups = Map.groupBy(lines, ({ text }) => keyOf(text));
    return new Map(
      [...groups].flatMap(([key, [only, ...more]]) =>
        only && more.length === 0 && isTelling(key) ? [[key, only]] : [],
      ),
    );
  };
  const ends = once(shown);
  return new Map(
    [...once(known)].flatMap(([key, line]) => {
      const end = ends.get(key);
      return end ? [[line, end]] : [];
    }),
  );
}

function nearest(
  known: DiffLine[],
  commented: DiffLine[],
  stayed: Map<DiffLine, Shown>,
): { line: DiffLine; now: Shown } | null {
  const places = commented.map((line) => known.indexOf(line));
  const distance = (line: DiffLine): number =>
    Math.min(...places.map((place) => Math.abs(place - known.indexOf(line))));
  const [best] = [...stayed].sort(([one], [other]) => distance(one) - distance(other));
  return best && distance(best[0]) <= reach ? { line: best[0], now: best[1] } : null;
}

interface Knowledge {
  known: DiffLine[];
  stayed: Map<DiffLine, Shown>;
  seen: ReadonlySet<string>;
}

/** What this and other comments on the same version show of a file. */
const seenWith = ({ sha, path }: DiscussionThread, { threads }: Discussion): ReadonlySet<string> =>
  new Set(
    threads
      .filter((one) => one.sha === sha && one.path === path)
      .flatMap(({ hunk }) => (hunk === null ? [] : readHunk(hunk).lines))
      .filter(({ newLine }) => newLine !== null)
      .map(({ text }) => keyOf(text)),
  );

/**
 * Lines that were not there when the comment was made, and how many of them follow the last line that stayed. Hosts show the lines up to
 * the commented ones: what is between two of these is certainly new, and what follows them only as far as it replaces lines that went.
 */
function newLinesOf(inside: Shown[], { known, stayed, seen }: Knowledge): Map<Shown, number> {
  const ends = known.flatMap((line) => stayed.get(line)?.newLine ?? []);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const found = new Map<Shown, number>();
  let behind = 0;
  for (const line of inside) {
    const [at, key] = [line.newLine ?? 0, keyOf(line.text)];
    if (at > last && line.side !== 'added') break;
    if (at < first || line.side !== 'added' || seen.has(key) || !isTelling(key)) continue;
    if (at > last) behind += 1;
    found.set(line, behind);
  }
  return found;
}

const fence = /^(`{3,}|~{3,})\s*([\w-]*)/;

/** Code that the reviewer wrote is in the end, and was not there before. */
function takenOver(
  { comments }: DiscussionThread,
  { now, gone, seen, wentBehind }: Compared,
  authorLogin: string,
): Shows | null {
  for (const comment of comments) {
    if (comment.isBot || comment.author === authorLogin) continue;
    for (const block of parseBlocks(comment.body)) {
      if (block.kind !== 'code') continue;
      const [opening = '', ...lines] = block.text.split('\n').slice(0, -1);
      const [, , language = ''] = fence.exec(opening) ?? [];
      const wanted = linesOfBlock(lines, language).filter((key) => isTelling(key) && !common.has(key));
      const fresh = wanted.filter((key) => !seen.has(key));
      const isSuggestion = language === 'suggestion';
      const isThere = (line: Compared['now'][number]): boolean =>
        fresh.includes(keyOf(line.text)) &&
        (line.isNew ||
          (isSuggestion && line.behind !== null && line.behind <= wentBehind.length + fresh.length));
      const taken = now.filter(isThere);
      const found = new Set(taken.map(({ text }) => keyOf(text)));
      const isWhole =
        isSuggestion && gone.length > 0 && fresh.length > 0 && fresh.every((key) => found.has(key));
      if (found.size >= 2 || [...found].some((key) => key.length >= longLine) || isWhole)
        return { comment, lines: taken, token: null };
    }
  }
  return null;
}

/** In a block of a diff, the reviewer's own lines are the added ones. */
const linesOfBlock = (lines: string[], language: string): string[] =>
  (language === 'diff' ? lines.flatMap((line) => (line.startsWith('+') ? line.slice(1) : [])) : lines).map(
    keyOf,
  );

const inlineCode = /(?<!`)`([^`\n]{1,120})`(?!`)/g;

/** Names, numbers and literals that a comment quotes. */
export function tokensOf(body: string): string[] {
  const prose = parseBlocks(body)
    .filter(({ kind }) => kind === 'paragraph' || kind === 'item')
    .map((block) => ('text' in block ? block.text : ''))
    .join('\n');
  const quoted = [...prose.matchAll(inlineCode)].map(([, code = '']) => code.trim().replace(/\(\)$/, ''));
  return [...new Set(quoted)].filter((token) =>
    /^\d+$/.test(token)
      ? token.length >= leastNumber
      : token.length >= leastToken && /[\p{L}\p{N}]{2}/u.test(token) && !common.has(token.toLowerCase()),
  );
}

function holds(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    const [before, behind] = [text.charAt(at - 1), text.charAt(at + token.length)];
    const isCut = (edge: string, beside: string): boolean => /[\w$]/.test(edge) && /[\w$]/.test(beside);
    if (!isCut(token.charAt(0), before) && !isCut(token.at(-1) ?? '', behind)) return true;
  }
  return false;
}

/** A name or literal that the comment quotes came, or went. */
function changedAsNamed(
  { comments }: DiscussionThread,
  { before, commented, now, reviewed }: Compared,
  { authorLogin, files, hasAllFiles }: ReviewedChange,
): Shows | null {
  const known = before.lines.filter(({ newLine }) => newLine !== null);
  const near = aroundCommented({ heading: null, lines: known }, commented).lines;
  const ofFile = reviewed.file.hunks.flatMap((hunk) => linesOf(hunk));
  const asked = comments.filter(({ author, isBot }) => !isBot && author !== authorLogin);
  const quoted = asked.flatMap((comment) => tokensOf(comment.body).map((token) => ({ comment, token })));
  for (const { comment, token } of quoted) {
    const has = ({ text }: DiffLine): boolean => holds(text, token);
    if (known.filter(has).length + ofFile.filter(has).length > mostRare) continue;
    const wasKnown = known.some(has);
    const come = now.filter((line) => line.isNew && has(line));
    if (!wasKnown && come.length > 0 && !now.some((line) => line.side === 'context' && has(line)))
      return { comment, lines: come, token: { text: token, isGone: false } };
    const had = near.filter(has);
    const isLeft = files.some(({ file }) =>
      file.hunks.some((hunk) => linesOf(hunk).some((line) => line.side === 'added' && has(line))),
    );
    const isRemoved = had.every(
      ({ side }) => side === 'added' || ofFile.some((line) => line.side === 'removed' && has(line)),
    );
    if (hasAllFiles && had.length > 0 && isRemoved && !isLeft && !now.some(has))
      return { comment, lines: now.filter(({ isNew }) => isNew), token: { text: token, isGone: true } };
  }
  return null;
}

const token = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|"[^"]*"|'[^']*'|[^\s\p{L}\p{N}_$]/gu;

/** Whether the lines do something else than before, apart from comments and from names that were replaced throughout. */
export function changesCode({ reviewed: { file }, lines, before, token: quoted }: ReviewEvidence): boolean {
  const signs = commentSignsIn(file);
  const isCode = ({ text }: DiffLine): boolean => text.trim() !== '' && !signs.line.test(text.trim());
  const keys = new Set(linesIn(file).map(({ text }) => keyOf(text)));
  const was = before.lines.filter(
    (line) => line.newLine !== null && isCode(line) && !keys.has(keyOf(line.text)),
  );
  const is = lines.filter(isCode);
  if (is.length === 0) return quoted?.isGone === true && was.length > 0;
  const [one, other] = [was, is].map((some) => some.flatMap(({ text }) => text.match(token) ?? []));
  if (!one || !other || one.length !== other.length) return true;
  const renamed = new Map<string, string>();
  return !one.every((word, at) => {
    const now = other[at] ?? '';
    if (word === now) return true;
    const isName = /^[\p{L}_$]/u.test(word) && /^[\p{L}_$]/u.test(now);
    const known = renamed.get(word) ?? now;
    renamed.set(word, now);
    return isName && known === now;
  });
}

const linesIn = (file: FileDiff): DiffLine[] =>
  file.hunks.flatMap((hunk) => linesOf(hunk).filter(({ newLine }) => newLine !== null));
