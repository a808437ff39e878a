import { changeId, type StatedParts, statementsOf } from '../articles.ts';
import { addWords, folded, type Places } from './words.ts';

interface SearchedContent extends StatedParts<Sentence> {
  aiGeneratedTitle: string;
  authorWords: { markdown: string } | null;
  mainChanges: {
    heading: string | null;
    fileName: string;
    statements: Sentence[];
    description: string;
    evidence: { fileName: string }[];
  }[];
  notablePoints: { label: string | null; statements: Sentence[]; section?: number | null }[];
  tests: { added: string[]; statements: Sentence[] } | null;
  also: { statement: Sentence; files: string[] }[];
  quote: { text: string } | null;
}

interface Sentence {
  id: string;
  text: string;
}

export const sectionKinds = [
  'title',
  'standfirst',
  'scope',
  'background',
  'words',
  'change',
  'point',
  'test',
  'also',
  'review',
  'file',
] as const;

/** A sentence of an article, of the author (`words`) or of a comment (`review`), or the name of a file. */
export interface Section {
  kind: (typeof sectionKinds)[number];
  text: string;
  id?: string;
  number?: number;
  label?: string;
}

/** Large pull requests have hundreds of files; the first ones are the most important. */
export const mostFiles = 200;

/** The words of people: the author's title, the description if the article does not contain it, and comments of others. */
interface Written {
  title: string | null;
  description: string | null;
  comments: string[];
  /** All files of the change, also those that the article does not show. */
  files: string[];
}

/** A long review repeats itself. */
const mostOfReview = 300;

export function sectionsOf(
  content: SearchedContent,
  { title, description, comments, files }: Written = {
    title: null,
    description: null,
    comments: [],
    files: [],
  },
): Section[] {
  const { aiGeneratedTitle, mainChanges, notablePoints } = content;
  const { standfirst, scope, background, tests, also } = statementsOf(content);
  const section = (kind: Section['kind'], { id, text }: Sentence, more: Partial<Section> = {}): Section => ({
    kind,
    text,
    id,
    ...more,
  });
  return [
    { kind: 'title', text: aiGeneratedTitle },
    ...standfirst.map((sentence) => section('standfirst', sentence)),
    ...scope.map((sentence) => section('scope', sentence)),
    ...background.map((sentence) => section('background', sentence)),
    ...(title === null || title.toLowerCase().includes(aiGeneratedTitle.toLowerCase())
      ? []
      : [{ kind: 'words' as const, text: title }]),
    ...sectionOfWords(content, description).map((text): Section => ({ kind: 'words', text })),
    ...mainChanges.flatMap(({ heading, statements, description }, index) => {
      const number = index + 1;
      const shown = { id: changeId(index), text: heading ?? description };
      return [...(heading !== null || statements.length === 0 ? [shown] : []), ...statements].map(
        (sentence) => section('change', sentence, { number }),
      );
    }),
    ...notablePoints.flatMap(({ label, statements, section: of = null }) =>
      (of === null ? statements : []).map((sentence) =>
        section('point', sentence, label === null ? {} : { label }),
      ),
    ),
    ...(content.tests?.added ?? []).map((text) => section('test', { id: 'tests', text })),
    ...tests.map((sentence) => section('test', sentence)),
    ...also.map((sentence) => section('also', sentence)),
    ...[...new Set(comments.flatMap(sentencesIn))]
      .slice(0, mostOfReview)
      .map((text): Section => ({ kind: 'review', text })),
    ...filesOf(content, files).map((text): Section => ({ kind: 'file', text })),
  ];
}

/**
 * The author's sentences without comments and markup, each once: first the quotation that lists show, then the rest.
 */
function sectionOfWords(
  { quote, authorWords, background }: SearchedContent,
  description: string | null,
): string[] {
  const sentences = sentencesIn(authorWords?.markdown ?? description ?? '');
  const known = new Set(background.map(({ text }) => text));
  return [...new Set([...(quote ? [quote.text] : []), ...sentences])].filter((text) => !known.has(text));
}

