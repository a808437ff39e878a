import type { DiscussionComment, Passage } from '../domain/reviews.ts';
import { blocksOfComment, printBlocks, sentencesIn } from '../reading/description/markdown-blocks.ts';
import { codeBlocksIn } from '../reading/quoted-code.ts';

export interface Quoted {
  comment: DiscussionComment;
  text: string;
  isCut: boolean;
}

/** Remarks on form, spelling and builds are not worth telling, whatever they led to. Long ones are about more. */
export const isTrifle = (prose: string): boolean =>
  smallPoint.test(prose) || (prose.length < longestTrifle && form.test(prose));

const longestTrifle = 150;
const smallPoint =
  /^\W*(?:nit|nits|nitpick|minor|typo|style|formatting|thanks?|thank you|lgtm|bikeshed)\b|誤字|タイポ/i;
const form =
  /\b(?:misspell\w*|spelling|typo|whitespace|spaces|one space|indent(?:ation|ed)?|clearer|cleaner|nicer|readable|readability|easier to read|lint(?:er|ing)?|prettier|rubocop|eslint|gofmt|rustfmt|clang-format|CI (?:fails|is|failed)|re-?run)\b/i;

/** General comments on how and when to merge. */
export const isProcess =
  /\b(?:re-?bas\w*|squash\w*|merge conflicts?|changelog|CLA|any (?:updates?|news|progress|chance)|(?:friendly )?ping @|bump(?:ing)?|backport\w*|CI|tests? (?:are |is )?fail\w*|waiting for|when will|milestone)\b/i;

