/**
 * The stem that English words share, by Porter's second algorithm (snowballstem.org/algorithms/english). Databases know it too,
 * each in its own version and by the letters of its own locale; here it is the same for what is stored and for what is asked.
 */
export function englishStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const known = irregular[word];
  if (known !== undefined) return known;
  // A y that is no vowel is written in upper case meanwhile.
  const marked = word.replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const regions = regionsOf(marked);
  const singular = step1a(marked);
  if (unchanged.has(singular)) return singular;
  const stem = [step1b, step1c, step2, step3, step4, step5].reduce(
    (told, step) => step(told, regions),
    singular,
  );
  return stem.toLowerCase();
}

interface Regions {
  /** Where suffixes begin to count as such, and where the longer ones do. */
  r1: number;
  r2: number;
}

const irregular: Record<string, string | undefined> = Object.assign(Object.create(null), {
  ...{ skis: 'ski', skies: 'sky', dying: 'die', lying: 'lie', tying: 'tie', idly: 'idl', gently: 'gentl' },
  ...{ ugly: 'ugli', early: 'earli', only: 'onli', singly: 'singl', sky: 'sky', news: 'news', howe: 'howe' },
  ...{ atlas: 'atlas', cosmos: 'cosmos', bias: 'bias', andes: 'andes' },
});

const unchanged = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '));

function regionsOf(word: string): Regions {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)?.[0];
  const r1 = prefix ? prefix.length : afterVowelAndConsonant(word, 0);
  return { r1, r2: afterVowelAndConsonant(word, r1) };
}

function afterVowelAndConsonant(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found ? from + found.index + 2 : word.length;
}

const endsInShortSyllable = (word: string): boolean =>
  /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/.test(word);

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(?:us|ss)$/.test(word)) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

function step1b(word: string, { r1 }: Regions): string {
  const [eed] = /eed(?:ly)?$/.exec(word) ?? [];
  if (eed) return word.length - eed.length >= r1 ? `${word.slice(0, -eed.length)}ee` : word;
  const [suffix] = /(?:ed|ing)(?:ly)?$/.exec(word) ?? [];
  if (!suffix) return word;
  const stem = word.slice(0, -suffix.length);
  if (!/[aeiouy]/.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1);
  return endsInShortSyllable(stem) && r1 >= stem.length ? `${stem}e` : stem;
}

const step1c = (word: string): string => (/.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word);

type Suffixes = readonly (readonly [suffix: string, replacement: string, before?: RegExp])[];

/** Puts another suffix in the place of the longest that the word has, if it lies in the region. */
function replaceSuffix(word: string, suffixes: Suffixes, region: number): string {
  for (const [suffix, replacement, before] of suffixes) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, -suffix.length);
    const counts = stem.length >= region && (before === undefined || before.test(stem));
    return counts ? stem + replacement : word;
  }
  return word;
}

const longestFirst = (suffixes: Suffixes): Suffixes =>
  suffixes.toSorted(([one], [other]) => other.length - one.length);

const suffixes2 = longestFirst([
  ...([
    ['tional', 'tion'],
    ['enci', 'ence'],
    ['anci', 'ance'],
    ['abli', 'able'],
    ['entli', 'ent'],
  ] as const),
  ...([
    ['izer', 'ize'],
    ['ization', 'ize'],
    ['ational', 'ate'],
    ['ation', 'ate'],
    ['ator', 'ate'],
  ] as const),
  ...([
    ['alism', 'al'],
    ['aliti', 'al'],
    ['alli', 'al'],
    ['fulness', 'ful'],
    ['ousli', 'ous'],
  ] as const),
  ...([
    ['ousness', 'ous'],
    ['iveness', 'ive'],
    ['iviti', 'ive'],
    ['biliti', 'ble'],
    ['bli', 'ble'],
  ] as const),
  ...([
    ['fulli', 'ful'],
    ['lessli', 'less'],
  ] as const),
  ['ogi', 'og', /l$/],
  ['li', '', /[cdeghkmnrt]$/],
]);

const suffixes3 = longestFirst([
  ...([
    ['tional', 'tion'],
    ['ational', 'ate'],
    ['alize', 'al'],
    ['icate', 'ic'],
    ['iciti', 'ic'],
  ] as const),
  ...([
    ['ical', 'ic'],
    ['ful', ''],
    ['ness', ''],
  ] as const),
]);

const suffixes4 = longestFirst([
  ...'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize'
    .split(' ')
    .map((suffix) => [suffix, ''] as const),
  ['ion', '', /[st]$/],
]);

const step2 = (word: string, { r1 }: Regions): string => replaceSuffix(word, suffixes2, r1);

const step3 = (word: string, { r1, r2 }: Regions): string =>
  word.endsWith('ative') ? replaceSuffix(word, [['ative', '']], r2) : replaceSuffix(word, suffixes3, r1);

const step4 = (word: string, { r2 }: Regions): string => replaceSuffix(word, suffixes4, r2);

function step5(word: string, { r1, r2 }: Regions): string {
  const stem = word.slice(0, -1);
  const isNeedless = stem.length >= r2 || (stem.length >= r1 && !endsInShortSyllable(stem));
  if (word.endsWith('e')) return isNeedless ? stem : word;
  return word.endsWith('ll') && stem.length >= r2 ? stem : word;
}
