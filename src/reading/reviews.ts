import type { Discussion, DiscussionComment, DiscussionThread } from '../domain/reviews.ts';
import { commentSignsIn } from './comment-signs.ts';
import type { DiffLine, FileDiff, Hunk } from './file-diff.ts';
import { codeBlocksIn, holds, isEnough, keyOf, longLine, namesIn } from './quoted-code.ts';
import {
  aroundCommented,
  type ComparedLines,
  compareLines,
  type HunkLines,
  linesOfFile,
  type ReviewedChange,
  type ReviewedFile,
} from './reviewed-lines.ts';

/** The result of a comment, by how certain it is. Functions that merely changed are not reported. */
export type Outcome = 'takenOver' | 'changedAsNamed' | 'functionChanged' | 'elsewhere' | null;

export interface ReviewEvidence {
  /** The comment that the result belongs to. */
  comment: DiscussionComment;
  reviewed: ReviewedFile;
  hunk: Hunk;
  /** The lines of the hunk that show the result; empty if something was removed. */
  lines: DiffLine[];
  /** The commented lines, as they were at that time. */
  before: HunkLines;
  /** The name or literal that was added or removed; null for code that was taken over. */
  token: { text: string; isGone: boolean } | null;
  /** The names of something that got another one. */
  renamed: { from: string; to: string } | null;
  /** The nearest unchanged line. */
  anchor: DiffLine;
  heading: string | null;
}

export interface ThreadOutcome {
  thread: DiscussionThread;
  outcome: Outcome;
  evidence: ReviewEvidence | null;
  /** The pull request that the thread names and that mentions this one. */
  elsewhere: number | null;
}

/** A name in more lines than this is a common one. */
export const mostRare = 4;

/** More threads are only counted, because comparing them would take too long for a page. */
export const mostCompared = 60;

export const outcomesOf = (
  change: ReviewedChange,
  threads: DiscussionThread[] = change.discussion.threads,
): ThreadOutcome[] =>
  threads.flatMap((thread, place) => {
    const [first] = thread.comments;
    if (!first || first.isBot || first.author === change.authorLogin) return [];
    const elsewhere = namedElsewhere(thread, change.discussion);
    const found = place < mostCompared ? keptEvidenceOf(thread, change) : null;
    const outcome = elsewhere !== null && !found?.evidence ? 'elsewhere' : (found?.outcome ?? null);
    return [{ thread, outcome, evidence: found?.evidence ?? null, elsewhere }];
  });

function namedElsewhere({ comments }: DiscussionThread, { references }: Discussion): number | null {
  const said = comments.map(({ body }) => body).join('\n');
  const numbers = new Set([...said.matchAll(mention)].map(([, number]) => Number(number)));
  return references.find(({ number, isMerged }) => isMerged !== false && numbers.has(number))?.number ?? null;
}

