import { holdsKey } from '../../domain/secrets.ts';
import { cleanDescription } from '../../reading/description/clean-description.ts';
import { parseBlocks } from '../../reading/description/markdown-blocks.ts';
import { isOnlyReferences, splitLine } from '../../reading/description/sentences.ts';
import { isWorkStep } from '../../reading/description/squash-list.ts';
import { losesAddress, plainText } from '../plain-text.ts';
import type { ArticleSource, AuthorQuote, AuthorWords } from '../written-article.ts';
import { bareTitle, isMergeLine, wholeTitleOf } from './title.ts';

const machine = /\[bot\]|\bbot\b|dependabot|renovate|greenkeeper|\bsnyk\b/i;

export const isMachine = (author: string): boolean => machine.test(author);

const coAuthor = /^co-authored-by:([^<\n]{1,100})</gim;

export function writerOf(author: string, commits: { author: string; message: string }[]): string {
  if (!isMachine(author)) return author;
  const named = commits.flatMap((commit) => [
    commit.author,
    ...Array.from(commit.message.matchAll(coAuthor), ([, name = '']) => name.trim()),
  ]);
  const people = [...new Set(named.filter((name) => name !== '' && !isMachine(name)))];
  return people.length > 1 ? 'author' : (people[0] ?? author);
}

/**
 * What people wrote about the change, verbatim and in order: the description, else the only commit, else a list of commits.
 * Null if it says no more than the title, or a bot wrote it.
 */
export function authorWordsOf(source: ArticleSource): AuthorWords | null {
  if (isMachine(source.author)) return null;
  const title = wholeTitleOf(source);
  const commits = ownCommits(source);
  const described = withoutTitle(describedIn(source, commits), title);
  const isList = /^\* /.test(described);
  const squashedWords = isList ? squashed(described) : null;
  if (squashedWords) return squashedWords;
  // Below its first message, a squash merge lists the other commits.
  const [own = ''] = described.split(/^\* /m);
  if (own !== '' && !repeats(own, title)) return wordsOf(source.isClone ? 'commit' : 'description', own);
  const made = source.commits.filter(({ author, message }) => !isMachine(author) && !isMergeLine(message));
  const [only] = commits;
  if (only && made.length === 1)
    return wordsOf('commit', repeats(only.subject, title) ? withoutTitle(only.body, title) : messageOf(only));
  const isNamed = new Set(made.map(({ author }) => author)).size > 1;
  const listed = commits.flatMap(({ subject, body, author }) => {
    if (body === '' || repeats(body, title)) return [];
    const message = messageOf({ subject: isNamed ? `${subject} — ${author}` : subject, body });
    return `- ${message.replace(/\n(?=.)/g, '\n  ')}`;
  });
  return wordsOf('commits', listed.join('\n\n'));
}

function squashed(list: string): AuthorWords | null {
  const items = list.split(/^\* /m).slice(1);
  const kept = items.filter((item) => item.trim().includes('\n') && !isStep(item.trim()));
  return wordsOf('commits', kept.map((item) => `- ${item.trim()}`).join('\n\n'));
}

interface Commit {
  author: string;
  subject: string;
  body: string;
}

const messageOf = ({ subject, body }: Pick<Commit, 'subject' | 'body'>): string =>
  body === '' ? subject : `${subject}\n\n${body}`;

const reverting = /^revert[: ]+["“](.+)["”]$/i;
const correcting = /^(?:fixup|squash|amend)! /;
const boilerplate =
  /^[* ]*(?:this reverts commit [\da-f]{7,40}\.?|\[pre-commit\.ci\].*|for more information, see https:\/\/pre-commit\.ci.*|apply suggestions from code review)$/gim;

