import { createHash } from 'node:crypto';
import type { Hunk, Statement } from '../contract/article-parts.ts';
import type { Review } from '../contract/reviews.ts';
import { articleWordsFor } from '../domain/article-words.ts';
import {
  type ChosenPoint,
  type Discussion,
  type DiscussionComment,
  type DiscussionReview,
  type DiscussionThread,
  idOfComment,
  type Passage,
} from '../domain/reviews.ts';
import { kindOfPath } from '../reading/classify-file.ts';
import { commentSignsIn } from '../reading/comment-signs.ts';
import { type DiffLine, linesOf } from '../reading/file-diff.ts';
import { namesIn } from '../reading/quoted-code.ts';
import { type Exchange, exchangesOf } from '../reading/review-exchanges.ts';
import { generalOutcomesOf } from '../reading/reviewed-conversation.ts';
import {
  type HunkLines,
  linesAsReviewed,
  type ReviewedChange,
  type ReviewedFile,
} from '../reading/reviewed-lines.ts';
import {
  changesCode,
  isAnswered,
  mostCompared,
  namesDefinition,
  outcomesOf,
  type ReviewEvidence,
  type ThreadOutcome,
} from '../reading/reviews.ts';
import {
  answersTo,
  argues,
  asks,
  follows,
  isCourtesy,
  isNaming,
  isProcess,
  isTrifle,
  proseOf,
  type Quoted,
  quoteOf,
  quotePassage,
  quoteSuggestion,
  weighs,
} from './review-quotations.ts';

export interface ReviewSource extends ReviewedChange {
  hostUrl: string | null;
  isMerged: boolean;
  /** The time at which the article was written. */
  writtenAt: string;
  linesUrl: (lines: {
    fileName: string;
    startLine: number;
    endLine: number;
    side: 'old' | 'new';
  }) => string | null;
}

const mostPoints = 3;

/** The words of a further point must be this long, and be about code outside tests. */
const leastFurther = 100;

const lengthOf = (some: Quoted[]): number =>
  some.reduce((sum, { comment }) => sum + proseOf(comment).length, 0);

/** The candidates for the section about a review, the most important first. */
export const candidatesOf = (source: ReviewSource, outcomes = outcomesOf(source)): Candidate[] =>
  exchangesWithResults(source, outcomes)
    .flatMap((found) => candidateOf(found, source))
    .sort(
      (one, other) =>
        Number(other.isOutsideTests) - Number(one.isOutsideTests) ||
        Number(other.isDiscussed) - Number(one.isDiscussed) ||
        Number(other.isRequested) - Number(one.isRequested) ||
        other.length - one.length,
    );

/**
 * The results of a review, as far as rules can prove them. A model may have chosen among those that existed when it
 * wrote.
 */
export function tellReview(source: ReviewSource, languageCode: string, chosen: ChosenPoint[] = []): Review {
  const { discussion, authorLogin } = source;
  const outcomes = outcomesOf(source);
  const reviewers = reviewersOf(source);
  const candidates = candidatesOf(source, outcomes);
  const byModel = chosen.flatMap((one) => candidates.flatMap((candidate) => asChosen(candidate, one)));
  const isNew = ({ request: { comment } }: Candidate): boolean =>
    Date.parse(comment.createdAt) > Date.parse(source.writtenAt);
  const shown = [...byModel, ...(byModel.length > 0 ? candidates.filter(isNew) : candidates)]
    .filter((one, place, all) => all.findIndex(({ first }) => first === one.first) === place)
    .filter(
      ({ isOutsideTests, isDiscussed, request, answers }, place) =>
        place < Math.max(1, byModel.length) ||
        (isOutsideTests && lengthOf(isDiscussed ? [request, ...answers] : [request]) >= leastFurther),
    )
    .slice(0, mostPoints);
  const points = shown.map((candidate) => pointOf(candidate, source, languageCode));
  const others = outcomes.filter((one) => !shown.some(({ thread }) => thread === one.thread));
  const said = [
    ...discussion.reviews,
    ...discussion.comments,
    ...discussion.threads.flatMap(({ comments }) => comments),
  ];
  return {
    reviewers,
    threads: outcomes.length,
    points,
    rest: points.length === 0 ? null : restOf(others, shown, reviewers, source, languageCode),
    newComments: said.filter(
      ({ isBot, body, author, createdAt }) =>
        !isBot &&
        body !== '' &&
        author !== authorLogin &&
        Date.parse(createdAt) > Date.parse(source.writtenAt),
    ).length,
  };
}

