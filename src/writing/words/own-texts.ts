import { cleanDescription } from '../../reading/description/clean-description.ts';
import type { ArticleSource } from '../article-source.ts';
import { bareTitle } from './bare-title.ts';
import { commitsListedIn, isListOfCommits } from './passages.ts';
import { repeats, takesBack } from './telling-sentences.ts';

/** A text that somebody wrote about the change, without what templates, machines and hosts put there. */
interface OwnText {
  text: string;
  source: 'description' | 'commit' | 'issue';
  speaker: string;
  /** Whether it tells of one step, which a later one may have taken back. */
  isStep: boolean;
  /** Whether it is about the whole, and not about one step of several. */
  isAboutAll: boolean;
}

interface OwnCommit {
  author: string;
  subject: string;
  body: string;
}

/** What a machine writes repeats the title and lists what somebody else changed. */
const machine = /\[bot\]|\bbot\b|dependabot|renovate|greenkeeper|\bsnyk\b/i;
const bump = /^\s*bumps? (?:the |\[|`|\S+ from )|\bdepfu\b|\bdependabot\b|\brenovate(?:bot)?\b/i;
/** What a release lists was done before it. */
const releasing =
  /^(?:(?:prepare|preps?|cut|publish|bump)\b(?: \w+){0,2}? )?(?:releas(?:e|es|ing)|versions?)\b(?: (?:packages?|notes|for|of|to|bump))*\s*(?:\(|v?\d|$)|^v?\d+\.\d+[\w.+-]*$/i;

/** A commit that merges tells of what it brings along, and one that corrects another of that one. */
const ofOthers = /^(?:merge\b|fixup!|squash!|amend!|reverts? ["“'`])/i;

/** What git and hosts write of a merge: nobody's words. */
const mergeLine =
  /^Merge (?:pull request #\d+ from \S+|(?:remote-tracking )?branch(?:es)? ['‘"]|tag ['‘"]|commit ['‘"]?[\da-f]{7}|#\d+\b)/i;

export const isMergeLine = (text: string): boolean => mergeLine.test(text.trim());
export const isOfOthers = (subject: string): boolean => ofOthers.test(subject);
export const isMachine = (author: string): boolean => machine.test(author);

const coAuthor = /^co-authored-by:([^<\n]{1,100})</gim;

/** Who wrote what some commits bring: not a machine that merged for people. Of several, none is named. */
export function writerOf(author: string, commits: { author: string; message: string }[]): string {
  if (!machine.test(author)) return author;
  const named = commits.flatMap((commit) => [
    commit.author,
    ...Array.from(commit.message.matchAll(coAuthor), ([, name = '']) => name.trim()),
  ]);
  const people = [...new Set(named.filter((name) => name !== '' && !machine.test(name)))];
  return people.length > 1 ? 'author' : (people[0] ?? author);
}

/** Whether the words are not about the change itself: those of machines, and of releases. */
export const isAboutOthers = ({ title, author, body }: ArticleSource): boolean =>
  machine.test(author) || bump.test(body ?? '') || releasing.test(bareTitle(title).text);

/** The commits that people made for this change and that no later one takes back, oldest first. */
export function ownCommits({ commits }: ArticleSource, withMachines = false): OwnCommit[] {
  const all = commits.map(({ author, message }) => {
    const [subject = '', ...body] = message.split('\n');
    return { author, subject, body: body.join('\n').trim() };
  });
  return all.filter(
    ({ author, subject }, index) =>
      !ofOthers.test(subject) &&
      (withMachines || !machine.test(author)) &&
      !all.slice(index + 1).some((later) => takesBack(later.subject, subject)),
  );
}

/** The texts that may say why, the best first: the description, what commits say below their subjects, and linked issues. */
export const textsSayingWhy = (source: ArticleSource): OwnText[] =>
  isAboutOthers(source) ? [] : [...description(source), ...commitBodies(source), ...issues(source)];

function description({ title, author, facts }: ArticleSource): OwnText[] {
  const { text } = facts.description;
  const about = { source: 'description', speaker: author, isAboutAll: true } as const;
  if (!isListOfCommits(text)) return [{ ...about, text, isStep: false }];
  // What stands below one commit of a list is about that one, which may be what the whole is called after.
  const listed = commitsListedIn(text);
  return listed
    .filter(({ subject }) => listed.length === 1 || isCalled(subject, title))
    .map(({ body }) => ({ ...about, text: body, isStep: listed.length > 1 }));
}

/** Of more commits than these, only one that has the title for its subject speaks for all. */
const fewCommits = 3;

function commitBodies(source: ArticleSource): OwnText[] {
  const own = ownCommits(source);
  return own
    .map(
      ({ author, subject, body }): OwnText => ({
        text: cleanDescription(body),
        source: 'commit',
        speaker: author,
        isStep: own.length > 1,
        isAboutAll: own.length === 1 || isCalled(subject, source.title),
      }),
    )
    .filter(({ text, isAboutAll }) => !isListOfCommits(text) && (isAboutAll || own.length <= fewCommits))
    .sort((one, other) => Number(other.isAboutAll) - Number(one.isAboutAll));
}

/** Whether a subject and a title call the same thing by its name. */
function isCalled(subject: string, title: string): boolean {
  const [one, other] = [bareTitle(subject).text, bareTitle(title).text];
  return repeats(one, other) || repeats(other, one);
}

const issues = ({ linkedIssues }: ArticleSource): OwnText[] =>
  linkedIssues.slice(0, 2).map(({ number, body }) => ({
    text: cleanDescription(body ?? null),
    source: 'issue',
    speaker: `#${number}`,
    isStep: false,
    isAboutAll: false,
  }));
