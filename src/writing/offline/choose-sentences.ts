import { type PlacedSentence, placeSentences } from '../../reading/description/sentences.ts';
import { isBalanced, plainText, shorten } from '../plain-text.ts';
import { repeats, tellsSomething } from '../words/telling-sentences.ts';
import { citesAnother, leansBack } from '../words/whole-thoughts.ts';
import { bareTitle } from './bare-title.ts';

const mostSentences = 3;
const mostCharacters = 420;
const longestSentence = 320;

/** Sections that tell how it was tested or who looked at it, not why it was made. */
const otherSections =
  /test|check ?list|screenshot|review|how to|related|reference|release note|changelog|todo|steps|environment|benchmark|demo|deploy/i;

/** Sentences that say why, and those that say what was wrong. */
const reasons =
  /\b(?:because|since|so that|so we|in order to|to avoid|to prevent|to ensure|to allow|to make|allows?|which means|therefore|otherwise|this way|instead of|motivation|reason|needed?|useful|convenient)\b/i;
const problems =
  /\b(?:currently|previously|before this|used to|until now|fails?|failed|failing|broken?|breaks|bug|crash\w*|panic\w*|wrong\w*|incorrect\w*|missing|cannot|can't|can not|doesn't|does not|didn't|did not|no longer|unable|impossible|unexpected\w*|issue|problem|regression|leaks?|slow|ignored?)\b/i;

/** A sentence of somebody's text, and how well it says why. */
interface Candidate {
  text: string;
  paragraph: number;
  isItem: boolean;
  /** Whether it can be read in a quotation at all. */
  isReadable: boolean;
  score: number;
}

export interface Chosen {
  /** One after the other, as they were written. */
  sentences: string[];
  /** The one that says most. */
  best: string;
}

/** What somebody's text says of why a change was made, in their own sentences; null where it says nothing of that. */
export function chooseSentences(
  text: string,
  title: string,
  isOut: (sentence: string) => boolean,
): Chosen | null {
  const placed = ownSentences(text);
  // A list of commits tells the steps, and what stands below one of them is about that one.
  if (placed.some(({ isHistory }) => isHistory)) return null;
  const paragraphs = paragraphsOf(text, placed);
  const candidates = placed.map(({ text: sentence, heading, isItem, isStep }, place): Candidate => {
    const plain = tidy(withoutPrefix(plainText(sentence)));
    const isElsewhere = heading !== null && otherSections.test(heading);
    const isReadable =
      !isElsewhere &&
      !isStep &&
      // What is listed may be about what stands above the list.
      !(isItem && !ends.test(plain)) &&
      !isOut(sentence) &&
      !addressInside.test(sentence) &&
      isWhole(plain);
    const isNews = isReadable && tellsSomething(plain) && !repeats(plain, title);
    const score = (reasons.test(plain) ? 2 : 0) + (problems.test(plain) ? 1.5 : 0) + 2 / (1 + place);
    return { text: plain, paragraph: paragraphs[place] ?? 0, isItem, isReadable, score: isNews ? score : 0 };
  });
  return pick(candidates);
}

/** The sentences of a text, up to where it repeats somebody else's: another commit's message. */
function ownSentences(text: string): PlacedSentence[] {
  const placed = placeSentences(text);
  const end = placed.findIndex(({ text: sentence }) => citesAnother.test(sentence));
  return end < 0 ? placed : placed.slice(0, end);
}

/** For each sentence, which of the text's paragraphs it stands in. */
function paragraphsOf(text: string, placed: PlacedSentence[]): number[] {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.replace(/\s+/g, ' '));
  let at = 0;
  return placed.map(({ text: sentence }) => {
    const found = paragraphs.findIndex(
      (paragraph, index) => index >= at && paragraph.includes(sentence.replace(/\s+/g, ' ')),
    );
    at = found < 0 ? at : found;
    return at;
  });
}

/** The best sentence that can be understood, with those around it in its paragraph that make it one thought. */
function pick(candidates: Candidate[]): Chosen | null {
  const ranked = candidates
    .map((candidate, place) => ({ ...candidate, place }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.place - other.place);
  for (const { text: best, place } of ranked) {
    const start = startOf(candidates, place);
    if (start === null) continue;
    const sentences = candidates.slice(start, place + 1).map(({ text }) => text);
    for (let next = place + 1; next < candidates.length; next++) {
      const [last, one] = [candidates[next - 1], candidates[next]];
      if (!last || !one || !follows(last, one) || sentences.length >= mostSentences) break;
      if (lengthOf(sentences) + one.text.length > mostCharacters) break;
      sentences.push(one.text);
    }
    if (lengthOf(sentences) <= mostCharacters) return { sentences, best };
  }
  return null;
}

const lengthOf = (sentences: string[]): number => sentences.reduce((sum, { length }) => sum + length, 0);

/** Where one has to begin to read so as to understand a sentence; null where that is not to be read. */
function startOf(candidates: Candidate[], place: number): number | null {
  for (let at = place; at >= 0 && place - at < mostSentences; at--) {
    const [one, above] = [candidates[at], candidates[at - 1]];
    if (!one?.isReadable) return null;
    if (!leansBack(one.text)) return at;
    if (!above || !follows(above, one)) return null;
  }
  return null;
}

/** Whether one sentence goes on where the other ended. */
const follows = (one: Candidate, next: Candidate): boolean =>
  one.isReadable &&
  next.isReadable &&
  one.paragraph === next.paragraph &&
  !one.isItem &&
  !next.isItem &&
  ends.test(one.text);

const ends = /[.!?…。！？][”"'’)」]*$/u;

/** Whether a sentence was not cut: everything that opens in it closes. */
const isWhole = (sentence: string): boolean =>
  sentence !== '' && isBalanced(sentence) && !/[:：,、]$/.test(sentence);

/** Without the address that stands in its middle, a sentence would have a hole. */
const addressInside = /(?<![([<])https?:\/\/\S+\s+\S+\s+\S/;

/** Squashed commits are listed with the prefixes that they had. */
const withoutPrefix = (sentence: string): string => {
  const { text, scope } = bareTitle(sentence);
  return /^[a-z]+(?:\([^)]*\))?!?: /.test(sentence) && (scope !== null || text !== sentence)
    ? text
    : sentence;
};

const tidy = (sentence: string): string => shorten(sentence.replace(/^[-*•]\s+/, ''), longestSentence);