export interface Candidate {
  /** Comments that are only discussed prove nothing about the code. */
  outcome: ThreadOutcome['outcome'] | 'discussed';
  /** Null for comments that are on no line. */
  thread: DiscussionThread | null;
  comments: DiscussionComment[];
  evidence: ReviewEvidence | null;
  /** The comment by which a candidate is known. */
  first: DiscussionComment;
  /** The author's words before the request. */
  question: Quoted | null;
  request: Quoted;
  answers: Quoted[];
  isOutsideTests: boolean;
  /** Whether people gave reasons. */
  isDiscussed: boolean;
  isRequested: boolean;
  /** Whether the code changed after the thread. */
  isChangedAfter: boolean;
  length: number;
}

const notShown = new Set(['documentation', 'generated', 'vendored', 'lock', 'binary']);
const typesOnly = /\.(?:pyi|d\.[cm]?ts)$/;

type Found = Exchange & Pick<ThreadOutcome, 'outcome' | 'evidence'>;

/** The threads and general comments with their results. */
function exchangesWithResults(source: ReviewSource, outcomes: ThreadOutcome[]): Found[] {
  const ofThreads = new Map(outcomes.map((one) => [one.thread, one]));
  const general = generalOutcomesOf(source);
  const exchanges = exchangesOf(source.discussion, source.authorLogin);
  return exchanges.flatMap(({ thread, comments }) => {
    const results = thread
      ? [ofThreads.get(thread) ?? null]
      : general.filter(({ evidence }) => comments.includes(evidence.comment));
    return (results.length > 0 ? results : [null]).map((result) => ({
      thread,
      comments,
      outcome: result?.outcome ?? null,
      evidence: result?.evidence ?? null,
    }));
  });
}

function candidateOf(found: Found, source: ReviewSource): Candidate[] {
  const { thread, comments, outcome, evidence } = found;
  const { discussion, authorLogin, files } = source;
  const path = thread?.path ?? '';
  const changed = files.find(({ file }) => file.path === path || file.previousPath === path);
  const kind = evidence?.reviewed.kind ?? changed?.kind ?? (thread ? kindOfPath(path) : 'source');
  const request = requestIn(found, authorLogin);
  const prose = request ? proseOf(request.comment) : '';
  if (!request || isTrifle(prose) || notShown.has(kind) || typesOnly.test(path)) return [];
  const { comment } = request;
  const answers = answersTo(comment, comments);
  const isProven = evidence !== null && isWorthTelling(thread, evidence, request);
  const before = comments[comments.indexOf(comment) - 1];
  const isQuestion = before?.author === authorLogin && (thread !== null || /[?？]/.test(before.body));
  const question = isQuestion ? quoteOf(before, { isWhole: true }) : null;
  const isDiscussed =
    kind !== 'test' &&
    !isOnComments(thread, changed) &&
    hasReasons(found, request, [...(question ? [question] : []), ...answers], source);
  if (!isProven && !isDiscussed) return [];
  return [
    {
      thread,
      comments,
      outcome: isProven ? outcome : 'discussed',
      evidence: isProven ? evidence : null,
      first: thread?.comments[0] ?? evidence?.comment ?? comment,
      question,
      request,
      answers: isDiscussed ? answers : answers.filter((one) => !isCourtesy(one)),
      isOutsideTests: kind !== 'test',
      isDiscussed,
      isRequested: discussion.reviews.some(
        ({ author, state }) => author === comment.author && state === 'changesRequested',
      ),
      isChangedAfter:
        thread !== null && (isFollowedByChange({ outcome }) || areLinesGone(thread, changed, source)),
      length: comments.reduce((sum, { body }) => sum + body.length, 0),
    },
  ];
}

