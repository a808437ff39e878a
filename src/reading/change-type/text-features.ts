import { wordStems } from './words.ts';

// Beyond this a title is a mistake and a description repeats itself, while every word costs time.
const titleWords = 24;
const bodyCharacters = 1200;
const bodyWords = 120;
const bodyPairs = 40;

/** What the title says: its words, words that stand together, how it begins, and how it is written. */
export function titleFeatures(title: string): { words: string[]; features: Set<string> } {
  const words = wordStems(title, titleWords);
  const [first = '', second = ''] = words;
  const found = new Set<string>([`^${first}`, `^${first} ${second}`]);
  addWordsAndPairs(found, words, titleWords);
  for (const [name, pattern] of titleStyles) if (pattern.test(title)) found.add(name);
  found.add(`#length ${Math.min(8, Math.ceil(words.length / 2))}`);
  return { words, features: found };
}

const titleStyles: [string, RegExp][] = [
  ['#code', /`/],
  ['#identifier', /[a-z][A-Z]|\w_\w|\w\(\)/],
  ['#capital', /^[A-Z]/],
  ['#quotation', /["“]/],
  ['#package', /@[\w-]+\//],
  ['#slash', /\w\/\w/],
  ['#file', /\w\.\w{2,4}\b/],
];

/** The beginning of a description, without boxes that were not ticked, trailers, comments and addresses. */
export const saidIn = (body: string): string =>
  body
    .slice(0, 2 * bodyCharacters)
    .replace(notSaid, ' ')
    .slice(0, bodyCharacters);

/** What the description says. */
export function bodyFeatures(body: string): Set<string> {
  const found = new Set<string>();
  const text = saidIn(body);
  addWordsAndPairs(found, wordStems(text, bodyWords), bodyPairs);
  for (const [name, pattern] of bodyStyles) if (pattern.test(text)) found.add(name);
  found.add(`#length ${Math.min(9, Math.ceil(Math.log2(1 + text.trim().length)))}`);
  return found;
}

const notSaid =
  /^[ \t]*[-*] \[ \].*$|^(?:co-authored-by|signed-off-by|reviewed-by|change-id):.*$|<!--[\s\S]*?(?:-->|$(?![\s\S]))|https?:\S+/gim;

const bodyStyles: [string, RegExp][] = [
  ['#closes', /\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?):? +(?:[\w-]+\/[\w-]+)?#\d/i],
  ['#breaking', /breaking change/i],
  ['#code', /```/],
  ['#ticked', /^[ \t]*[-*] \[x\]/im],
];

function addWordsAndPairs(found: Set<string>, words: string[], pairs: number): void {
  let before = '';
  for (const [index, word] of words.entries()) {
    found.add(word);
    if (index > 0 && index < pairs) found.add(`${before} ${word}`);
    before = word;
  }
}