const tidying = [
  /^(?=.*\b(?:(?:no|golangci-)?lint\w*|typos?|ci(?:\/cd)?|\w*fmt|readme\w*|docstrings?|comments?)\b)(?:\S+\s+){0,4}\S+$/i,
  /\bchange-?log\b/i,
  /^(?:\w+ )?(?:nit\w*|fix(?:e[sd])?|small|minor|tiny|more)\b(?:[ #v]*\d+| \S+)?$/i,
];

const isStep = (subject: string): boolean =>
  isWorkStep(subject) || isOnlyReferences(subject) || tidying.some((pattern) => pattern.test(subject));

const shortBody = 100;

function ownCommits({ commits }: ArticleSource): Commit[] {
  const kept: Commit[] = [];
  for (const { author, message } of commits) {
    const [first = '', ...rest] = message.split('\n');
    const subject = first.replace(/\s*\(#\d+\)\s*$/, '').trim();
    const written = cleanDescription(rest.join('\n').replace(boilerplate, '')).trim();
    const body = written.split('\n').every(isStep) ? '' : written;
    if (isMachine(author) || isMergeLine(subject) || correcting.test(subject)) continue;
    const reverted = reverting.exec(subject)?.[1];
    const at = kept.findLastIndex((commit) => commit.subject === reverted);
    if (at >= 0) kept.splice(at, 1);
    else if ((!isStep(subject) || body.length > shortBody) && !kept.some((one) => one.subject === subject))
      kept.push({ author, subject, body });
  }
  return kept;
}

/** The description, without the end of a title that a host cut off; none if it only lists the subjects of the commits. */
function describedIn({ title, body, facts }: ArticleSource, commits: Commit[]): string {
  const rest = /(?:…|\.\.\.)\s*$/.test(title) ? /^\s*(?:…|\.\.\.)\S[^\n]*\n?/.exec(body ?? '') : null;
  const text = rest ? cleanDescription((body ?? '').slice(rest[0].length)) : facts.description.text;
  const isSubject = (line: string): boolean =>
    /^[*-] /.test(line) && commits.some(({ subject }) => foldedWords(subject) === foldedWords(line));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return commits.length > 1 && lines.every(isSubject) ? '' : text;
}

function withoutTitle(text: string, title: string): string {
  const [first = '', ...rest] = text.split('\n');
  return /^[*-] /.test(first) && repeats(first, title) ? rest.join('\n').trim() : text;
}

/** The words of a text apart from prefixes, numbers, case and punctuation. */
export const foldedWords = (text: string): string =>
  bareTitle(text.replace(/^[*-] /, ''))
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';

export function repeats(text: string, title: string): boolean {
  const stems = (said: string): string[] => [
    ...new Set(
      foldedWords(said)
        .split(' ')
        .map((word) => word.replace(/(?<=..)s$/, '')),
    ),
  ];
  const [words, known] = [stems(text), stems(title)];
  if (words.length > known.length + 2 || text.length > 500) return false;
  return words.filter((word) => known.includes(word)).length / words.length >= 0.8;
}

const mostCharacters = 4_000;

function wordsOf(from: AuthorWords['from'], text: string): AuthorWords | null {
  const markdown = text.trim();
  if (markdown === '' || holdsKey(markdown)) return null;
  if (markdown.length <= mostCharacters) return { from, markdown, more: false };
  return { from, markdown: cutAtEnd(markdown), more: true };
}

/** Cut behind a paragraph, or behind a line where a paragraph is longer than half of it; a code block is closed. */
function cutAtEnd(markdown: string): string {
  const near = markdown.slice(0, mostCharacters - 4);
  const [paragraph, line] = [near.lastIndexOf('\n\n'), near.lastIndexOf('\n')];
  const end = paragraph > mostCharacters / 2 ? paragraph : line > 0 ? line : near.lastIndexOf(' ');
  const kept = near
    .slice(0, end > 0 ? end : undefined)
    .toWellFormed()
    .trimEnd();
  const isOpen = (kept.match(/^\s*```/gm)?.length ?? 0) % 2 === 1;
  return isOpen ? `${kept}\n\`\`\`` : kept;
}

export function quoteOf(words: AuthorWords | null): AuthorQuote | null {
  if (words === null || words.from === 'commits' || /^[*-] /.test(words.markdown)) return null;
  const blocks = parseBlocks(words.markdown);
  const sentences = blocks.flatMap((block) =>
    block.kind === 'paragraph' || block.kind === 'item' ? block.text.split('\n').flatMap(splitLine) : [],
  );
  const isShort = sentences.length <= 2 && blocks.length === 1;
  const written = isShort ? sentences.join(' ') : (sentences[0] ?? '');
  const text = plainText(written);
  if (text === '' || text.length > longestQuote || /[:：]$/.test(text) || losesAddress(written)) return null;
  return { text, from: words.from };
}

const longestQuote = 500;

const reference = /^[([`]*(?:#\d+|@[\w-]+|(?:gh|pr)-?#?\d+)[)\]`.,;]*$/i;
const joint = /^[([]?(?:by|see|in|and|via|thanks|to|closes|fixes|issue|pr|&)[:,]?$/i;

/** Without the numbers and names that a list of changes has behind its entries. */
export function withoutReferences(text: string): string {
  const words = text.split(' ');
  const last = words.findLastIndex((word) => !reference.test(word) && !joint.test(word));
  const end = words.findIndex((word, index) => index > last && reference.test(word));
  if (end < 0) return text;
  const kept = words
    .slice(0, last + 1)
    .join(' ')
    .replace(/[,;(]$/, '');
  return text.endsWith('.') && !kept.endsWith('.') ? `${kept}.` : kept;
}