/** Whether added lines that a thread is about are not in the final diff of the file. */
function areLinesGone(
  thread: DiscussionThread,
  changed: ReviewedFile | undefined,
  source: ReviewSource,
): boolean {
  const added = (linesAsReviewed(thread)?.commented ?? []).filter(
    ({ side, text }) => side === 'added' && text.trim() !== '',
  );
  if (!changed || added.length === 0 || !isAnswered(thread, source)) return false;
  const atEnd = new Set(
    changed.file.hunks
      .flatMap((hunk) => linesOf(hunk))
      .flatMap(({ side, text }) => (side === 'removed' ? [] : text)),
  );
  return added.some(({ text }) => !atEnd.has(text));
}

/** Whether a thread is about nothing but comments in the code. */
function isOnComments(thread: DiscussionThread | null, changed: ReviewedFile | undefined): boolean {
  const lines = (thread && linesAsReviewed(thread)?.commented) ?? [];
  if (!changed || lines.length === 0) return false;
  const { line: sign } = commentSignsIn(changed.file);
  return lines.every(({ text }) => text.trim() === '' || sign.test(text.trim()));
}

/** The first request of a reviewer: of the one whom the result belongs to, if there is any. */
function requestIn({ thread, comments, evidence }: Found, authorLogin: string): Quoted | null {
  const first = evidence?.comment ?? comments.find(({ author }) => author !== authorLogin);
  for (const comment of first ? [first, ...comments] : []) {
    if (comment.author !== first?.author) continue;
    const quoted = quoteOf(comment, { about: thread ? null : (evidence?.token ?? null) });
    const found = quoted ?? quoteSuggestion(comment);
    if (found) return found;
  }
  return null;
}

/** Whether a result matters: it must change what the code does, or a name that others use. */
function isWorthTelling(
  thread: DiscussionThread | null,
  evidence: ReviewEvidence,
  { comment, text }: Quoted,
): boolean {
  const isName = namesDefinition(evidence);
  if (!isName && (!changesCode(evidence) || isNaming.test(text))) return false;
  if (proseOf(comment) === '') return isName || new Set(evidence.lines.map((line) => line.text)).size > 1;
  return thread !== null || asks.test(text);
}

/** The shortest requests that are quoted although nobody answered with a reason. */
const leastRequest = { weighty: 60, done: 100, followed: 200 };

/**
 * Whether people gave reasons, or the author says that a request was followed. This proves nothing about the code, so
 * nothing is said about it.
 */
function hasReasons(
  { thread }: Found,
  { comment }: Quoted,
  answers: Quoted[],
  source: ReviewSource,
): boolean {
  const own = proseOf(comment);
  if (isNaming.test(own)) return false;
  if (!thread && (isProcess.test(own) || !(weighs.test(own) || namesIn(comment.body).length > 0)))
    return false;
  const said = [own, ...answers.map(({ text }) => text)];
  if (answers.some((one) => !isCourtesy(one)) && said.some((text) => argues.test(text))) return true;
  const isDone = answers.some(
    ({ comment: { author }, text }) => author === source.authorLogin && follows.test(text),
  );
  const sha = thread ? thread.sha : 'sha' in comment ? (comment as DiscussionReview).sha : null;
  const isFollowed = isDone || isAnswered({ sha, comments: [comment] }, source);
  const least = weighs.test(own) ? 'weighty' : isDone ? 'done' : 'followed';
  return isFollowed && own.length >= leastRequest[least] && (asks.test(own) || argues.test(own));
}

