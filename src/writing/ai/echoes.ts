import { type Draft, mapSentences, placeSentences, type Sentence, type SpokenWords } from '../draft.ts';
import type { CheckedSentence } from '../verify/check-sentence.ts';
import { quotation } from './sentence-rules.ts';

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Words in scripts with spaces, and pairs of characters in scripts without. */
const wordOrPair = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{N}_]+/gu;
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const smallWords = new Set(
  'a an the of to in on at by for from with as is are was were be it its this that which and or now'.split(
    ' ',
  ),
);

const wordsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(wordOrPair) ?? []).flatMap((word) => {
      if (!unspaced.test(word)) return smallWords.has(word) ? [] : [word];
      const letters = [...word];
      return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
    }),
  );

/** The share of common words among the words of both texts; sentences about two cases of the same thing share fewer. */
const leastShared = 0.75;

/** Whether two texts have nearly the same words, in any order. */
export function saysTheSame(one: string, other: string): boolean {
  const [own, others] = [wordsOf(one), wordsOf(other)];
  const shared = [...own].filter((word) => others.has(word)).length;
  return shared > 0 && (2 * shared) / (own.size + others.size) >= leastShared;
}

const quotesOnlyTitle = (text: string, words: SpokenWords[]): boolean =>
  words.every(
    ({ where, text: title }) =>
      where === 'title' &&
      Array.from(text.matchAll(quotation), ([said]) => said).some((said) => saysTheSame(said, title)),
  );

/**
 * Rejects a lead that repeats the title, a heading that repeats the title, the lead or its own sentences, and a reason
 * that is only the author's title.
 */
export function refuseEchoes(draft: Draft, checked: CheckedSentence[]): CheckedSentence[] {
  const { title, standfirst, mainChanges } = draft;
  const complaints = placeSentences(draft).map(({ part, item, sentence }): string | null => {
    const { text, basis, words } = sentence;
    if (text === '') return null;
    if (part === 'background' && basis === 'words' && quotesOnlyTitle(text, words))
      return 'a title is no reason: tell what was wrong before, or leave it out';
    const isSame = (other: Sentence | null | undefined): boolean => !!other && saysTheSame(text, other.text);
    if (part === 'standfirst') return isSame(title) ? 'it says what the title says' : null;
    if (part !== 'heading') return null;
    const sentences = mainChanges[item]?.sentences ?? [];
    if (isSame(title) || isSame(standfirst)) return 'it says what the title or the lead says';
    const isPart = lettersOf(sentences[0]?.text ?? '').includes(lettersOf(text));
    if (isPart || sentences.some(isSame)) return 'it repeats a sentence of its section';
    const above = mainChanges.slice(0, item).map(({ heading }) => heading);
    return above.some(isSame) ? 'it repeats a heading above it' : null;
  });
  return checked.map((outcome, id) => {
    const reason = complaints[id];
    return outcome.kept && reason ? { kept: null, reason } : outcome;
  });
}

/**
 * Removes sentences that repeat the title or lead. They may be the evidence of these, so they are removed only after
 * all checks. If a section would become empty, or a judgment lose its basis, the lead is removed instead.
 */
export function withoutEchoes(draft: Draft, ownTitle: string): Draft {
  const title = draft.title.text || ownTitle;
  let { standfirst } = draft;
  if (standfirst && saysTheSame(standfirst.text, title)) standfirst = null;
  const isEcho = ({ text }: Sentence): boolean =>
    saysTheSame(text, title) || (standfirst !== null && saysTheSame(text, standfirst.text));
  const told = mapSentences({ ...draft, standfirst }, ({ part, item, sentence }) => {
    const beside = (part === 'change' ? draft.mainChanges[item]?.sentences : null) ?? [];
    const isNeeded = !beside.some(
      (one) => one.basis === 'diff' && one.text !== '' && one !== sentence && !isEcho(one),
    );
    const isFollowed = beside[beside.indexOf(sentence) + 1]?.basis === 'judgement';
    const mayGo = part === 'change' && !sentence.label && !isNeeded && !isFollowed;
    return mayGo && isEcho(sentence) ? null : sentence;
  });
  const left = told.mainChanges.flatMap(({ sentences }) => sentences);
  const lead = told.standfirst?.text ?? '';
  const isSaid = left.some(({ text, label }) => !label && saysTheSame(text, lead));
  return { ...told, standfirst: isSaid ? null : told.standfirst };
}
