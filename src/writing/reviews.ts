import { createHash } from 'node:crypto';
import type { Hunk, Statement } from '../contract/article-parts.ts';
import type { Review } from '../contract/reviews.ts';
import { articleWordsFor } from '../domain/article-words.ts';
import {
  type ChosenPoint,
  type Discussion,
  type DiscussionComment,
  type DiscussionThread,
  idOfComment,
  type Passage,
} from '../domain/reviews.ts';
import { sentencesOfComment } from '../reading/description/markdown-blocks.ts';
import { type DiffLine, linesOf } from '../reading/file-diff.ts';
import { codeBlocksIn } from '../reading/quoted-code.ts';
import { generalOutcomesOf } from '../reading/reviewed-conversation.ts';
import type { HunkLines, ReviewedChange } from '../reading/reviewed-lines.ts';
import {
  changesCode,
  mostCompared,
  namesDefinition,
  outcomesOf,
  type ReviewEvidence,
  reasons,
  type ThreadOutcome,
} from '../reading/reviews.ts';

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

/** A further point must score at least this, and be about code outside tests. */
const leastFurther = 80;

/** The effects of a review that may be shown, the most important first. */
export function candidatesOf(source: ReviewSource, outcomes = outcomesOf(source)): Candidate[] {
  const general = generalOutcomesOf(source).map((outcome) => ({ ...outcome, thread: null }));
  return [...outcomes, ...general]
    .flatMap((outcome) => candidateOf(outcome, source))
    .sort(
      (one, other) =>
        Number(other.isOutsideTests) - Number(one.isOutsideTests) ||
        Number(one.outcome === 'kept') - Number(other.outcome === 'kept') ||
        Number(other.isRequested) - Number(one.isRequested) ||
        other.length - one.length,
    );
}

/**
 * The results of a review, as far as rules can prove them. A model may have chosen among those that existed when it
 * wrote.
 */
export function tellReview(source: ReviewSource, languageCode: string, chosen: ChosenPoint[] = []): Review {
  const { discussion, authorLogin } = source;
  const outcomes = outcomesOf(source);
  const reviewers = reviewersOf(source);
  const candidates = candidatesOf(source, outcomes);
  const byModel = chosen.flatMap((one) =>
    candidates.flatMap((candidate) => asChosen(candidate, one, source)),
  );
  const isNew = ({ comment }: Candidate): boolean =>
    Date.parse(comment.createdAt) > Date.parse(source.writtenAt);
  const shown = [...byModel, ...(byModel.length > 0 ? candidates.filter(isNew) : candidates)]
    .filter((one, place, all) => all.findIndex((other) => firstOf(other) === firstOf(one)) === place)
    .filter(
      ({ isOutsideTests, request }, place) =>
        place < Math.max(1, byModel.length) || (isOutsideTests && request.length >= leastFurther),
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
    rest: points.length === 0 ? null : restOf(others, reviewers, source, languageCode),
    newComments: said.filter(
      ({ isBot, body, author, createdAt }) =>
        !isBot &&
        body !== '' &&
        author !== authorLogin &&
        Date.parse(createdAt) > Date.parse(source.writtenAt),
    ).length,
  };
}

export interface Candidate extends Pick<ThreadOutcome, 'outcome'> {
  /** Null for comments that are on no line. */
  thread: DiscussionThread | null;
  evidence: ReviewEvidence;
  comment: DiscussionComment;
  /** The quoted sentences. */
  request: string;
  isCut: boolean;
  reply: Quoted | null;
  isOutsideTests: boolean;
  isRequested: boolean;
  length: number;
}

const notShown = new Set(['documentation', 'generated', 'vendored', 'lock', 'binary']);

/** Remarks on form, spelling and builds are not worth telling, whatever they led to. */
const isTrifle =
  /^\W*(?:nit|nits|nitpick|minor|typo|style|formatting|thanks?|thank you|lgtm|bikeshed)\b|\b(?:misspell\w*|spelling|typo|whitespace|indent(?:ation|ed)?|clearer|cleaner|nicer|readable|readability|easier to read|lint(?:er|ing)?|prettier|rubocop|eslint|gofmt|rustfmt|CI (?:fails|is|failed)|re-?run)\b|誤字|タイポ/i;

/** Remarks on private names are left out too. */
const isNaming =
  /\b(?:rename|renaming|naming|full word|better name)\b|\b(?:call(?:ed)?|name) (?:it|this|that)\b|命名/i;