/** A candidate with the passages that a model chose, as far as they still exist; rules choose the others. */
function asChosen(candidate: Candidate, chosen: ChosenPoint): Candidate[] {
  if (idOfComment(candidate.first) !== chosen.first) return [];
  const find = (passage: Passage | null, isBy: (author: string) => boolean): Quoted | null => {
    const comment = candidate.comments.find(
      (one) => idOfComment(one) === passage?.comment && isBy(one.author),
    );
    return comment && passage ? quotePassage(comment, passage) : null;
  };
  const { author } = candidate.request.comment;
  const request = find(chosen.request, (by) => by === author);
  const reply = find(chosen.reply, (by) => by !== author);
  return [{ ...candidate, request: request ?? candidate.request, answers: reply ? [reply] : [] }];
}

function pointOf(candidate: Candidate, source: ReviewSource, languageCode: string): Review['points'][number] {
  const { thread, evidence, question, request, answers, outcome } = candidate;
  const { hostUrl } = source;
  const before = evidence?.before ?? (thread && linesAsReviewed(thread));
  return {
    outcome: outcome === 'takenOver' || outcome === 'discussed' ? outcome : 'changedAsNamed',
    hunkAsReviewed: thread && before ? reviewedHunk(thread.path, before) : null,
    fileName: thread?.path ?? null,
    line: thread?.line ?? null,
    words: [...(question ? [question] : []), request, ...answers].map(({ comment, text, isCut }) => ({
      author: comment.author,
      markdown: text,
      cut: isCut,
      url: hostUrl && comment.anchor ? `${hostUrl}#${comment.anchor}` : null,
      createdAt: comment.createdAt,
    })),
    statements: evidence ? [statementOfPoint({ ...candidate, evidence }, source, languageCode)] : [],
    hunk: evidence && mergedHunk(evidence),
  };
}

export function statementOfPoint(
  { evidence, request: { comment } }: Pick<Candidate, 'request'> & { evidence: ReviewEvidence },
  { isMerged, linesUrl }: ReviewSource,
  languageCode: string,
): Statement {
  const { review: words } = articleWordsFor(languageCode);
  const { lines, token, renamed, anchor, reviewed } = evidence;
  const numbers = (lines.length > 0 ? lines : [anchor]).flatMap(({ newLine }) => newLine ?? []);
  const place = {
    fileName: reviewed.file.path,
    startLine: Math.min(...numbers),
    endLine: Math.max(...numbers),
    side: 'new' as const,
  };
  const text = renamed
    ? words.renamed(codeOf(renamed.from), codeOf(renamed.to))
    : token
      ? words[token.isGone ? 'gone' : 'come'](codeOf(token.text))
      : words.takenOver(comment.author, new Set(lines.map((line) => line.text)).size, isMerged);
  return {
    ...identified(text, 'diff', [place.fileName]),
    evidence: [{ ...place, hostUrl: linesUrl(place) }],
  };
}

const codeOf = (text: string): string => (text.includes('`') ? text : `\`${text}\``);

const identified = (text: string, basis: Statement['basis'], files: string[]) => ({
  id: createHash('sha256')
    .update(JSON.stringify([text, basis, files]))
    .digest('hex')
    .slice(0, 12),
  text,
  basis,
});

export const mostLines = 24;

export const reviewedHunk = (fileName: string, { lines }: HunkLines): Hunk =>
  hunkOf(fileName, null, lines, lines.slice(-mostLines));

/** Unchanged lines around those that prove a result. */
const linesAround = 3;

/** The lines that prove the result, with some around them; null if the proof is that something was removed. */
function mergedHunk({ reviewed, hunk, lines, anchor, heading }: ReviewEvidence): Hunk | null {
  const all = linesOf(hunk);
  const at = (lines.length > 0 ? lines : [anchor]).map((line) =>
    all.findIndex(({ newLine }) => newLine === line.newLine),
  );
  const from = Math.max(0, Math.min(...at) - linesAround);
  const to = Math.max(...at) + linesAround + 1;
  const shown = all.slice(from, Math.min(to, from + mostLines));
  return shown.length === 0 ? null : hunkOf(reviewed.file.path, heading, [...all], shown);
}

