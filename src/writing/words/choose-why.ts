import { scriptOf } from '../plain-text.ts';
import type { Passage } from './passages.ts';
import { isQuotable } from './quotable.ts';
import { repeats, tellsSomething } from './telling-sentences.ts';
import { leansBack, ofTheChange } from './whole-thoughts.ts';

/** As much as is read beside the quotation. */
const mostSentences = 2;
const mostCharacters = 300;

/** Sections that tell how it was tested or who looked at it, not why it was made; and those that say why. */
const otherSections =
  /test|check ?list|screenshot|review|how to|related|reference|release note|changelog|todo|steps|environment|benchmark|demo|deploy|usage|example|reproduc|output|logs?\b|expected|actual|version|alternative/i;
const whySections =
  /\bwhy\b|motivation|problem|background|context|rationale|purpose|reason|issue|bug\b|背景|目的|理由/i;

/** Sentences that say why, those that say what was wrong, and those that say what was decided. */
const reasons =
  /\b(?:because|since|so that|so we|in order to|to avoid|to prevent|to ensure|to allow|to make|allows?|which means|as a result|leads? to|causes?|caused|causing|therefore|otherwise|this way|motivation|reason|useful|convenient)\b|ため|ので/i;
const problems =
  /\b(?:currently|previously|before this|used to|until now|fails?|failed|failing|broken?|breaks|bug|crash\w*|panic\w*|wrong\w*|incorrect\w*|missing|cannot|can't|can not|doesn't|does not|didn't|did not|unable|impossible|unexpected\w*|problem|regression|leaks?|slow|ignored?|overflow\w*|deadlock\w*|races?)\b/i;
const decisions =
  /\b(?:instead(?: of)?|no longer|now\b|decided|chose|opted|rather than|by default|from now on|only when|always|never)\b/i;

/** What is said to those who look at the change, and what only they need. */
const toReviewers =
  /^["“].*["”]\.?$|^(?:here (?:is|are)|see|although|while|even though|unfortunately|admittedly|aside|inspired by|verified)\b|\b(?:next release|in (?:the )?future|merging this|please|automated|preps|noticed|let me know|feel free|not sure|wdyt|what do you think|feedback|happy to|review(?:er|ers|ing)?|open to|suggestions?|rebase[sd]?|ci (?:is|was|fails|passes)|i(?:['’]ve| have)? (?:tested|ran|verified|checked)|tests? (?:pass|are|have been|were)|(?:this|the) (?:branch|pr) (?:is|was) (?:based|stacked|rebased)|draft|wip|depends on|follow[- ]?up (?:to|of|on|for)|split (?:out|from)|closes? #|supersedes?|continu(?:es|ation))\b|^(?:tested|add(?:s|ed)? (?:\w+ ){0,2}tests?)\b|[?？]$/i;

interface Candidate extends Passage {
  place: number;
  /** How much in it speaks of reasons, or of what was wrong or decided. */
  reason: number;
  /** How well it says why; 0 where it says nothing of that. */
  score: number;
}

interface Why {
  /** The sentence that says most and stands by itself. */
  quote: string | null;
  /** Others, as they follow each other in the text. */
  sentences: string[];
}

/** What a text says of why a change was made, in its own sentences. */
export function chooseWhy(
  passages: Passage[],
  titles: string[],
  isOut: (text: string) => boolean,
  isAboutAll: boolean,
): Why {
  const candidates = passages.map((passage, place): Candidate => {
    const { text, heading, isItem, isStep, isWhole, isAfterCode } = passage;
    const isReadable = isWhole && !isStep && !otherSections.test(heading) && !(isItem && !ends.test(text));
    const isNews =
      tellsSomething(text) &&
      !(scriptOf(text) === 'latin' && text.split(' ').length < leastWords) &&
      !toReviewers.test(text) &&
      !isOut(text) &&
      !titles.some((title) => repeats(text, title)) &&
      text.length <= mostCharacters;
    const signals = [reasons.test(text) ? 2 : 0, problems.test(text) ? 1.5 : 0, decisions.test(text) ? 1 : 0];
    const section = whySections.test(heading) ? 1 : 0;
    const reason =
      signals.reduce((sum, one) => sum + one, section) * (place < nearTheTop && !isAfterCode ? 1 : 0.6);
    const isFirst = isAboutAll || reason > 0 ? 2 / (1 + place) : 0;
    const score = reason + isFirst - (/\b(?:I|my|I['’]\w+)\b/.test(text) ? 1.5 : 0);
    return { ...passage, isWhole: isReadable, place, reason, score: isReadable && isNews ? score : 0 };
  });
  // What one step says speaks for the whole no louder than the others do.
  const quote = isAboutAll ? bestOf(candidates) : null;
  const sentences = sentencesBeside(candidates, quote);
  const above = quote && candidates[quote.place - 1];
  // A thought of two sentences is read in its order: what leads to the quotation is not told behind it.
  if (quote && above && above.block === quote.block && sentences.includes(above.text)) {
    const whole = [...sentences, quote.text].sort(
      (one, other) => placeOf(candidates, one) - placeOf(candidates, other),
    );
    return isQuotable(above.text)
      ? { quote: above.text, sentences: whole.filter((one) => one !== above.text) }
      : { quote: null, sentences: whole };
  }
  return { quote: quote?.text ?? null, sentences };
}

const placeOf = (candidates: Candidate[], text: string): number =>
  candidates.findIndex((one) => one.text === text);

const ends = /[.!?…。！？][”"'’)」]*$/u;

/** Of so few, any says what matters. */
const fewSentences = 3;

/** Fewer are a remark. */
const leastWords = 6;

/** Further down stand details. */
const nearTheTop = 6;

/** Too little of a reason to be told. */
const leastScore = 1;

function bestOf(candidates: Candidate[]): Candidate | null {
  const fit = candidates.filter(
    ({ text, isItem, isAfterCode, score, reason }) =>
      !isItem &&
      !isAfterCode &&
      score >= leastScore &&
      (reason > 0 || ofTheChange.test(text) || candidates.length <= fewSentences) &&
      isQuotable(text),
  );
  return fit.sort((one, other) => other.score - one.score || one.place - other.place)[0] ?? null;
}

/** Some begin a paragraph with a small letter. */
const leans = ({ text, isFirst }: Passage): boolean =>
  leansBack(isFirst ? text.charAt(0).toUpperCase() + text.slice(1) : text);

/** The best that fit, each with those that it leans on. */
function sentencesBeside(candidates: Candidate[], quote: Candidate | null): string[] {
  const ranked = candidates
    .filter(({ score, place }) => score >= leastScore && place !== quote?.place)
    .sort((one, other) => other.score - one.score || one.place - other.place);
  const chosen = new Set<Candidate>();
  for (const one of ranked) {
    const thought = thoughtOf(candidates, one.place, quote?.place ?? -1);
    const all = new Set([...chosen, ...thought]);
    const length = [...all].reduce((sum, { text }) => sum + text.length, 0);
    if (thought.length > 0 && all.size <= mostSentences && length <= mostCharacters)
      for (const part of thought) chosen.add(part);
  }
  const told = [...chosen].sort((one, other) => one.place - other.place);
  // What has no full stop would run into the next.
  return told
    .filter(({ text }, index) => index === told.length - 1 || ends.test(text))
    .map(({ text }) => text);
}

/** A sentence with those before it that it cannot be understood without; none where they are not to be read. */
function thoughtOf(candidates: Candidate[], place: number, quoted: number): Candidate[] {
  for (let at = place; at >= 0 && at !== quoted && place - at < mostSentences; at--) {
    const [one, above] = [candidates[at], candidates[at - 1]];
    if (!one?.isWhole) return [];
    if (!leans(one)) return candidates.slice(at, place + 1);
    if (!above || above.block !== one.block || !ends.test(above.text)) return [];
  }
  return [];
}