function candidateOf(
  { thread, outcome, evidence }: Pick<Candidate, 'thread' | 'outcome'> & Pick<ThreadOutcome, 'evidence'>,
  { discussion, authorLogin }: ReviewSource,
): Candidate[] {
  if (!evidence || notShown.has(evidence.reviewed.kind)) return [];
  const isName = namesDefinition(evidence);
  const isKept = outcome === 'kept';
  if (!isKept && !isName && !changesCode(evidence)) return [];
  const { author } = evidence.comment;
  const said = thread?.comments ?? [evidence.comment];
  const [found] = [evidence.comment, ...said.filter((one) => one.author === author)].flatMap((comment) => {
    const quoted =
      quoteOf(comment, longestRequest, thread ? null : evidence.token) ??
      (isName || new Set(evidence.lines.map((line) => line.text)).size > 1 ? suggestionOf(comment) : null);
    return quoted ? { comment, quoted } : [];
  });
  const { text } = found?.quoted ?? { text: '' };
  if (
    !found ||
    isTrifle.test(text) ||
    (!isName && isNaming.test(text)) ||
    ((!thread || isKept) && !asks.test(text))
  )
    return [];
  const reply = replyOf(thread, authorLogin);
  if (isKept && !reasons.test(reply?.text ?? '')) return [];
  const { comment, quoted } = found;
  const isRequested = discussion.reviews.some(
    (review) => review.author === author && review.state === 'changesRequested',
  );
  return [
    {
      thread,
      outcome,
      evidence,
      comment,
      request: quoted.text,
      isCut: quoted.isCut || comment.isCut,
      reply,
      isOutsideTests: evidence.reviewed.kind !== 'test',
      isRequested,
      length: said.reduce((sum, { body }) => sum + body.length, 0),
    },
  ];
}

interface Quoted {
  comment: DiscussionComment;
  text: string;
  isCut: boolean;
}

/** The comment by which a candidate is known. */
export const firstOf = ({ thread, evidence }: Candidate): DiscussionComment =>
  thread?.comments[0] ?? evidence.comment;

/** A candidate with the passages that a model chose, as far as they still exist; rules choose the others. */
function asChosen(candidate: Candidate, chosen: ChosenPoint, { authorLogin }: ReviewSource): Candidate[] {
  if (idOfComment(firstOf(candidate)) !== chosen.first) return [];
  const comments = candidate.thread?.comments ?? [candidate.evidence.comment];
  const find = (passage: Passage | null, by: string): Quoted | null => {
    const comment = comments.find((one) => idOfComment(one) === passage?.comment && one.author === by);
    return comment && passage ? passageIn(comment, passage) : null;
  };
  const request = find(chosen.request, candidate.evidence.comment.author);
  return [
    {
      ...candidate,
      ...(request && { comment: request.comment, request: request.text, isCut: request.isCut }),
      reply: find(chosen.reply, authorLogin),
    },
  ];
}

function passageIn(comment: DiscussionComment, { first, last }: Passage): Quoted | null {
  const sentences = sentencesOfComment(comment.body);
  const own = sentences.slice(first, last + 1);
  const text = own.reduce(joined, '');
  if (text === '' || text.length > longestRequest) return null;
  return { comment, text, isCut: own.length < sentences.length || comment.isCut };
}

const longestRequest = 400;
const longestReply = 300;
const leastWords = 3;

const asks =
  /[?？]|\b(?:should|could|can|can't|cannot|must|need(?:s|ed)?|would|please|instead|consider|let's|why|what if|wonder|suggest|prefer|don't|shouldn't|won't|never|always)\b|べき|ください|ほうが|では/i;

/**
 * Quotes whole sentences of a review comment: all if it is short, else from the first that asks for something, or that
 * names what it is about.
 */
function quoteOf(
  { body, isCut: isBodyCut }: DiscussionComment,
  most: number,
  about: { text: string } | null = null,
): { text: string; isCut: boolean } | null {
  const sentences = sentencesOfComment(body);
  if (isBodyCut && !endsSentence.test(body.trim())) sentences.pop();
  const wordsIn = (text: string): number =>
    text.match(/\p{L}+|[\u3040-\u30ff\u3400-\u9fff]{2}/gu)?.length ?? 0;
  if (sentences.reduce((sum, text) => sum + wordsIn(text), 0) < leastWords) return null;
  const all = sentences.reduce(joined, '');
  if (all.length <= most) return { text: all, isCut: isBodyCut || codeBlocksIn(body).length > 0 };
  const begin = Math.max(
    0,
    sentences.findIndex((sentence) => (about ? sentence.includes(about.text) : asks.test(sentence))),
  );
  let text = '';
  for (const sentence of sentences.slice(begin)) {
    const longer = joined(text, sentence);
    if (longer.length > most) break;
    text = longer;
  }
  return text === '' ? null : { text, isCut: true };
}

const endsSentence = /[.!?。！？…][\])"'`*_]*$/;

