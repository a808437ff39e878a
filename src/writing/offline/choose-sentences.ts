import { placeSentences } from '../../reading/description/sentences.ts';
import { isBalanced, plainText, scriptOf, shorten } from '../plain-text.ts';
import { bareTitle } from './plan-title.ts';

const mostSentences = 5;
const mostCharacters = 600;
const longestSentence = 320;

/** Sections that tell how it was tested or who looked at it, not why it was made. */
const otherSections =
  /test|check ?list|screenshot|review|how to|related|reference|release note|changelog|todo|steps|environment|benchmark|demo|deploy/i;

/** Sentences that say why, and those that say what was wrong. */
const reasons =
  /\b(?:because|since|so that|so we|in order to|to avoid|to prevent|to ensure|to allow|to make|allows?|which means|therefore|otherwise|this way|instead of|motivation|reason|needed?|useful|convenient)\b/i;
const problems =
  /\b(?:currently|previously|before this|used to|until now|fails?|failed|failing|broken?|breaks|bug|crash\w*|panic\w*|wrong\w*|incorrect\w*|missing|cannot|can't|can not|doesn't|does not|didn't|did not|no longer|unable|impossible|unexpected\w*|issue|problem|regression|leaks?|slow|ignored?)\b/i;

interface Candidate {
  text: string;
  place: number;
  score: number;
}

export interface Chosen {
  /** In the order in which they were written. */
  sentences: string[];
  /** What is left out between two of them. */
  gapsAfter: boolean[];
  /** The one that says most. */
  best: string;
}

/** What somebody's text says of why a change was made, in their own sentences; null where it says nothing of that. */
export function chooseSentences(
  text: string,
  title: string,
  isOut: (sentence: string) => boolean,
): Chosen | null {
  const known = new Set<string>();
  const candidates: Candidate[] = [];
  for (const [place, { text: sentence, heading, isItem, isHistory }] of placeSentences(text).entries()) {
    // A list of commits tells the steps, not the reason.
    if ((heading !== null && otherSections.test(heading)) || isOut(sentence) || (isItem && isHistory))
      continue;
    const plain = tidy(withoutPrefix(plainText(sentence)), isItem);
    const key = plain.toLowerCase();
    if (known.has(key) || !tellsSomething(plain) || repeats(plain, title) || addressInside.test(sentence))
      continue;
    known.add(key);
    const score =
      (reasons.test(plain) ? 2 : 0) + (problems.test(plain) ? 1.5 : 0) + 2 / (1 + candidates.length);
    candidates.push({ text: plain, place, score });
  }
  return pick(candidates);
}

function pick(candidates: Candidate[]): Chosen | null {
  const ranked = [...candidates].sort((one, other) => other.score - one.score || one.place - other.place);
  const [best] = ranked;
  if (!best) return null;
  const chosen = [best];
  let length = best.text.length;
  for (const candidate of ranked.slice(1)) {
    if (chosen.length === mostSentences) break;
    if (length + candidate.text.length > mostCharacters) continue;
    chosen.push(candidate);
    length += candidate.text.length;
  }
  chosen.sort((one, other) => one.place - other.place);
  return {
    sentences: chosen.map((one) => one.text),
    gapsAfter: chosen.map(({ place }, index) => (chosen[index + 1]?.place ?? place + 1) > place + 1),
    best: best.text,
  };
}

/** Without the address that stands in its middle, a sentence would have a hole. */
const addressInside = /(?<![([<])https?:\/\/\S+\s+\S+\s+\S/;

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''));

/** What repeats the title tells nothing. */
export function repeats(sentence: string, title: string): boolean {
  const known = new Set(wordsOf(title));
  const words = wordsOf(sentence);
  return words.filter((word) => known.has(word)).length >= words.length * 0.85;
}

/** Squashed commits are listed with the prefixes that they had. */
const withoutPrefix = (sentence: string): string => {
  const { text, scope } = bareTitle(sentence);
  return /^[a-z]+(?:\([^)]*\))?!?: /.test(sentence) && (scope !== null || text !== sentence)
    ? text
    : sentence;
};

function tidy(sentence: string, isItem: boolean): string {
  const plain = shorten(sentence.replace(/^[-*•]\s+/, ''), longestSentence);
  return isItem && /[\p{L}\p{N}`)]$/u.test(plain)
    ? `${plain}${scriptOf(plain) === 'japanese' ? '。' : '.'}`
    : plain;
}

const greeting =
  /^(?:hi|hello|hey|thanks?|thank you|please|cc|fyi|ptal|lgtm|fix(?:es|ed)?|close[sd]?|resolve[sd]?|ref(?:s|erences)?|see|related(?: to)?|part of|follow[- ]up (?:to|of)|depends on|n\/a|none|no)\b[^.]{0,30}[.!:#]?$/i;

export function tellsSomething(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const isWide = scriptOf(sentence) !== 'latin';
  if (isWide ? sentence.length < 6 : words < 4) return false;
  // What ends with a colon announces something that is not in this sentence.
  return (
    !/[:：]$/.test(sentence) &&
    !greeting.test(sentence) &&
    isBalanced(sentence) &&
    !/\b(?:e\.g|i\.e|see|like|at|from|in|by|to|as|of|and|or|with|the)\.?$/i.test(sentence) &&
    !/^(?:#\d+|[\w-]+\/[\w-]+#\d+)|\bby @[\w-]+ in\b|^Sourced from|first contribution in/.test(sentence)
  );
}
