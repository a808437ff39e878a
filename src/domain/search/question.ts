import { type ChangeType, changeTypes } from '../articles.ts';
import { isOwner, isRepositoryName, ownerAndName } from '../repositories.ts';
import { inStandfirst, inTitle, tsqueryQuoted } from './indexed-words.ts';
import { folded, isStopWord, pairOf, pairsOfRun, readTokens, type Token, wordOf } from './words.ts';

export type Term =
  | { kind: 'word'; word: string }
  | { kind: 'number'; word: string }
  /** Parts of a name, which may also be written together. */
  | { kind: 'name'; parts: string[]; whole: string | null }
  /** Characters of a script without spaces between words. */
  | { kind: 'run'; signs: string }
  /** Words in this order, each with its distance from the first. */
  | { kind: 'phrase'; words: { word: string; place: number }[]; terms: Term[] };

interface ReadTerms {
  terms: Term[];
  common: string[];
}

function readTerms(typed: string, { isPhrase }: { isPhrase: boolean }): ReadTerms {
  const names = groupTokens(readTokens(typed));
  const common = names.flatMap((name) => (isCommon(name) ? [foldedParts(name)[0] ?? ''] : []));
  const terms = names.filter((name) => !isCommon(name)).map(termOf);
  if (!isPhrase || names.length < 2) return { terms, common };
  const words = wordsInOrder(names);
  return { terms: words.length > 1 ? [{ kind: 'phrase', words, terms }] : terms, common };
}

function groupTokens(tokens: Token[]): Token[][] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    const last = groups.at(-1);
    if (token.isGlued && last) last.push(token);
    else groups.push([token]);
  }
  return groups;
}

const foldedParts = (tokens: Token[]): string[] =>
  tokens.flatMap(({ parts }) => parts.map(({ text }) => folded(text)));

function isCommon(tokens: Token[]): boolean {
  const [first = '', ...more] = foldedParts(tokens);
  return more.length === 0 && isStopWord(first);
}

function termOf(tokens: Token[]): Term {
  const [first] = tokens;
  const parts = foldedParts(tokens);
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
      // The last character of a run may be followed by another one of the same run.
      if (kind === 'run' && index < found.length - 1) words.push({ word: text, place });
      place += 1;
    }
  }
  return words;
}

/** A term as a query for the index, which finds all words of it in any order. */
export const queryOf = (term: Term): string => writtenTerm(term, allWordsOf, tsqueryQuoted);

/** A query that checks the order of words in each match; null if order does not matter. */
export function queryInOrder(terms: Term[]): string | null {
  const ordered = terms.filter(isOrdered).map((term) => writtenTerm(term, phraseInOrder, tsqueryQuoted));
  return ordered.length === 0 ? null : ordered.join(' & ');
}

const queryOfTitle = (term: Term): string =>
  writtenTerm(term, allWordsOf, (word) => tsqueryQuoted(inTitle(word)));
const queryOfStandfirst = (term: Term): string =>
  writtenTerm(term, allWordsOf, (word) => tsqueryQuoted(inStandfirst(word)));

/**
 * Queries for matches in any order, best class first: all terms in the title, all in title and lead, some in the title,
 * and all matches. Each uses as few words as possible, because an index checks each word for each article.
 */
export function rankClasses(terms: Term[]): string[][] {
  const all = terms.map(queryOf);
  if (terms.length === 0) return [all];
  const titles = terms.map(queryOfTitle);
  const standfirsts = terms.map(queryOfStandfirst);
  if (terms.length === 1) return [titles, standfirsts, all];
  const inHead = titles.map((title, index) => `(${title} | ${standfirsts[index]})`);
  return [titles, inHead, [...all, `(${titles.join(' | ')})`], all];
}

/** With more words there would be too many combinations to leave some out. */
const mostOfQuestion = 6;

/** Queries for articles with some words of a question, by how many: all, all but one, and so on, down to a third. */
export function classesByShare(words: string[]): string[][] {
  const asked = words
    .toSorted((one, other) => other.length - one.length)
    .slice(0, mostOfQuestion)
    .map(tsqueryQuoted);
  const least = Math.max(1, Math.ceil(asked.length / 3));
  return Array.from({ length: asked.length - least + 1 }, (_, without) => [
    `(${chosenFrom(asked, asked.length - without)
      .map((some) => `(${some.join(' & ')})`)
      .join(' | ')})`,
  ]);
}

const chosenFrom = (words: string[], count: number): string[][] =>
  count === 0
    ? [[]]
    : words.flatMap((word, index) =>
        chosenFrom(words.slice(index + 1), count - 1).map((rest) => [word, ...rest]),
      );

type Together = (words: { word: string; place: number }[], write: (word: string) => string) => string;