const joined = (text: string, sentence: string): string =>
  text === '' ? sentence : `${text}${endsSentence.test(text) ? ' ' : '\n\n'}${sentence}`;

/** A suggestion without a word says in code what it asks for. */
function suggestionOf({ body, isCut }: DiscussionComment): { text: string; isCut: boolean } | null {
  const [block, ...more] = codeBlocksIn(body);
  if (!block?.isSuggestion || more.length > 0 || block.text.length > longestRequest) return null;
  return { text: block.text, isCut };
}

/** The author's reply, unless it only says thanks or "done". */
function replyOf(thread: DiscussionThread | null, authorLogin: string): Quoted | null {
  for (const comment of thread?.comments ?? []) {
    const quoted = comment.author === authorLogin ? quoteOf(comment, longestReply) : null;
    if (quoted && !isCourtesy.test(quoted.text)) return { comment, ...quoted };
  }
  return null;
}

const isCourtesy =
  /^\W*(?:(?:done|fixed|thanks?|thank you|good (?:catch|call|point|idea)|nice catch|agreed|yes|yep|sure|ok(?:ay)?|will do|updated|addressed|applied|makes sense|in|and|you|that|it|this|the|for|suggestion|now|commit|[0-9a-f]{7,40})\W*)+$/i;

function pointOf(candidate: Candidate, source: ReviewSource, languageCode: string): Review['points'][number] {
  const { thread, evidence, comment, request, reply, isCut, outcome } = candidate;
  const { hostUrl } = source;
  const wordsOf = (by: DiscussionComment, markdown: string, cut: boolean) => ({
    author: by.author,
    markdown,
    cut,
    url: hostUrl && by.anchor ? `${hostUrl}#${by.anchor}` : null,
    createdAt: by.createdAt,
  });
  return {
    outcome: outcome === 'takenOver' || outcome === 'kept' ? outcome : 'changedAsNamed',
    hunkAsReviewed: thread && outcome !== 'kept' ? reviewedHunk(thread.path, evidence.before) : null,
    fileName: thread?.path ?? null,
    line: thread?.line ?? null,
    words: [
      wordsOf(comment, request, isCut),
      ...(reply ? [wordsOf(reply.comment, reply.text, reply.isCut)] : []),
    ],
    statements: [statementOfPoint(candidate, source, languageCode)],
    hunk: mergedHunk(evidence),
  };
}

export function statementOfPoint(
  { evidence, comment, outcome }: Candidate,
  { isMerged, linesUrl }: ReviewSource,
  languageCode: string,
): Statement {
  const { review: words } = articleWordsFor(languageCode);
  const { lines, token, anchor, reviewed } = evidence;
  const numbers = (lines.length > 0 ? lines : [anchor]).flatMap(({ newLine }) => newLine ?? []);
  const place = {
    fileName: reviewed.file.path,
    startLine: Math.min(...numbers),
    endLine: Math.max(...numbers),
    side: 'new' as const,
  };
  const text = token
    ? words[token.isGone ? 'gone' : 'come'](codeOf(token.text))
    : outcome === 'kept'
      ? words.kept(lines.length)
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
  const changed = compared.filter(
    ({ outcome }) => outcome !== null && outcome !== 'elsewhere' && outcome !== 'kept',
  ).length;
  const text = [
    ...(others.length > 0 ? [words.others(others.length, changed)] : []),
    ...elsewhere.map(words.elsewhere),
    ...(approved.length > 0 ? [words.approved(approved)] : []),
    ...(requested.length > 0 ? [words.requested(requested)] : []),
    ...(isHistoryReplaced(discussion) ? [words.replaced] : []),
    ...(discussion.hasMore ? [words.hasMore] : []),
    ...(isAnyCut(discussion) ? [words.hasCut] : []),
  ].join(articleWordsFor(languageCode).betweenSentences);
  return text === '' ? null : { ...identified(text, 'words', []), evidence: [] };
}

export function isHistoryReplaced({ threads, pushes }: Discussion): boolean {
  const first = threads[0]?.comments[0]?.createdAt ?? '';
  return pushes.some(({ isForced, at }) => isForced && at > first);
}

const isAnyCut = ({ threads, comments, reviews }: Discussion): boolean =>
  [...threads.flatMap((thread) => thread.comments), ...comments, ...reviews].some(
    ({ isCut, isBot }) => isCut && !isBot,
  );
