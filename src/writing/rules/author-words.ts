import { cleanDescription } from '../../reading/description/clean-description.ts';
import { parseBlocks } from '../../reading/description/markdown-blocks.ts';
import { isOnlyReferences, splitLine } from '../../reading/description/sentences.ts';
import { isWorkStep } from '../../reading/description/squash-list.ts';
import type { ArticleSource } from '../article-source.ts';
import { holdsKey } from '../key-shapes.ts';
import { losesAddress, plainText } from '../plain-text.ts';
import type { AuthorQuote, AuthorWords } from '../written-article.ts';
import { bareTitle, isMergeLine, wholeTitleOf } from './title.ts';

const machine = /\[bot\]|\bbot\b|dependabot|renovate|greenkeeper|\bsnyk\b/i;

export const isMachine = (author: string): boolean => machine.test(author);

const coAuthor = /^co-authored-by:([^<\n]{1,100})</gim;

/** Who wrote what some commits bring: not a machine that merged for people. Of several, none is named. */
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
 * What the author wrote about the change, in order and with nothing picked: the description, else the only commit, else
 * all commits. Null where that says no more than the title, or a machine wrote it.
 */
export function authorWordsOf(source: ArticleSource): AuthorWords | null {
  if (isMachine(source.author)) return null;
  const title = wholeTitleOf(source);
  const commits = ownCommits(source);
  const described = withoutTitle(describedIn(source, commits), title);
  if (described !== '' && !repeats(described, title)) return wordsOf('description', described);
  const own = commits.filter(({ subject, body }) => body !== '' || !repeats(subject, title));
  const [only] = own;
  // One subject that is left of several speaks for none of the others.
  const isLeft = source.commits.filter(({ message }) => !isMergeLine(message)).length > 1;
  if (only && own.length === 1) {
    if (isLeft && only.body === '') return null;
    return wordsOf('commit', printCommit(only, title));
  }
  const listed = own.map((commit) => {
    return `- ${printCommit(commit, title).replace(/\n(?=.)/g, '\n  ')}`;
  });
  const isLoose = own.some(({ body }) => body !== '');
  return wordsOf('commits', listed.join(isLoose ? '\n\n' : '\n'));
}

interface Commit {
  subject: string;
  body: string;
}

const printCommit = ({ subject, body }: Commit, title: string): string =>
  [repeats(subject, title) ? '' : subject, body].filter((text) => text !== '').join('\n\n');

const reverting = /^revert[: ]+["“](.+)["”]$/i;
const undone = /^this reverts commit [\da-f]{7,40}\.?$/gim;
const correcting = /^(?:fixup|squash|amend)! /;

/** A few words that say what was tidied up on the way. */
const tidying = [
  /^(?=.*\b(?:(?:no|golangci-)?lint\w*|typos?|ci(?:\/cd)?|\w*fmt|changelog|docstrings?|comments?)\b)(?:\S+\s+){0,4}\S+$/i,
  /^(?:\w+ )?(?:nit\w*|fix(?:e[sd])?|small|minor|tiny|more)\b(?:[ #v]*\d+| \S+)?$/i,
];

const isStep = (subject: string): boolean =>
  isWorkStep(subject) || isOnlyReferences(subject) || tidying.some((pattern) => pattern.test(subject));

/** What stands below such a subject counts where it is more than a line. */
const shortBody = 100;

/** The commits that people made for this change, oldest first, without steps on the way and what was taken back. */
function ownCommits({ commits }: ArticleSource): Commit[] {
  const kept: Commit[] = [];
  for (const { author, message } of commits) {
    const [first = '', ...rest] = message.split('\n');
    const subject = first.replace(/\s*\(#\d+\)\s*$/, '').trim();
    const body = cleanDescription(rest.join('\n')).replace(undone, '').trim();
    if (isMachine(author) || isMergeLine(subject) || correcting.test(subject)) continue;
    const reverted = reverting.exec(subject)?.[1];
    const at = kept.findLastIndex((commit) => commit.subject === reverted);
    if (at >= 0) kept.splice(at, 1);
    else if (!isStep(subject) || body.length > shortBody) {
      const known = kept.find((commit) => commit.subject === subject);
      if (known === undefined) kept.push({ subject, body });
      else if (known.body === '') known.body = body;
    }
  }
  return kept;
}

/** The description, unless it only lists the subjects of the commits as a squash merge does. */
function describedIn({ title, body, facts }: ArticleSource, commits: Commit[]): string {
  const rest = /(?:…|\.\.\.)\s*$/.test(title)
    ? /^\s*(?:…|\.\.\.)\S[^\n]*\n?/.exec(body ?? '')?.[0]
    : undefined;
  const text =
    rest === undefined ? facts.description.text : cleanDescription((body ?? '').slice(rest.length));
  const items = text.split('\n').filter((line) => line.trim() !== '');
  const isKnown = (line: string): boolean =>
    /^[*-] /.test(line) && commits.some(({ subject }) => folded(subject) === folded(line));
  const repeated = commits.length > 1 && items.every(isKnown);
  return repeated ? '' : text;
}

/** A list of commits often begins with the one that the whole is called after. */
function withoutTitle(text: string, title: string): string {
  const [first = '', ...rest] = text.split('\n');
  return /^[*-] /.test(first) && repeats(first, title) ? rest.join('\n').trim() : text;
}

const folded = (text: string): string =>
  bareTitle(text.replace(/^[*-] /, ''))
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';

/** Whether a text says no more than the title does. */
export function repeats(text: string, title: string): boolean {
  const stems = (said: string): string[] => [
    ...new Set(
      folded(said)
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

/** What lists show of the author's words: all of one or two sentences, else the first. */
export function quoteOf(words: AuthorWords | null): AuthorQuote | null {
  if (words === null) return null;
  const blocks = parseBlocks(words.markdown);
  const sentences = blocks.flatMap((block) =>
    block.kind === 'paragraph' || block.kind === 'item' ? block.text.split('\n').flatMap(splitLine) : [],
  );
  const isShort = sentences.length <= 2 && blocks.length === 1;
  const written = isShort ? sentences.join(' ') : (sentences[0] ?? '');
  const text = plainText(written);
  if (text === '' || text.length > longestQuote || /[:：]$/.test(text) || losesAddress(written)) return null;
  return { text, from: words.from === 'description' ? 'description' : 'commit' };
}

/** A sentence that goes on longer is a list or a dump. */
const longestQuote = 500;

const reference = /^[([]*(?:#\d+|@[\w-]+|(?:gh|pr)-?#?\d+)[)\].,;]*$/i;
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