/** Remarks on private names are left out too. */
export const isNaming =
  /\b(?:rename|renaming|naming|full word|(?:better|type|variable) names?)\b|\b(?:call(?:ed)?|name) (?:it|this|that)(?: \w+)? (?:[`"']|something|just)|命名/i;

export const asks =
  /[?？]|\b(?:should|could|can|can't|cannot|must|need(?:s|ed)?|would|I'd|please|instead|consider|let's|why|what if|wonder|suggest|prefer|don't|shouldn't|won't|never|always|I think)\b|べき|ください|ほうが|では/i;

export const argues =
  /\b(?:because|since|otherwise|problem|issue|reason(?:ing)?|so (?:that|we|you|users)|in order to|need(?:s|ed)?|required|break(?:s|ing)?|broken|compatib\w*|instead|rather|prefer\w*|but|though|although|however|unless|not sure|afraid|makes? sense|worth|better|already|still|means?|would)\b|ので|ため|しかし/i;

/** A reason, or a consequence that users notice, makes a request matter even if it was not answered. */
export const weighs =
  /\b(?:because|since|otherwise|reason(?:ing)?|so that|compatib\w*|break(?:s|ing)?|broken|races?|deadlocks?|leaks?|overflows?|unsafe|secur\w*|vulnerab\w*|slow\w*|performance|cpu|memory|crash\w*|users?|regress\w*|corrupt\w*)\b|互換|ので|ため/i;

const reasons =
  /\b(?:because|since|otherwise|problem|reason|so that|in order to|only|needs?|needed|required|would (?:break|fail))\b/i;

/** By which an author says that a request was followed. */
export const follows =
  /\b(?:done|fixed|changed|updated|added|removed|moved|renamed|replaced|reverted|pushed|addressed|will|I'll|let me|good (?:point|catch|idea)|you're right)\b/i;

const courtesy =
  /^\W*(?:(?:done|fixed|thanks?|thank you|good (?:catch|call|point|idea)|nice catch|agreed|yes|yep|sure|ok(?:ay)?|will do|updated|addressed|applied|makes sense|ptal|i|see|have|all|of|them|comments|review|in|and|you|that|it|this|the|for|suggestion|now|commit|@\S+|[0-9a-f]{7,40})\W*)+$/i;
const leastWords = 3;
const leastAnswer = 8;

const wordsIn = (text: string): number => text.match(/\p{L}+|[\u3040-\u30ff\u3400-\u9fff]{2}/gu)?.length ?? 0;

/** Whether an answer only says thanks or "done". */
export const isCourtesy = ({ text }: Quoted): boolean =>
  (wordsIn(text) < leastAnswer && !reasons.test(text)) || courtesy.test(text);

const polite =
  /\b(?:thanks?|thank you|apologies|sorry for|congrat\w*|(?:look(?:s|ing)?|is) (?:really |very |pretty )?(?:good|great|nice|fine|reasonable)|(?:good|great|nice) (?:work|job)|hi|hello|hey)\b/i;

const objects = /[?？]|\b(?:but|though|however|except)\b/i;

interface ReadComment {
  whole: string;
  sentences: string[];
}

/** Cached, because the same comment is needed again for each rule and language. */
const read = new WeakMap<DiscussionComment, ReadComment>();

export function readComment(comment: DiscussionComment): ReadComment {
  const known = read.get(comment);
  if (known) return known;
  const whole = printBlocks(blocksOfComment(comment.body));
  const found = { whole, sentences: sentencesIn(whole) };
  read.set(comment, found);
  return found;
}

/** The words of a comment, without thanks and greetings. */
export const proseOf = (comment: DiscussionComment): string =>
  readComment(comment)
    .sentences.filter((sentence) => !polite.test(sentence) || objects.test(sentence))
    .join(' ');

const mostWhole = 950;
const mostSentences = 500;

/**
 * Quotes a comment whole, with its code, or if it is long, whole sentences: from the first that asks for something, or
 * that names what it is about.
 */
export function quoteOf(
  comment: DiscussionComment,
  { isWhole = false, about = null }: { isWhole?: boolean; about?: { text: string } | null } = {},
): Quoted | null {
  const { body, isCut } = comment;
  const { whole, sentences: said } = readComment(comment);
  const total = wordsIn(said.join(' '));
  const isTorn = isCut && !endsSentence.test(body.trim());
  const sentences = isTorn ? said.slice(0, -1) : said;
  if (total < (isWhole ? 1 : leastWords) || sentences.length === 0) return null;
  if (!isTorn && whole.length <= mostWhole) return { comment, text: whole, isCut };
  // Half an answer may say the opposite of the whole.
  if (isWhole && wordsIn(sentences.join(' ')) * 2 < total) return null;
  const all = sentences.reduce(joined, '');
  if (all.length <= mostWhole) return { comment, text: all, isCut: true };
  const begin = isWhole
    ? 0
    : sentences.findIndex((sentence) => (about ? sentence.includes(about.text) : asks.test(sentence)));
  let text = '';
  for (const sentence of sentences.slice(Math.max(0, begin))) {
    const longer = joined(text, sentence);
    if (longer.length > mostSentences) break;
    text = longer;
  }
  return text === '' ? null : { comment, text, isCut: true };
}

export function quotePassage(comment: DiscussionComment, { first, last }: Passage): Quoted | null {
  const { sentences } = readComment(comment);
  const own = sentences.slice(first, last + 1);
  const text = own.reduce(joined, '');
  if (text === '' || text.length > mostSentences) return null;
  return { comment, text, isCut: own.length < sentences.length || comment.isCut };
}

const endsSentence = /[.!?。！？…][\])"'`*_]*$/;

const joined = (text: string, sentence: string): string =>
  text === '' ? sentence : `${text}${endsSentence.test(text) ? ' ' : '\n\n'}${sentence}`;

/** A suggestion without a word says in code what it asks for. */
export function quoteSuggestion(comment: DiscussionComment): Quoted | null {
  const [block, ...more] = codeBlocksIn(comment.body);
  if (!block?.isSuggestion || more.length > 0 || block.text.length > mostSentences) return null;
  return { comment, text: block.text, isCut: comment.isCut };
}

/**
 * The answers of others to a comment: the first that says more than thanks, with the short ones before it, and the last
 * word if that is short.
 */
export function answersTo(comment: DiscussionComment, comments: DiscussionComment[]): Quoted[] {
  const later = comments.slice(comments.indexOf(comment) + 1);
  const quoted = later
    .filter(({ author }) => author !== comment.author)
    .flatMap((one) => quoteOf(one, { isWhole: true }) ?? []);
  const answer = quoted.find((one) => !isCourtesy(one)) ?? quoted[0];
  if (!answer) return [];
  const before = quoted
    .slice(0, quoted.indexOf(answer))
    .filter(({ text, comment: { author } }) => author === answer.comment.author && text.length <= mostBefore);
  const last = later.at(-1);
  const end =
    last && later.indexOf(last) > later.indexOf(answer.comment) ? quoteOf(last, { isWhole: true }) : null;
  return end && !end.isCut && end.text.length <= mostEnd && !courtesy.test(end.text)
    ? [...before, answer, end]
    : [...before, answer];
}

const mostEnd = 300;
const mostBefore = 80;
