import { holdsKey } from '../../domain/secrets.ts';
import { cleanDescription } from '../../reading/description/clean-description.ts';
import { parseBlocks } from '../../reading/description/markdown-blocks.ts';
import { isOnlyReferences, splitLine } from '../../reading/description/sentences.ts';
import { isWorkStep } from '../../reading/description/squash-list.ts';
import type { ArticleSource, AuthorQuote, AuthorWords } from '../articles.ts';
import { losesAddress, plainText } from '../plain-text.ts';
import { bareTitle, isMergeLine, wholeTitleOf } from './title.ts';

export const isMachine = (author: string): boolean =>
  /\[bot\]|\bbot\b|dependabot|renovate|greenkeeper|\bsnyk\b/i.test(author);

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

/** Signed off by a bot, or beginning as messages of Dependabot do. */
const byMachine =
  /^signed-off-by: *\S+\[bot\]|^updated-dependencies:|^bumps (?:\[[^\]\n]+\]\(|the [\w-]+ group with )/im;

/**
 * The author's text about the change, verbatim: the description, else the message of the only commit, else a list of
 * commits. Null if it repeats the title or a bot wrote it.
 */
export function authorWordsOf(source: ArticleSource): AuthorWords | null {
  if (isMachine(source.author) || byMachine.test(source.body ?? '')) return null;
  const title = wholeTitleOf(source);
  const commits = commitsOfBranch(source);
  // A squash merge lists the other commits below its first message.
  const [first = '', ...items] = withoutTitle(describedIn(source, commits), title).split(/^\* /m);
  const own = bareRevert.test(first.trim()) ? '' : first.trim();
  const isAboutDiff = namesOnlyFrom(source);
  const squashed = items
    .map((item) => item.trim())
    .filter((item) => item.includes('\n') && isAboutDiff(item));
  const from = source.isClone ? 'commit' : 'description';
  const isSaid = saysMore(own, title);
  if (isSaid || squashed.length > 0) {
    const text = [...(isSaid ? [own] : []), ...squashed.map(listItem)].join('\n\n');
    return asAuthorWords(isSaid ? from : 'commits', text, squashed.length < items.length);
  }
  const made = source.commits.filter(isByPerson);
  return (
    wordsOfCommits(
      made,
      commits.filter((one) => made.length === 1 || isAboutDiff(commitMessage(one))),
      title,
    ) ?? asAuthorWords(from, proseOf(own) === '' ? own : '')
  );
}

function wordsOfCommits(made: { author: string }[], commits: Commit[], title: string): AuthorWords | null {
  const [only] = commits;
  if (only && made.length === 1) {
    const body = repeats(only.body, title) ? '' : withoutTitle(only.body, title);
    return asAuthorWords('commit', repeats(only.subject, title) ? body : commitMessage(only));
  }
  const isNamed = new Set(made.map(({ author }) => author)).size > 1;
  const listed = commits
    .filter(({ body }) => saysMore(body, title))
    .map(({ subject, body, author }) =>
      listItem(commitMessage({ subject: isNamed ? `${subject} — ${author}` : subject, body })),
    );
  return asAuthorWords('commits', listed.join('\n\n'), listed.length < made.length);
}

const listItem = (message: string): string => `- ${message.replace(/\n(?=.)/g, '\n  ')}`;

interface Commit {
  author: string;
  subject: string;
  body: string;
}

const commitMessage = ({ subject, body }: Pick<Commit, 'subject' | 'body'>): string =>
  body === '' ? subject : `${subject}\n\n${body}`;

