import { inStandfirst, inTitle, quoted } from './indexed-words.ts';
import { folded, readTokens, type Token } from './read-tokens.ts';
import { isStopWord, pairOf, pairsOfRun, wordOf } from './words.ts';

/** One thing that has to occur in an article. */
export type Term =
  | { kind: 'word'; word: string }
  /** `#4321`. */
  | { kind: 'number'; word: string }
  /** Parts of one name, which may also be written without a sign between them. */
  | { kind: 'name'; parts: string[]; whole: string | null }
  /** Signs of a script that puts no blanks between words. */
  | { kind: 'run'; signs: string }
  /** Words in this order: each with how far behind the first it stands. */
  | { kind: 'phrase'; words: { word: string; place: number }[]; terms: Term[] };

/** What a piece of a question asks for, and the words of it that stand in every text. */
interface ReadTerms {
  terms: Term[];
  common: string[];
}

export function readTerms(typed: string, { isPhrase }: { isPhrase: boolean }): ReadTerms {
  const names = groupsOf(readTokens(typed));
  const common = names.flatMap((name) => (isCommon(name) ? [partsOf(name)[0] ?? ''] : []));
  const terms = names.filter((name) => !isCommon(name)).map(termOf);
  if (!isPhrase || names.length < 2) return { terms, common };
  const words = wordsInOrder(names);
  return { terms: words.length > 1 ? [{ kind: 'phrase', words, terms }] : terms, common };
}

/** Tokens that are one name together. */
function groupsOf(tokens: Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    const last = groups.at(-1);
    if (token.isGlued && last) last.push(token);
    else groups.push([token]);
  }
  return groups;
}

const partsOf = (tokens: Token[]): string[] =>
  tokens.flatMap(({ parts }) => parts.map(({ text }) => folded(text)));

function isCommon(tokens: Token[]): boolean {
  const [first = '', ...more] = partsOf(tokens);
  return more.length === 0 && isStopWord(first);
}

function termOf(tokens: Token[]): Term {
  const [first] = tokens;
  const parts = partsOf(tokens);
  const whole = parts.join('');
  if (first?.kind === 'run') return { kind: 'run', signs: whole };
  if (parts.length > 1) return { kind: 'name', parts, whole: tokens.length === 1 ? wordOf(whole) : null };
  return first?.isNumbered && /^\d+$/.test(whole)
    ? { kind: 'number', word: `#${whole}` }
    : { kind: 'word', word: wordOf(whole) };
}

function wordsInOrder(groups: Token[][]): { word: string; place: number }[] {
  const words: { word: string; place: number }[] = [];
  let place = 0;
  for (const { kind, parts } of groups.flat()) {
    const found = kind === 'run' ? pairsOfRun(parts[0]?.text ?? '') : parts.map(({ text }) => text);
    for (const [index, text] of found.entries()) {
      if (kind === 'word' && !isStopWord(folded(text))) words.push({ word: wordOf(text), place });
      // What follows the last sign of a run is not known: it may be another sign of the same run.
      if (kind === 'run' && index < found.length - 1) words.push({ word: text, place });
      place += 1;
    }
  }
  return words;
}

/** A term as PostgreSQL asks an index for it, which knows what has all of its words, and not in which order. */
export const askedOf = (term: Term): string => written(term, allOf, quoted);

/** What has to be held against each article that has all words; null where their order does not matter. */
export function askedInOrder(terms: Term[]): string | null {
  const ordered = terms.filter(isOrdered).map((term) => written(term, inOrder, quoted));
  return ordered.length === 0 ? null : ordered.join(' & ');
}

/** The same, as far as titles, or standfirsts, have it. */
const askedOfTitle = (term: Term): string => written(term, allOf, (word) => quoted(inTitle(word)));
const askedOfStandfirst = (term: Term): string => written(term, allOf, (word) => quoted(inStandfirst(word)));

/**
 * What matches in whichever order, in classes of which the best is the first: those with all of it in the title, with all of it in
 * title and standfirst, with some of it in the title, and all. Each is asked for by as few words as tell it: an index looks at each
 * word for each article.
 */
export function rankClasses(terms: Term[]): string[][] {
  const all = terms.map(askedOf);
  if (terms.length === 0) return [all];
  const titles = terms.map(askedOfTitle);
  const standfirsts = terms.map(askedOfStandfirst);
  if (terms.length === 1) return [titles, standfirsts, all];
  const inHead = titles.map((title, index) => `(${title} | ${standfirsts[index]})`);
  return [titles, inHead, [...all, `(${titles.join(' | ')})`], all];
}

type Together = (words: { word: string; place: number }[], write: (word: string) => string) => string;

function written(term: Term, together: Together, write: (word: string) => string): string {
  switch (term.kind) {
    case 'word':
    case 'number':
      return write(term.word);
    case 'name': {
      const pairs = term.parts.slice(1).map((part, index) => write(pairOf(term.parts[index] ?? '', part)));
      const inParts = pairs.join(' & ');
      return term.whole === null ? `(${inParts})` : `(${write(term.whole)} | (${inParts}))`;
    }
    case 'run': {
      const pairs = pairsOfRun(term.signs);
      return pairs.length === 1
        ? `${write(term.signs)}:*`
        : together(
            pairs.slice(0, -1).map((word, place) => ({ word, place })),
            write,
          );
    }
    case 'phrase':
      return together(term.words, write);
  }
}

const allOf: Together = (words, write) => `(${words.map(({ word }) => write(word)).join(' & ')})`;

const inOrder: Together = (words, write) =>
  `(${words
    .map(({ word, place }, index) => {
      const before = words[index - 1];
      return before ? ` <${place - before.place}> ${write(word)}` : write(word);
    })
    .join('')})`;

/** Whether order matters: two pairs of signs that overlap seldom stand in an article and not together. */
const isOrdered = (term: Term): boolean =>
  term.kind === 'phrase' || (term.kind === 'run' && pairsOfRun(term.signs).length > 3);
