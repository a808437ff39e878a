import { stemmer } from 'stemmer';
import { folded, readTokens, type Token } from './read-tokens.ts';

// What text is found by. The same is made of what is stored and of what is asked, here and nowhere else: databases differ in
// what they take for a word.

/** The places in a text at which each of its words stands. */
export type Places = Map<string, number[]>;

/** No word that is searched for is longer, and an index takes no longer ones. */
const longestWord = 100;

/** Databases tell no more places apart, nor more of one word. */
const mostPlaces = 16_000;
const mostPlacesOfWord = 200;

/** Words of English that stand in every text. */
const stopWords = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its ' +
    'itself they them their theirs themselves what which who whom this that these those am is are was were be been being have ' +
    'has had having do does did doing a an the and but if or because as until while of at by for with about against between ' +
    'into through during before after above below to from up down in out on off over under again further then once here there ' +
    'when where why how all any both each few more most other some such no nor not only own same so than too very s t can ' +
    'will just don should now'
  ).split(' '),
);

export const isStopWord = (word: string): boolean => stopWords.has(word);

/** What a single word is found by: the stem that words of English share. Names with digits, and other letters, have none. */
export function wordOf(part: string): string {
  const word = folded(part).slice(0, longestWord);
  return /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

/** What two parts of one name are found by that stand side by side: `app.ts`, whichever sign is between them. */
export const pairOf = (one: string, other: string): string =>
  `${folded(one)}.${folded(other)}`.slice(0, longestWord);

/** Two signs of a run each, and the last one alone: so that one sign is found as the beginning of something. */
export function pairsOfRun(run: string): string[] {
  const signs = [...folded(run)];
  return signs.map((sign, index) => sign + (signs[index + 1] ?? ''));
}

/** Notes what a text is found by. Returns the place behind it. */
export function addWords(places: Places, text: string, from: number): number {
  let place = from;
  let before: string | null = null;
  for (const token of readTokens(text)) {
    if (place > mostPlaces) break;
    if (!token.isGlued) before = null;
    if (token.kind === 'run') {
      for (const pair of pairsOfRun(token.parts[0]?.text ?? '')) note(places, pair, place++);
      continue;
    }
    for (const found of wholesOf(token)) note(places, found, place);
    for (const { text: part } of token.parts) {
      if (before !== null) note(places, pairOf(before, part), place - 1);
      if (!isStopWord(folded(part))) note(places, wordOf(part), place);
      place += 1;
      before = part;
    }
  }
  return place;
}

/** What a token is found by beside its parts. */
function wholesOf({ parts, isNumbered }: Token): string[] {
  const whole = parts.map(({ text }) => text).join('');
  if (parts.length > 1) return [wordOf(whole)];
  return isNumbered && /^\d+$/.test(whole) ? [`#${whole}`.slice(0, longestWord)] : [];
}

function note(places: Places, word: string, place: number): void {
  if (word === '') return;
  const known = places.get(word);
  if (!known) places.set(word, [place]);
  else if (known.length < mostPlacesOfWord) known.push(place);
}
