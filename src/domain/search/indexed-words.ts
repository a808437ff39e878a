import { folded } from './read-tokens.ts';
import type { Section } from './sections.ts';
import { addWords, type Places } from './words.ts';

// What the index holds beside the words of an article: facts that narrow a search. None begins as a word does.

export const inLanguage = (code: string): string => `=l${code}`;
export const ofType = (type: string): string => `=t${type}`;
export const ofRepository = (id: string): string => `=r${id}`;
export const inPublic = '=pub';
export const byAuthor = (host: string, login: string): string => fact(`=a${host}:${folded(login)}`);
export const ofFile = (path: string): string => fact(`=f${folded(path.normalize('NFKC'))}`);

/** Each row can be found by the stretches of places that it lies in, of 2^11 places and more. */
export const stretchBits = [11, 13, 15, 17, 19] as const;
const stretch = (bits: number, number: number): string => `=s${bits}.${number}`;

/** All places from one to another, and some below, in a few stretches: the index looks at each of them for each row. */
export function stretchesFrom(from: number, to: number): string[] {
  const bits = stretchBits.find((one) => 2 ** one >= (to - from) / 6) ?? 19;
  const [first = 0, last = 0] = [Math.max(0, from), to].map((place) => Math.floor(place / 2 ** bits));
  return Array.from({ length: last - first + 1 }, (_, index) => stretch(bits, first + index));
}

/** An index takes no longer ones. */
const fact = (text: string): string => text.slice(0, 400);

/** A file by its path, and by each end of it: `app.ts` is `src/app.ts` too. */
export const fileFacts = (path: string): string[] => {
  const names = path.split('/');
  return names.map((_, index) => ofFile(names.slice(index).join('/')));
};

/** What finds a file by an end of its path, and what finds all files of a folder by the beginning of theirs. */
export const fileQuestion = (path: string): { file: string; folder: string } => {
  const plain = path.replace(/^\.?\/+|\/+$/g, '');
  return { file: ofFile(plain), folder: ofFile(`${plain}/`) };
};

/** Sentences are kept so far apart that no phrase reaches from one into another. */
const gap = 10;

export interface Indexed {
  languageCode: string;
  changeTypes: string[];
  sections: Section[];
  about: { host: string; owner: string; name: string; number: number; authorLogin: string };
}

/** What an article is found by, and what it is ranked by, each as PostgreSQL writes it. */
export function indexedWords({ languageCode, changeTypes, sections, about }: Indexed) {
  const facts = [
    inLanguage(languageCode),
    byAuthor(about.host, about.authorLogin),
    ...changeTypes.map(ofType),
  ];
  const words: Places = new Map(facts.map((found) => [found, [1]]));
  const head: string[] = [];
  let place = 1;
  for (const { kind, text } of sections) {
    if (kind === 'title' || kind === 'standfirst') head.push(headOf(text, kind === 'title' ? 'A' : 'B'));
    place = addWords(words, text, place) + gap;
    if (kind === 'file') for (const found of fileFacts(text)) words.set(found, [1]);
  }
  place = addWords(words, `#${about.number}`, place) + gap;
  place = addWords(words, about.owner, place) + gap;
  addWords(words, about.name, place);
  return { words: vector(words, ''), head: head.join(' ') };
}

function headOf(text: string, weight: 'A' | 'B'): string {
  const words: Places = new Map();
  addWords(words, text, 1);
  return vector(words, weight);
}

/** Half of what PostgreSQL takes: what strangers write can be as long as they like. */
const mostSigns = 150_000;

function vector(words: Places, weight: string): string {
  const written: string[] = [];
  let signs = 0;
  for (const [word, places] of words) {
    signs += word.length;
    if (signs > mostSigns) break;
    written.push(`${quoted(word)}:${places.map((place) => `${place}${weight}`).join(',')}`);
  }
  return written.join(' ');
}

/** A word as PostgreSQL takes it between others. */
export const quoted = (word: string): string => `'${word.replaceAll('\0', '').replace(/['\\]/g, '$&$&')}'`;