export function hunkOf(fileName: string, heading: string | null, all: DiffLine[], shown: DiffLine[]): Hunk {
  const changedIn = (lines: DiffLine[]): number => lines.filter(({ side }) => side !== 'context').length;
  const from = all.indexOf(shown[0] ?? (all[0] as DiffLine));
  return {
    fileName,
    heading,
    lines: shown.map(({ side, text, oldLine, newLine }) => ({ kind: side, oldLine, newLine, text })),
    moreBefore: changedIn(all.slice(0, from)),
    moreAfter: changedIn(all.slice(from + shown.length)),
  };
}

/** Reviewers with their last verdicts. */
export function reviewersOf({
  discussion,
  authorLogin,
}: Pick<ReviewSource, 'discussion' | 'authorLogin'>): Review['reviewers'] {
  const people = new Map<string, Review['reviewers'][number]['state']>();
  for (const { author, isBot } of [
    ...discussion.threads.flatMap(({ comments }) => comments),
    ...discussion.comments,
  ])
    if (!isBot && author !== authorLogin) people.set(author, 'commented');
  for (const { author, isBot, state } of discussion.reviews) {
    if (isBot || author === authorLogin) continue;
    if (state === 'approved' || state === 'changesRequested') people.set(author, state);
    else if (state === 'dismissed' || !people.has(author)) people.set(author, 'commented');
  }
  return [...people].map(([login, state]) => ({ login, state }));
}

/** The remaining comments by kind, and what is unknown about them. */
function restOf(
  others: ThreadOutcome[],
  shown: Candidate[],
  reviewers: Review['reviewers'],
  { discussion }: ReviewSource,
  languageCode: string,
): Statement | null {
  const { review: words } = articleWordsFor(languageCode);
  const by = (state: Review['reviewers'][number]['state']): string[] =>
    reviewers.filter((one) => one.state === state).map(({ login }) => login);
  const [approved, requested] = [by('approved'), by('changesRequested')];
  const elsewhere = [
    ...new Set(others.flatMap((one) => (one.outcome === 'elsewhere' ? (one.elsewhere ?? []) : []))),
  ];
  const compared = discussion.threads.length <= mostCompared ? others : [];
  const changed = compared.filter(isFollowedByChange).length;
  const changedAfter = shown.filter((one) => one.outcome === 'discussed' && one.isChangedAfter).length;
  const text = [
    ...(changedAfter > 0 ? [words.changedAfter(changedAfter, shown.length)] : []),
    ...(others.length > 0 ? [words.others(others.length, changed)] : []),
    ...elsewhere.map(words.elsewhere),
    ...(approved.length > 0 ? [words.approved(approved)] : []),
    ...(requested.length > 0 ? [words.requested(requested)] : []),
    ...(isHistoryReplaced(discussion) ? [words.replaced] : []),
    ...(discussion.hasMore ? [words.hasMore] : []),
    ...(isAnyOtherCut(discussion, shown) ? [words.hasCut] : []),
  ].join(articleWordsFor(languageCode).betweenSentences);
  return text === '' ? null : { ...identified(text, 'words', []), evidence: [] };
}

export function isHistoryReplaced({ threads, pushes }: Discussion): boolean {
  const first = threads[0]?.comments[0]?.createdAt ?? '';
  return pushes.some(({ isForced, at }) => isForced && at > first);
}

/** Whether the code changed after a thread. Only this is known, so nothing is said about what the change does. */
const isFollowedByChange = ({ outcome }: Pick<ThreadOutcome, 'outcome'>): boolean =>
  outcome !== null && outcome !== 'elsewhere';

/** Quotations that are shortened say so themselves. */
function isAnyOtherCut({ threads, comments, reviews }: Discussion, shown: Candidate[]): boolean {
  const quoted = new Set(
    shown.flatMap(({ request, answers }) => [request, ...answers]).map(({ comment }) => comment),
  );
  const all: DiscussionComment[] = [...threads.flatMap((thread) => thread.comments), ...comments, ...reviews];
  return all.some((comment) => comment.isCut && !comment.isBot && !quoted.has(comment));
}
