import { cleanDescription } from '../../reading/description/clean-description.ts';
import { linkedIssues as linkedIssuesIn } from '../../reading/description/linked-issues.ts';
import type { Edit, Facts, FileFacts } from '../../reading/facts.ts';
import type { ArticleSource } from '../article-source.ts';
import type { SpokenWords } from '../draft.ts';
import { plainText, scriptOf, shorten } from '../plain-text.ts';
import { repeats, tellsSomething } from '../words/telling-sentences.ts';
import { isTelling } from '../words/telling-titles.ts';
import { citesAnother } from '../words/whole-thoughts.ts';
import { bareTitle } from './bare-title.ts';
import { changelogQuote } from './changelog-quote.ts';
import { type Chosen, chooseSentences } from './choose-sentences.ts';
import { type Told, tell } from './outline.ts';
import { extentOf } from './plan-company.ts';
import { authorTitleOf } from './plan-title.ts';
import { nearnessTo, titleWordsOf } from './title-nearness.ts';

/** Why the change was made, as far as anybody said; and how large it is, where no reader sees that at a glance. */
export function planBackground(source: ArticleSource): Told[] {
  const said = whatWasSaid(source);
  const closed = issuesClosed(source);
  const told = [...said, ...closed];
  return [
    titled(source),
    // A clone keeps no description, and so has nothing to say of whether there was one.
    ...(told.length === 0 && !source.isClone && source.facts.description.text.trim() === ''
      ? [tell({ say: 'nobodySays' }, [])]
      : told),
    ...extent(source.facts, told.length === 0),
  ];
}

function titled({ title, author }: ArticleSource): Told {
  const text = shorten(plainText(title), 200);
  const words: SpokenWords[] = [{ speaker: author, where: 'title', text: title }];
  return tell({ say: 'titled', title: text, bare: bareTitle(title).text, script: scriptOf(text) }, [], words);
}

/** The author's reasons; the changelog's where there are none; and what the commits are called where nothing else is said. */
function whatWasSaid(source: ArticleSource): Told[] {
  const author = description(source) ?? commitBodies(source);
  if (author) return [author];
  const told = changelogEntry(source);
  const entry = told && !repeats(told.statement.quote, source.title) ? told : null;
  const comment = entry ? null : discussion(source);
  const said = entry ?? comment ?? commitTitles(source);
  return said ? [said] : [];
}

const isUnseen = ({ facts }: ArticleSource) => {
  const out = new Set(facts.description.unseen.map(({ sentence }) => sentence));
  // What the diff does not show is told apart, and not as the author's reason.
  return (sentence: string): boolean => out.has(sentence);
};