const mention = /(?:#|!|\/(?:pull|pulls|merge_requests)\/)(\d{1,9})\b/g;

/**
 * Whether there was another head after the comment. Hosts name the head that it was made on; dates of commits may be
 * wrong.
 */
export function isAnswered(
  { sha, comments }: Pick<DiscussionThread, 'sha' | 'comments'>,
  { discussion, headSha }: ReviewedChange,
): boolean {
  const at = comments[0]?.createdAt ?? '';
  if (sha === null) return discussion.pushes.some((push) => push.at > at);
  if (sha === headSha) return false;
  const seenAt = headSeenAt.get(discussion) ?? firstSeen(discussion, headSha);
  headSeenAt.set(discussion, seenAt);
  return seenAt > at;
}

const headSeenAt = new WeakMap<Discussion, string>();

/** The first time at which the host shows that a head was there; later than any other time if it does not. */
function firstSeen({ reviews, threads, pushes }: Discussion, headSha: string): string {
  const seen = [
    ...reviews.map((review) => ({ sha: review.sha, at: review.createdAt })),
    ...threads.map((thread) => ({ sha: thread.sha, at: thread.comments[0]?.createdAt ?? '' })),
    ...pushes.map((push) => ({ sha: push.after, at: push.at })),
  ];
  return seen.reduce((first, { sha, at }) => (sha === headSha && at < first ? at : first), '9');
}

/** Cached, because the same thread is needed again in each language. */
const evidenceKept = new WeakMap<DiscussionThread, { found: Found | null }>();

function keptEvidenceOf(thread: DiscussionThread, change: ReviewedChange): Found | null {
  const known = evidenceKept.get(thread) ?? {
    found: isAnswered(thread, change) ? findEvidence(thread, change) : null,
  };
  evidenceKept.set(thread, known);
  return known.found;
}

interface Found {
  outcome: 'takenOver' | 'changedAsNamed' | 'functionChanged';
  evidence: ReviewEvidence | null;
}

interface Shows {
  comment: DiscussionComment;
  lines: ComparedLines['now'];
  token: ReviewEvidence['token'];
  /** The lines that had the name which is gone. */
  had?: DiffLine[];
}

function findEvidence(thread: DiscussionThread, change: ReviewedChange): Found | null {
  const compared = compareLines(thread, change);
  if (!compared) return null;
  const { before, reviewed, anchor, heading, now, gone } = compared;
  const evidenceOf = ({ comment, lines, token, had = [] }: Shows): ReviewEvidence => ({
    comment,
    reviewed,
    hunk: lines[0]?.hunk ?? anchor.hunk,
    lines: lines.filter(({ hunk }) => hunk === (lines[0]?.hunk ?? anchor.hunk)),
    before: aroundCommented(before, [...had, ...compared.commented]),
    token,
    renamed: renamedIn([...gone, ...had], lines, token),
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

/** Whether the final diff contains code that the reviewer wrote and that did not exist before. */
function takenOver(
  { comments }: DiscussionThread,
  { now, gone, seen, wentBehind }: ComparedLines,
  authorLogin: string,
): Shows | null {
  // Lines that were only broken in another place are none of the reviewer's.
  const stood = unspaced([...seen].join(''));
  for (const comment of comments) {
    if (comment.isBot || comment.author === authorLogin) continue;
    for (const { keys, isSuggestion } of codeBlocksIn(comment.body)) {
      const fresh = keys.filter((key) => !stood.includes(unspaced(key)));
      const isThere = (line: ComparedLines['now'][number]): boolean =>
        fresh.includes(keyOf(line.text)) &&
        (line.isNew ||
          (isSuggestion && line.behind !== null && line.behind <= wentBehind.length + fresh.length));
      const taken = now.filter(isThere);
      const found = new Set(taken.map(({ text }) => keyOf(text)));
      const isWhole =
        isSuggestion && gone.length > 0 && fresh.length > 0 && fresh.every((key) => found.has(key));
      if (isEnough(found) || isWhole) return { comment, lines: taken, token: null };
    }
  }
  return null;
}

const unspaced = (text: string): string => text.replaceAll(/\s/g, '');

/** Whether a name or literal that the comment quotes was added or removed. */
function changedAsNamed(
  { comments }: DiscussionThread,
  { known, commented, now, reviewed }: ComparedLines,
  { authorLogin, files, hasAllFiles }: ReviewedChange,
): Shows | null {
  const near = aroundCommented({ lines: known }, commented).lines;
  const asked = comments.filter(({ author, isBot }) => !isBot && author !== authorLogin);
  const quoted = asked.flatMap((comment) => namesIn(comment.body).map((token) => ({ comment, token })));
  for (const { comment, token } of quoted.slice(0, mostTokens)) {
    const has = ({ text }: DiffLine): boolean => holds(text, token);
    const was = known.filter(has).length;
    const come = was === 0 ? now.filter((line) => line.isNew && has(line)) : [];
    const had = come.length === 0 ? (token.length >= longLine ? known : near).filter(has) : [];
    const others = was + countIn(reviewed.file, has) - come.length;
    const isRare = others <= mostRare || defines(reviewed, come, token);
    if (come.length + had.length === 0 || !isRare) continue;
    if (come.length > 0 && !now.some((line) => line.side === 'context' && !line.isNew && has(line)))
      return { comment, lines: come, token: { text: token, isGone: false } };
    const isLeft = files.some(({ file }) => countIn(file, (line) => line.side === 'added' && has(line)) > 0);
    const isRemoved = had.every(
      ({ side }) =>
        side === 'added' || countIn(reviewed.file, (line) => line.side === 'removed' && has(line)) > 0,
    );
    if (hasAllFiles && had.length > 0 && isRemoved && !isLeft && !now.some(has))
      return { comment, lines: now.filter(({ isNew }) => isNew), token: { text: token, isGone: true }, had };
  }
  return null;
}

/** Whether the lines define something with this name that code elsewhere may use. */
const defines = ({ ranges }: ReviewedFile, lines: DiffLine[], name: string): boolean =>
  lines.some(
    ({ text, newLine }) =>
      definition.test(text) &&
      ranges.some((range) => {
        const isHere = range.side === 'new' && range.startLine <= (newLine ?? 0);
        return isHere && range.endLine >= (newLine ?? 0) && range.name.split(/\W+/).at(-1) === name;
      }),
  );

const definition =
  /\b(?:export|public)\b|\bpub (?!\()|^\s*(?:async )?def (?!_)|^(?:func|type)\b(?: \([^)]*\))? [A-Z]/;

/** Whether a name that the comment asks for is that of a definition, after which others may call it. */
export function namesDefinition({ reviewed, lines, before, token }: ReviewEvidence): boolean {
  if (token) return !token.isGone && defines(reviewed, lines, token.text);
  const words = new Set(lines.flatMap(({ text }) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
  const isNew = (word: string): boolean => !before.lines.some(({ text }) => holds(text, word));
  return [...words].some((word) => isNew(word) && defines(reviewed, lines, word));
}

/** A comment that quotes more names than this is not about a single one of them. */
export const mostTokens = 8;

const countIn = (file: FileDiff, has: (line: DiffLine) => boolean): number =>
  linesOfFile(file).all.filter(has).length;

const token = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|"[^"]*"|'[^']*'|[^\s\p{L}\p{N}_$]/gu;

/** Whether the lines change behaviour, apart from comments and names replaced everywhere. */
export function changesCode({ reviewed: { file }, lines, before, token: quoted }: ReviewEvidence): boolean {
  const signs = commentSignsIn(file);
  const isCode = ({ text }: DiffLine): boolean => text.trim() !== '' && !signs.line.test(text.trim());
  const keys = new Set(linesOfFile(file).end.map(({ key }) => key));
  const was = before.lines.filter(
    (line) => line.newLine !== null && isCode(line) && !keys.has(keyOf(line.text)),
  );
  const is = lines.filter(isCode);
  if (is.length === 0) return quoted?.isGone === true && was.length > 0;
  if (isRenamed(was.flatMap(wordsOf), is.flatMap(wordsOf))) return false;
  if (!quoted || quoted.isGone) return true;
  // A name that took the place of another one in a line is a new name, unless that line calls it.
  const used = is.filter(({ text }) => wordsOf({ text }).includes(quoted.text));
  return !used.some(
    (line) =>
      !line.text.includes(`${quoted.text}(`) && was.some((one) => isRenamed(wordsOf(one), wordsOf(line))),
  );
}

/** The name that took the place of another one, in lines that are the same otherwise or have a part of the name. */
function renamedIn(
  old: DiffLine[],
  lines: DiffLine[],
  token: ReviewEvidence['token'],
): ReviewEvidence['renamed'] {
  if (!token && lines.length > 1) return null;
  for (const [one, other] of old.flatMap((line) =>
    lines.map((now) => [wordsOf(line), wordsOf(now)] as const),
  )) {
    const place = one.findIndex((word, at) => word !== other[at]);
    const [from = '', to = ''] = [one[place], other[place]];
    if (!isName.test(from) || !isName.test(to) || (token && token.text !== (token.isGone ? from : to)))
      continue;
    const isPart = place > 0 && (to.includes(from) || from.includes(to));
    const isGone = !lines.some(({ text }) => holds(text, from));
    if (isGone && (isPart || isRenamed(one, other))) return { from, to };
  }
  return null;
}

const isName = /^[\p{L}_$]/u;

const wordsOf = ({ text }: Pick<DiffLine, 'text'>): string[] => text.match(token) ?? [];

/** Whether words differ only in names, each replaced by the same one everywhere. */
function isRenamed(one: string[], other: string[]): boolean {
  if (one.length !== other.length) return false;
  const renamed = new Map<string, string>();
  return one.every((word, at) => {
    const now = other[at] ?? '';
    if (word === now) return true;
    const known = renamed.get(word) ?? now;
    renamed.set(word, now);
    return isName.test(word) && isName.test(now) && known === now;
  });
}