/** Names of code such as `parse_all`, `parseAll`, `Parser.All` and `Parse(`, but not of products such as GitHub. */
const codeName =
  /\b(?:\p{L}[\p{L}\p{N}]{0,60}_\p{L}[\p{L}\p{N}_]{0,60}|\p{Ll}{1,60}\p{Lu}\p{Ll}[\p{L}\p{N}]{0,60}|\p{L}{1,60}\.\p{Lu}[\p{L}\p{N}]{1,60}|\p{L}[\p{L}\p{N}]{3,60}(?=\())/gu;

/**
 * Whether all names of code in a message are in the diff: branches contain commits about code that was later removed.
 */
function namesOnlyFrom({ diff }: ArticleSource): (message: string) => boolean {
  let whole: string | null = null;
  return (message) => {
    whole ??= diff
      .map(({ path, hunks }) => [path, ...hunks.map((hunk) => `${hunk.heading}\n${hunk.text()}`)].join('\n'))
      .join('\n');
    const names = message.match(codeName) ?? [];
    return names.every((name) => name.split('.').every((part) => whole?.includes(part)));
  };
}

const reverting = /^revert[: ]+["“](.+)["”]$/i;
const correcting = /^(?:fixup|squash|amend)! /;

const tidying = [
  /^(?=.*\b(?:(?:no|golangci-)?lint\w*|typos?|ci(?:\/cd)?|\w*fmt|readme\w*|docstrings?|comments?)\b)(?:\S+\s+){0,4}\S+$/i,
  /\bchange-?log\b/i,
  /^(?:\w+ )?(?:nit\w*|fix(?:e[sd])?|small|minor|tiny|more)\b(?:[ #v]*\d+| \S+)?$/i,
];

/** Git writes this sentence into every revert; it gives no reason. */
const bareRevert = /^This reverts commit [0-9a-f]{7,40}\.?$/;

const isStep = (subject: string): boolean =>
  isWorkStep(subject) || tidying.some((pattern) => pattern.test(subject));

const shortBody = 100;

const isByPerson = ({ author, message }: ArticleSource['commits'][number]): boolean =>
  !isMachine(author) && !byMachine.test(message) && !isMergeLine(message);

function commitsOfBranch({ commits }: ArticleSource): Commit[] {
  const kept: Commit[] = [];
  for (const { author, message } of commits.filter(isByPerson)) {
    const [first = '', ...rest] = message.split('\n');
    const subject = first.replace(/\s*\(#\d+\)\s*$/, '').trim();
    const written = cleanDescription(rest.join('\n')).trim();
    const body = bareRevert.test(written) || written.split('\n').every(isStep) ? '' : written;
    if (correcting.test(subject)) continue;
    const reverted = reverting.exec(subject)?.[1];
    const at = kept.findLastIndex((commit) => commit.subject === reverted);
    if (at >= 0) kept.splice(at, 1);
    else if (
      ((!isStep(subject) && !isOnlyReferences(subject)) || body.length > shortBody) &&
      !kept.some((one) => one.subject === subject)
    )
      kept.push({ author, subject, body });
  }
  return kept;
}

/**
 * The description, without the rest of a title that a host cut off. Empty if it only repeats the subjects of the
 * commits.
 */
function describedIn({ title, body, facts }: ArticleSource, commits: Commit[]): string {
  const rest = /(?:…|\.\.\.)\s*$/.test(title) ? /^\s*(?:…|\.\.\.)\S[^\n]*\n?/.exec(body ?? '') : null;
  const text = rest ? cleanDescription((body ?? '').slice(rest[0].length)) : facts.description.text;
  const isSubject = (line: string): boolean =>
    /^[*-] /.test(line) && commits.some(({ subject }) => foldedWords(subject) === foldedWords(line));
  const lines = text.split('\n').filter((line) => !isMergeLine(line));
  const isList = commits.length > 1 && lines.every((line) => line.trim() === '' || isSubject(line));
  return isList ? '' : lines.join('\n').trim();
}

function withoutTitle(text: string, title: string): string {
  const [first = '', ...rest] = text.split('\n');
  return /^[*-] /.test(first) && repeats(first, title) ? rest.join('\n').trim() : text;
}

const lowerCaseWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of a text without prefixes, numbers, case and punctuation. */
export const foldedWords = (text: string): string =>
  lowerCaseWords(bareTitle(text.replace(/^[*-] /, ''))).join(' ');

export function repeats(text: string, title: string): boolean {
  const stem = (word: string): string => word.replace(/(?<=..)s$/, '');
  const known = new Set(lowerCaseWords(title).map(stem));
  const words = [...new Set(foldedWords(text).split(' ').map(stem))];
  return text.length <= 500 && words.filter((word) => known.has(word)).length >= 0.8 * words.length;
}

const proseOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isOnlyReferences(line))
    .join('\n')
    .trim();

const saysMore = (text: string, title: string): boolean =>
  proseOf(text) !== '' && !repeats(proseOf(text), title);

const mostCharacters = 4_000;

function asAuthorWords(from: AuthorWords['from'], text: string, more = false): AuthorWords | null {
  const markdown = text.trim();
  if (markdown === '' || holdsKey(markdown)) return null;
  if (markdown.length <= mostCharacters) return { from, markdown, more };
  return { from, markdown: cutAtEnd(markdown), more: true };
}

/** Cuts after a paragraph, or after a line if the paragraph is too long, and closes an open code block. */
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

/** The first sentence of the author that says more than the title; of a short text, all of them. */
export function quoteOf(words: AuthorWords | null, title: string): AuthorQuote | null {
  if (words === null || words.from === 'commits' || /^[*-] /.test(words.markdown)) return null;
  const blocks = parseBlocks(words.markdown);
  const all = blocks.flatMap((block) =>
    block.kind === 'paragraph' || block.kind === 'item' ? block.text.split('\n').flatMap(splitLine) : [],
  );
  const sentences = all.filter((sentence) => saysMore(sentence, title));
  const isShort = all.length <= 2 && blocks.length === 1;
  const written = isShort ? sentences.join(' ') : (sentences[0] ?? '');
  const text = plainText(written);
  if (text === '' || text.length > longestQuote || /[:：]$/.test(text) || losesAddress(written)) return null;
  return { text, from: words.from };
}

const longestQuote = 500;

const reference = /^[([`]*(?:#\d+|@[\w-]+|(?:gh|pr)-?#?\d+)[)\]`.,;]*$/i;
const joint = /^[([]?(?:by|see|in|and|via|thanks|to|closes|fixes|issue|pr|&)[:,]?$/i;

/** Removes the issue numbers and names at the end of a changelog entry. */
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