/** What a machine writes repeats the title and lists what somebody else changed. */
const machine = /\[bot\]|\bbot\b|dependabot|renovate|greenkeeper|\bsnyk\b/i;
const isByMachine = ({ author, body }: ArticleSource): boolean =>
  machine.test(author) || /^\s*bumps? (?:the |\[|`|\S+ from )/i.test(body ?? '');

function description(source: ArticleSource): Told | null {
  if (isByMachine(source)) return null;
  const chosen = chooseSentences(source.facts.description.text, source.title, isUnseen(source));
  if (!chosen) return null;
  const words = wordsOf(chosen, source.author, 'description');
  return tell({ say: 'authorSays', ...quoted(chosen) }, [], words);
}

/** The subject of a commit names what it does; why it does so stands below. */
function commitBodies(source: ArticleSource): Told | null {
  const own = ownCommits(source);
  // What one of several says may be taken back, or done, by the next.
  if (own.length > 1) return null;
  for (const { author, body } of own) {
    const chosen = chooseSentences(cleanDescription(body), source.title, isUnseen(source));
    if (!chosen) continue;
    const words = wordsOf(chosen, author, 'commit');
    return tell({ say: 'commitSays', speaker: nameOf(author), ...quoted(chosen) }, [], words);
  }
  return null;
}

/** The commits that people made for this change, and whether one is about all of it. */
function ownCommits({ title, commits }: ArticleSource) {
  // A commit that merges tells of what it brings along, and one that corrects another of that one.
  const own = commits.filter(
    ({ author, message }) => !/^(?:merge|fixup!|squash!|revert)\b/i.test(message) && !machine.test(author),
  );
  const whole = bareTitle(title).text;
  return own.map(({ author, message }) => {
    const [subject = '', ...body] = message.split('\n');
    const isWhole = own.length === 1 || repeats(bareTitle(subject).text, whole) || repeats(whole, subject);
    return { author, message, subject, body: body.join('\n'), isWhole };
  });
}

/** What people wrote of the whole change: its description, and the messages of commits that are about all of it. */
export const wholeWords = (source: ArticleSource): { description: string; commitMessages: string[] } => ({
  description: isByMachine(source) ? '' : source.facts.description.text,
  commitMessages: ownCommits(source).flatMap(({ isWhole, message }) => (isWhole ? [message] : [])),
});

function discussion(source: ArticleSource): Told | null {
  for (const { author, body } of source.comments) {
    const chosen = chooseSentences(cleanDescription(body), source.title, () => false);
    if (!chosen) continue;
    const words = wordsOf(chosen, author, 'comment');
    return tell({ say: 'commentSays', speaker: nameOf(author), ...quoted(chosen) }, [], words);
  }
  return null;
}

const quoted = ({ sentences, best }: Chosen) => ({
  sentences,
  quote: best,
  script: scriptOf(sentences.join(' ')),
});

const wordsOf = ({ sentences }: Chosen, speaker: string, where: SpokenWords['where']): SpokenWords[] =>
  sentences.map((text) => ({ speaker, where, text }));

/** An address or a machine is no name to call somebody by. */
const nameOf = (author: string): string | null =>
  /^[\p{L}][\p{L}\p{M}\p{N} .'’_-]{1,38}$/u.test(author) && !/\bbot\b|\[bot\]|noreply/i.test(author)
    ? author
    : null;

const releasing = /\breleas(?:e|es|ed|ing)\b|^\W*(?:bump version|version|prepare)\b|^v?\d+\.\d+/i;

/** The change's own entry in a changelog, which says to users what it is for. */
function changelogEntry({
  title,
  facts,
  diff,
}: ArticleSource): (Told & { statement: { quote: string } }) | null {
  // What a release lists was done before it.
  if (releasing.test(title)) return null;
  // Where nothing else changes, the entries are what is told of their file.
  const isEntry = ({ kind }: Edit): boolean => kind === 'changelogEntry';
  if (facts.files.every(({ edits }) => edits.some(isEntry))) return null;
  const entries = facts.files.flatMap(({ edits }) => edits).filter(isEntry);
  const [entry] = entries.flatMap(
    (one) =>
      changelogQuote(
        one,
        diff.find(({ path }) => path === one.evidence.fileName),
      ) ?? [],
  );
  return entry ?? null;
}

const notSteps =
  /^(?:merge|wip|fixup!|squash!|update \S+$|apply suggestions|review|address|lint|format|typo|oops|revert ")/i;

/** More commits than these are not listed. */
const mostTitles = 3;

function commitTitles(source: ArticleSource): Told | null {
  const { commits } = source;
  const title = authorTitleOf(source)?.text ?? source.title;
  const all = commits.map(({ author, message }) => {
    const [subject = ''] = message.split('\n');
    const { text, prefix } = bareTitle(subject);
    // What stands before a colon may be what the rest is about.
    return { author, subject: prefix === null ? plainText(subject) : text, text };
  });
  const subjects = all.filter(
    ({ text }, index) =>
      isTelling(text) &&
      tellsSomething(text) &&
      !notSteps.test(text) &&
      !repeats(text, title) &&
      // What a later commit takes back is no part of the change.
      !all.slice(index + 1).some((later) => takesBack(later.text, text)),
  );
  // Which of many steps is left in what they lead to, their titles do not tell.
  if (subjects.length === 0 || subjects.length < commits.length || commits.length > mostTitles) return null;
  const told = subjects;
  const spoken = told.map(
    ({ author, subject }): SpokenWords => ({ speaker: author, where: 'commit', text: subject }),
  );
  const titles = told.map(({ subject }) => shorten(subject, 120));
  return tell({ say: 'commitsTitled', titles }, [], spoken);
}

/** Whether one commit removes what another, by its title, was about. */
const takesBack = (later: string, earlier: string): boolean =>
  /^(?:remove|delete|drop|revert|undo|back out)[sd]?\b/i.test(later) &&
  nearnessTo(titleWordsOf(later), [earlier]) >= 1;

function issuesClosed(source: ArticleSource): Told[] {
  const { linkedIssues, author } = source;
  const own = source.isClone ? numbersClosed(source) : null;
  const issues = linkedIssues
    .filter(({ number }) => own === null || own.includes(number))
    .slice(0, 3)
    .map(({ number, title }) => ({ number, title: plainText(title) }));
  if (issues.length === 0) return [];
  const words = issues.flatMap(({ number, title }): SpokenWords[] => [
    { speaker: author, where: 'issue', text: title === '' ? `#${number}` : title },
  ]);
  return [tell({ say: 'closes', issues }, [], words)];
}

/** What the change's own words say that it closes: not those of a commit that they cite, nor of one that it merges. */
function numbersClosed({ repository, title, body, commits }: ArticleSource): number[] {
  const messages = commits.map(({ message }) => message).filter((message) => !/^merge\b/i.test(message));
  return linkedIssuesIn({
    repository,
    title: ownWords(title),
    body: ownWords(body ?? ''),
    commitMessages: messages.map(ownWords),
  });
}

/** A message up to where it cites another one. */
function ownWords(text: string): string {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => citesAnother.test(line.trim()));
  return end < 0 ? text : lines.slice(0, end).join('\n');
}

/** A change of fewer files is seen at a glance, and each of them is told by itself. */
const filesAtAGlance = 8;

function extent({ files }: Facts, isOnly: boolean): Told[] {
  const nothing = (reason: 'empty' | 'binary' | 'mode') => [tell({ say: 'nothingToRead', reason }, [])];
  if (files.length === 0) return nothing('empty');
  const whole = extentOf(files);
  if (whole.additions + whole.deletions === 0) {
    if (files.every(({ kind }) => kind === 'binary')) return nothing('binary');
    if (files.every(({ status }) => status === 'modified')) return nothing('mode');
  }
  if (files.length < filesAtAGlance && !isOnly) return [];
  const pathsOf = (isMeant: (file: FileFacts) => boolean) => files.filter(isMeant).map(({ path }) => path);
  const statement = {
    say: 'extent',
    ...whole,
    added: pathsOf(({ status }) => status === 'added'),
    removed: pathsOf(({ status }) => status === 'removed'),
  } as const;
  return [tell(statement, [])];
}