function sentencesIn(markdown: string): string[] {
  const paragraphs = markdown
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split(/\n(?=[ \t]*(?:\n|[#>*+-]|\d+\.))/)
    .map((paragraph) => paragraph.replace(/^[\s#>*+-]+/, '').replace(/\s+/g, ' '));
  return paragraphs
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?]) |(?<=[。！？])/))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function filesOf({ mainChanges, also }: SearchedContent, all: string[]): string[] {
  const changed = mainChanges.map(({ fileName }) => fileName);
  const cited = mainChanges.flatMap(({ evidence }) => evidence.map(({ fileName }) => fileName));
  return [...new Set([...changed, ...cited, ...also.flatMap(({ files }) => files), ...all])].slice(
    0,
    mostFiles,
  );
}

// Index terms that narrow a search. None begins like a word.

export const languageFact = (code: string): string => `=l${code}`;
export const ofType = (type: string): string => `=t${type}`;
export const ofRepository = (id: string): string => `=r${id}`;
export const inPublic = '=pub';
export const byAuthor = (host: string, login: string): string => fact(`=a${host}:${folded(login)}`);
export const fileFact = (path: string): string => fact(`=f${folded(path.normalize('NFKC'))}`);

/** An article is indexed by ranges of its number, of 2^9 numbers and more. */
export const stretchBits = [9, 12, 15, 18] as const;
const [finest, coarsest] = [stretchBits[0], stretchBits[3]];
const stretch = (bits: number, number: number): string => `=s${bits}.${number}`;

export const shortestStretch = 2 ** finest;

export const stretchAround = (place: number): string => stretch(finest, Math.floor(place / shortestStretch));

/**
 * Covers a range of article numbers with few indexed ranges, the first of which may begin below it: the index checks
 * each of them for each row, so fewer are faster.
 */
export function stretchesFrom(from: number, to: number): string[] {
  const bits = stretchBits.find((one) => 2 ** one >= (to - from) / 8) ?? coarsest;
  const [first = 0, last = 0] = [Math.max(0, from), to].map((place) => Math.floor(place / 2 ** bits));
  return Array.from({ length: last - first + 1 }, (_, index) => stretch(bits, first + index));
}

// Words of titles and leads are indexed twice, so that the index itself can rank matches.

export const inTitle = (word: string): string => `^${word}`;
export const inStandfirst = (word: string): string => `~${word}`;

const fact = (text: string): string => text.slice(0, 400);

export const fileFacts = (path: string): string[] => {
  const names = path.split('/');
  return names.map((_, index) => fileFact(names.slice(index).join('/')));
};

export const fileQuestion = (path: string): { file: string; folder: string } => {
  const plain = path.replace(/^\.?\/+|\/+$/g, '');
  return { file: fileFact(plain), folder: fileFact(`${plain}/`) };
};

/** Sentences are so far apart in the index that no phrase can reach into the next one. */
const gap = 10;

export interface Indexed {
  languageCode: string;
  changeTypes: string[];
  sections: Section[];
  about: { host: string; owner: string; name: string; number: number; authorLogin: string };
}

export function indexedWords({ languageCode, changeTypes, sections, about }: Indexed): string {
  const facts = [
    languageFact(languageCode),
    byAuthor(about.host, about.authorLogin),
    ...changeTypes.map(ofType),
  ];
  const words: Places = new Map(facts.map((found) => [found, [1]]));
  let place = 1;
  for (const section of sections) place = addSection(words, section, place) + gap;
  place = addWords(words, `#${about.number}`, place) + gap;
  words.set(inTitle(`#${about.number}`), [1]);
  place = addWords(words, about.owner, place) + gap;
  addWords(words, about.name, place);
  return vectorOf(words);
}

export function addSection(words: Places, { kind, text }: Section, from: number): number {
  if (kind === 'file') for (const found of fileFacts(text)) words.set(found, [1]);
  if (kind !== 'title' && kind !== 'standfirst') return addWords(words, text, from);
  const own: Places = new Map();
  const end = addWords(own, text, from);
  for (const [word, places] of own) {
    words.set(word, [...(words.get(word) ?? []), ...places]);
    // A search for a number means that pull request, before all that mention it.
    if (!word.startsWith('#')) words.set(kind === 'title' ? inTitle(word) : inStandfirst(word), [1]);
  }
  return end;
}

/** Half of PostgreSQL's limit, because texts of strangers may have any length. */
const mostSigns = 150_000;

export function vectorOf(words: Places): string {
  const written: string[] = [];
  let signs = 0;
  for (const [word, places] of words) {
    signs += word.length;
    if (signs > mostSigns) break;
    written.push(`${tsqueryQuoted(word)}:${places}`);
  }
  return written.join(' ');
}

export const tsqueryQuoted = (word: string): string =>
  /['\\\0]/.test(word) ? `'${word.replaceAll('\0', '').replace(/['\\]/g, '$&$&')}'` : `'${word}'`;
