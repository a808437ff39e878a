import { cleanDescription } from '../../reading/description/clean-description.ts';
import type { Facts, FileFacts } from '../../reading/facts.ts';
import type { SpokenWords } from '../draft.ts';
import { plainText, scriptOf, shorten } from '../plain-text.ts';
import type { ArticleSource } from './article-source.ts';
import { type Chosen, chooseSentences, repeats, tellsSomething } from './choose-sentences.ts';
import { quoteCode, type Told, tell } from './outline.ts';
import { extentOf } from './plan-company.ts';
import { authorTitleOf, bareTitle, isTelling } from './plan-title.ts';

const longestSentence = 320;

/** Why the change was made, as far as anybody said; and how large it is. */
export function planBackground(source: ArticleSource): Told[] {
  const { facts } = source;
  return [
    titled(source),
    ...whatWasSaid(source),
    ...issuesClosed(source),
    ...extent(facts),
    ...unseen(source),
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
  const told = changelogEntry(source.facts);
  const entry = told && !repeats(told.statement.quote, source.title) ? told : null;
  const comment = entry ? null : discussion(source);
  const said = entry ?? comment ?? commitTitles(source);
  return said ? [said] : [tell({ say: 'nobodySays', isClone: source.isClone }, [])];
}

const isUnseen = ({ facts }: ArticleSource) => {
  const out = new Set(facts.description.unseen.map(({ sentence }) => sentence));
  // What the diff does not show is told apart, and not as the author's reason.
  return (sentence: string): boolean => out.has(sentence);
};

function description(source: ArticleSource): Told | null {
  const chosen = chooseSentences(source.facts.description.text, source.title, isUnseen(source));
  if (!chosen) return null;
  const words = wordsOf(chosen, source.author, 'description');
  return tell({ say: 'authorSays', ...quoted(chosen) }, [], words);
}

/** The subject of a commit names what it does; why it does so stands below. */
function commitBodies(source: ArticleSource): Told | null {
  // A commit that merges tells of what it brings along.
  const own = source.commits.filter(({ message }) => !/^merge\b/i.test(message));
  const bodies = own.map(({ author, message }) => ({
    author,
    chosen: chooseSentences(
      cleanDescription(message.split('\n').slice(1).join('\n')),
      source.title,
      isUnseen(source),
    ),
  }));
  const said = bodies.find(({ chosen }) => chosen !== null);
  if (!said?.chosen) return null;
  const words = wordsOf(said.chosen, said.author, 'commit');
  return tell({ say: 'commitSays', speaker: nameOf(said.author), ...quoted(said.chosen) }, [], words);
}

function discussion(source: ArticleSource): Told | null {
  for (const { author, body } of source.comments) {
    const chosen = chooseSentences(cleanDescription(body), source.title, () => false);
    if (!chosen) continue;
    const words = wordsOf(chosen, author, 'comment');
    return tell({ say: 'commentSays', speaker: nameOf(author), ...quoted(chosen) }, [], words);
  }
  return null;
}

const quoted = ({ sentences, gapsAfter, best }: Chosen) => ({
  sentences,
  gapsAfter,
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

/** The change's own entry in a changelog, which says to users what it is for. */
function changelogEntry({ files }: Facts): (Told & { statement: { quote: string } }) | null {
  const entry = files.flatMap(({ edits }) => edits).find(({ kind }) => kind === 'changelogEntry');
  if (!entry) return null;
  const statement = { say: 'changelog', quote: plainText(entry.text) } as const;
  return { ...quoteCode(statement, entry.evidence), statement };
}

const notSteps =
  /^(?:merge|wip|fixup!|squash!|update \S+$|apply suggestions|review|address|lint|format|typo|oops|revert ")/i;

function commitTitles(source: ArticleSource): Told | null {
  const { commits } = source;
  const title = authorTitleOf(source)?.text ?? source.title;
  const subjects = commits
    .map(({ author, message }) => ({ author, text: bareTitle(message.split('\n')[0] ?? '').text }))
    .filter(
      ({ text }) => isTelling(text) && tellsSomething(text) && !notSteps.test(text) && !repeats(text, title),
    );
  const unique = [...new Map(subjects.map((subject) => [subject.text.toLowerCase(), subject])).values()];
  if (unique.length === 0) return null;
  const told = unique.slice(0, 3);
  const words = told.map(({ author, text }): SpokenWords => ({ speaker: author, where: 'commit', text }));
  const titles = told.map(({ text }) => shorten(text, 120));
  return tell(
    { say: 'commitsTitled', titles, isOne: unique.length === 1, hasMore: unique.length > told.length },
    [],
    words,
  );
}

function issuesClosed({ linkedIssues, author }: ArticleSource): Told[] {
  if (linkedIssues.length === 0) return [];
  const issues = linkedIssues.slice(0, 3).map(({ number, title }) => ({ number, title: plainText(title) }));
  const words = issues.flatMap(({ number, title }): SpokenWords[] => [
    { speaker: author, where: 'issue', text: title === '' ? `#${number}` : title },
  ]);
  return [tell({ say: 'closes', issues }, [], words)];
}

function unseen({ facts, author }: ArticleSource): Told[] {
  const sentences = facts.description.unseen
    .map(({ sentence }) => plainText(sentence))
    .filter((text) => text.length > 0 && text.length <= longestSentence)
    .slice(0, 3);
  if (sentences.length === 0) return [];
  const words = sentences.map((text): SpokenWords => ({ speaker: author, where: 'description', text }));
  return [tell({ say: 'unseen', sentences, script: scriptOf(sentences.join(' ')) }, [], words)];
}

function extent({ files }: Facts): Told[] {
  const nothing = (reason: 'empty' | 'binary' | 'mode') => [tell({ say: 'nothingToRead', reason }, [])];
  if (files.length === 0) return nothing('empty');
  const whole = extentOf(files);
  if (whole.additions + whole.deletions === 0) {
    if (files.every(({ kind }) => kind === 'binary')) return nothing('binary');
    if (files.every(({ status }) => status === 'modified')) return nothing('mode');
  }
  const pathsOfKind = (kind: FileFacts['kind']) =>
    files.filter((file) => file.kind === kind).map(({ path }) => path);
  const statement = {
    say: 'extent',
    ...whole,
    tests: pathsOfKind('test'),
    documents: pathsOfKind('documentation'),
    place: commonPlace(whole.paths),
  } as const;
  return [tell(statement, [])];
}

/** The folder that holds most of the changed files, where one does. */
function commonPlace(paths: string[]): string | null {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= Math.min(parts.length, 4); depth++) {
      const folder = parts.slice(0, depth).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const most = [...counts].filter(([, count]) => paths.length > 2 && count >= paths.length * 0.6);
  return (
    most.sort(([one, a], [other, b]) => other.split('/').length - one.split('/').length || b - a)[0]?.[0] ??
    null
  );
}
