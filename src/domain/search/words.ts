import { stemmer } from 'stemmer';

export interface Part {
  text: string;
  start: number;
  end: number;
}

/**
 * Letters and digits in the parts that programmers recognize (`retryCount` has two), or a run of a script without
 * spaces.
 */
export interface Token {
  kind: 'word' | 'run';
  parts: Part[];
  /** Whether a token forms one name with the one before, as in `app.ts`. */
  isGlued: boolean;
  isNumbered: boolean;
}

/** Scripts that write words without spaces between them, and Korean, whose words are inflected at the end. */
const tokens =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30fc\uff70\u3005]+|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30fc\uff70\u3005]]+/gv;

const isRun =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30fc\uff70\u3005]/v;

/** Characters that join the parts of a path or name. A hyphen does not: its parts are also written separately. */
const glue = /^[._/\\@:#~]{1,3}$/;

/** Most words have no capital letter after the first and consist of one part. */
const hasCapital = /.\p{Lu}/su;

const partBegins = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

const longestText = 20_000;

export function readTokens(whole: string): Token[] {
  const text = whole.slice(0, longestText);
  const found: Token[] = [];
  let end = 0;
  for (const { 0: written, index } of text.matchAll(tokens)) {
    const between = text.slice(end, index);
    const kind = isRun.test(written) ? 'run' : 'word';
    const before = found.at(-1);
    const isGlued = kind === 'word' && before?.kind === 'word' && between.length < 4 && glue.test(between);
    found.push({
      kind,
      parts: splitWord(written, index, kind),
      isGlued,
      isNumbered: text[index - 1] === '#',
    });
    end = index + written.length;
  }
  return found;
}

function splitWord(written: string, start: number, kind: Token['kind']): Part[] {
  const normal = written.normalize('NFKC');
  const whole = { text: normal, start, end: start + written.length };
  // If normalizing changes the length, only the whole word has a position in the original text.
  if (kind === 'run' || normal.length !== written.length || !hasCapital.test(normal)) return [whole];
  let end = start;
  return normal.split(partBegins).map((text) => {
    end += text.length;
    return { text, start: end - text.length, end };
  });
}

const marked = /[\u00c0-\u024f\u1e00-\u1eff]/;

/** Ignores case and the accents of Latin letters. */
export function folded(text: string): string {
  const small = text.toLowerCase();
  return marked.test(small)
    ? small
        .normalize('NFD')
        .replace(/(?<=\p{sc=Latin}\p{M}{0,3})\p{M}/gu, '')
        .normalize('NFC')
    : small;
}

export type Places = Map<string, number[]>;

/** Nobody searches for longer words, and the index accepts none. */
const longestWord = 100;

/** PostgreSQL stores no more positions, in total and per word. */
const mostPlaces = 16_000;
const mostPlacesOfWord = 200;

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

/** The index word for a single word: the stem of English words. Names with digits and other scripts are not stemmed. */
export function wordOf(part: string): string {
  const word = folded(part).slice(0, longestWord);
  return /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

/** The index word for two adjacent parts of a name: `app.ts`, whichever character is between them. */
export const pairOf = (one: string, other: string): string =>
  `${folded(one)}.${folded(other)}`.slice(0, longestWord);

/**
 * Pairs of adjacent characters, and the last one alone, so that a single character is found as the beginning of a pair.
 */
export function pairsOfRun(run: string): string[] {
  const signs = [...folded(run)];
  return signs.map((sign, index) => sign + (signs[index + 1] ?? ''));
}

export function addWords(places: Places, text: string, from: number): number {
  let place = from;
  let before: string | null = null;
  for (const token of readTokens(text)) {
    if (place > mostPlaces) break;
    if (!token.isGlued) before = null;
    if (token.kind === 'run') {
      for (const pair of pairsOfRun(token.parts[0]?.text ?? '')) notePlace(places, pair, place++);
      continue;
    }
    for (const found of wholesOf(token)) notePlace(places, found, place);
    for (const { text: part } of token.parts) {
      if (before !== null) notePlace(places, pairOf(before, part), place - 1);
      if (!isStopWord(folded(part))) notePlace(places, wordOf(part), place);
      place += 1;
      before = part;
    }
  }
  return place;
}

function wholesOf({ parts, isNumbered }: Token): string[] {
  const whole = parts.map(({ text }) => text).join('');
  if (parts.length > 1) return [wordOf(whole)];
  return isNumbered && /^\d+$/.test(whole) ? [`#${whole}`.slice(0, longestWord)] : [];
}

function notePlace(places: Places, word: string, place: number): void {
  if (word === '') return;
  const known = places.get(word);
  if (!known) places.set(word, [place]);
  else if (known.length < mostPlacesOfWord) known.push(place);
}
