import { type ChangeType, changeTypes } from '../change-types.ts';
import { isOwner, isRepositoryName, splitFullName } from '../repository-name.ts';
import { readTerms, type Term } from './terms.ts';

/** What is searched for: all of these together. */
export interface Question {
  terms: Term[];
  /** The terms as they were typed. */
  words: string;
  repository?: { owner?: string; name: string };
  author?: string;
  changeType?: ChangeType;
  /** Ends of paths, or folders. */
  files: string[];
  isUnread: boolean;
}

/** Why something cannot be searched for, and which part of it is to blame. */
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

/** More than anybody types, and few enough to be looked for at once. */
export const longestQuestion = 500;
const mostTerms = 24;
const mostFiles = 8;

const operator = /^(repo|author|type|file|is):(?:"([^"]*)"|(\S*))/i;
const phrase = /^"([^"]+)"/;
/** A pull request of a repository, as in `owner/name#12`; GitLab writes an exclamation mark. */
const reference = /^(\S+\/[^\s/]+)[#!](\d+)$/;

/**
 * Reads what a person types: words, `"words in this order"`, and `repo:`, `author:`, `type:`, `file:` and `is:unread` before what
 * they narrow to. A quotation mark that nothing closes, and operators that are none, are words like any other. `owner/name#12` alone
 * is the number in that repository.
 */
export function readQuestion(typed: string): Question | QuestionProblem {
  const [, fullName, digits] = reference.exec(typed.trim()) ?? [];
  if (fullName !== undefined && digits !== undefined) {
    const asked = {
      ...nothingAsked(),
      terms: readTerms(`#${digits}`, { isPhrase: false }).terms,
      words: `#${digits}`,
    };
    if (narrow(asked, 'repo', fullName) === null) return asked;
  }
  const question: Question = nothingAsked();
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
    // Before a blank it may be a word of a sentence; at the end, or before empty quotation marks, something was forgotten.
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
  return problemOf(question, typed, common) ?? question;
}

export const nothingAsked = (): Question => ({ terms: [], words: '', files: [], isUnread: false });

/** The pull request that is asked for by its number and by nothing but its repository; null where anything else is. */
export function numberAskedFor({ terms, author, changeType, files, isUnread }: Question): number | null {
  const [only, ...more] = terms;
  const isNarrowedElse = isNarrowed({
    files,
    isUnread,
    ...(author && { author }),
    ...(changeType && { changeType }),
  });
  return only?.kind === 'number' && more.length === 0 && !isNarrowedElse ? Number(only.word.slice(1)) : null;
}

export const isProblem = (read: Question | QuestionProblem): read is QuestionProblem => 'problem' in read;

/** Whether anything but words narrows what is searched for. */
export const isNarrowed = ({
  repository,
  author,
  changeType,
  files,
  isUnread,
}: Omit<Question, 'terms' | 'words'>): boolean =>
  Boolean(repository ?? author ?? changeType) || files.length > 0 || isUnread;

function problemOf(question: Question, typed: string, common: string[]): QuestionProblem | null {
  if (question.terms.length > mostTerms || question.files.length > mostFiles)
    return { problem: 'tooManyWords', part: String(mostTerms) };
  if (question.terms.length > 0 || isNarrowed(question)) return null;
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
  const { owner, name: repo } = splitFullName(repository);
  if (!isRepositoryName(repo) || (repo !== repository && !isOwner(owner))) return 'badRepository';
  if (question.repository) return 'twice';
  question.repository = owner === '' ? { name: repo } : { owner, name: repo };
  return null;
}