function writtenTerm(term: Term, together: Together, write: (word: string) => string): string {
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

const allWordsOf: Together = (words, write) => `(${words.map(({ word }) => write(word)).join(' & ')})`;

const phraseInOrder: Together = (words, write) =>
  `(${words
    .map(({ word, place }, index) => {
      const before = words[index - 1];
      return before ? ` <${place - before.place}> ${write(word)}` : write(word);
    })
    .join('')})`;

/** Whether the order matters. Two overlapping pairs of characters are seldom apart in an article. */
const isOrdered = (term: Term): boolean =>
  term.kind === 'phrase' || (term.kind === 'run' && pairsOfRun(term.signs).length > 3);

export interface Question {
  terms: Term[];
  words: string;
  repository?: { owner?: string; name: string };
  author?: string;
  changeType?: ChangeType;
  files: string[];
  isUnread: boolean;
}

export interface QuestionProblem {
  problem:
    | 'noWords'
    | 'commonWords'
    | 'tooManyWords'
    | 'unknownType'
    | 'unknownIs'
    | 'badRepository'
    | 'emptyPart'
    | 'twice';
  part: string;
}

/** The longest search text: longer than anybody types, and short enough to search for at once. */
export const longestQuestion = 500;
const mostTerms = 24;
const mostFiles = 8;

const operator = /^(repo|author|type|file|is):(?:"([^"]*)"|(\S*))/i;
const phrase = /^"([^"]+)"/;
/** A pull request of a repository, as in `owner/name#12`; GitLab writes an exclamation mark. */
const reference = /^(\S+\/[^\s/]+)[#!](\d+)$/;

/**
 * Parses a search: words, `"phrases"`, and the filters `repo:`, `author:`, `type:`, `file:` and `is:unread`. An
 * unclosed quotation mark and unknown operators are ordinary words. `owner/name#12` alone is that number in that
 * repository.
 */
export function readQuestion(typed: string): Question | QuestionProblem {
  const [, fullName, digits] = reference.exec(typed.trim()) ?? [];
  if (fullName !== undefined && digits !== undefined) {
    const narrowed = {
      ...emptyQuestion(),
      terms: readTerms(`#${digits}`, { isPhrase: false }).terms,
      words: `#${digits}`,
    };
    if (narrow(narrowed, 'repo', fullName) === null) return narrowed;
  }
  const question: Question = emptyQuestion();
  const common: string[] = [];
  let rest = typed
    .normalize('NFKC')
    .replace(/[“”„«»]/g, '"')
    .trimStart();
  while (rest !== '') {
    const [operated, name = '', inQuotes, plain = ''] = operator.exec(rest) ?? [];
    const value = inQuotes ?? plain;
    const [quotation, inOrder = ''] = phrase.exec(rest) ?? [];
    const taken = operated && value ? operated : (quotation ?? /^\S+/.exec(rest)?.[0] ?? rest);
    // Before a space, an operator may be a word of a sentence; at the end, or before empty quotation marks, its value
    // is missing.
    if (operated && !value && (inQuotes === '' || rest === operated))
      return { problem: 'emptyPart', part: operated };
    if (operated && value) {
      const problem = narrow(question, name.toLowerCase(), value);
      if (problem) return { problem, part: operated };
    } else {
      const read = readTerms(quotation ? inOrder : taken, { isPhrase: quotation !== undefined });
      question.terms.push(...read.terms);
      question.words = `${question.words} ${taken}`.trimStart();
      common.push(...read.common);
    }
    rest = rest.slice(taken.length).trimStart();
  }
  return questionProblem(question, typed, common) ?? question;
}

export const emptyQuestion = (): Question => ({ terms: [], words: '', files: [], isUnread: false });

/** The number, if a search names only a pull request by number and its repository. */
export function numberSearched({ terms, author, changeType, files, isUnread }: Question): number | null {
  const [only, ...more] = terms;
  const isNarrowedElse = isQuestionNarrowed({
    files,
    isUnread,
    ...(author && { author }),
    ...(changeType && { changeType }),
  });
  return only?.kind === 'number' && more.length === 0 && !isNarrowedElse ? Number(only.word.slice(1)) : null;
}

export const isProblem = (read: Question | QuestionProblem): read is QuestionProblem => 'problem' in read;

const isQuestionNarrowed = ({
  repository,
  author,
  changeType,
  files,
  isUnread,
}: Omit<Question, 'terms' | 'words'>): boolean =>
  Boolean(repository ?? author ?? changeType) || files.length > 0 || isUnread;

function questionProblem(question: Question, typed: string, common: string[]): QuestionProblem | null {
  if (question.terms.length > mostTerms || question.files.length > mostFiles)
    return { problem: 'tooManyWords', part: String(mostTerms) };
  if (question.terms.length > 0 || isQuestionNarrowed(question)) return null;
  return common.length > 0
    ? { problem: 'commonWords', part: common.join(' ') }
    : { problem: 'noWords', part: typed };
}

function narrow(question: Question, name: string, value: string): QuestionProblem['problem'] | null {
  if (name === 'file') {
    question.files.push(value);
    return null;
  }
  if (name === 'is') {
    question.isUnread = true;
    return value.toLowerCase() === 'unread' ? null : 'unknownIs';
  }
  if (name === 'type') {
    const known = changeTypes.find((type) => type === value.toUpperCase());
    if (!known) return 'unknownType';
    if (question.changeType !== undefined && question.changeType !== known) return 'twice';
    question.changeType = known;
    return null;
  }
  if (name === 'author') {
    if (question.author !== undefined) return 'twice';
    question.author = value.replace(/^@/, '');
    return question.author === '' ? 'emptyPart' : null;
  }
  const repository = value.replace(/\/$/, '');
  const { owner, name: repo } = ownerAndName(repository);
  if (!isRepositoryName(repo) || (repo !== repository && !isOwner(owner))) return 'badRepository';
  if (question.repository) return 'twice';
  question.repository = owner === '' ? { name: repo } : { owner, name: repo };
  return null;
}
