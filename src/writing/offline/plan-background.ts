import type { FileKind } from '../../domain/file-kinds.ts';
import { placeSentences } from '../../reading/description/sentences.ts';
import type { Facts } from '../../reading/facts.ts';
import type { SpokenWords } from '../draft.ts';
import { plainText, scriptOf, shorten } from '../plain-text.ts';
import type { ArticleSource } from './article-source.ts';
import { type Told, tell } from './outline.ts';
import { bareTitle } from './plan-title.ts';

const mostSentences = 5;
const mostCharacters = 640;
const longestSentence = 320;

/** Sections that tell how it was tested or who looked at it, not why it was made. */
const otherSections =
  /test|check ?list|screenshot|review|how to|related|reference|release note|changelog|todo|steps|environment|benchmark|demo|deploy/i;

/** Why the change was made, as far as anybody said; and what the diff shows where nobody did. */
export function planBackground(source: ArticleSource): Told[] {
  const { facts } = source;
  const told = [titled(source), whatTheAuthorSays(source) ?? tell({ say: 'nobodySays' }, [])];
  if (source.linkedIssues.length > 0) {
    const issues = source.linkedIssues
      .slice(0, 3)
      .map(({ number, title }) => ({ number, title: plainText(title) }));
    const words = issues.map(({ number, title }) => ({
      speaker: source.author,
      where: 'issue' as const,
      text: `#${number} ${title}`,
    }));
    told.push(tell({ say: 'closes', issues }, [], words));
  }
  told.push(...extent(facts));
  const unseen = facts.description.unseen
    .map(({ sentence }) => plainText(sentence))
    .filter((text) => text.length > 0 && text.length <= longestSentence);
  if (unseen.length > 0) {
    const sentences = unseen.slice(0, 3);
    const text = sentences.join(' ');
    told.push(
      tell(
        { say: 'unseen', sentences, script: scriptOf(text) },
        [],
        [{ speaker: source.author, where: 'description', text: facts.description.text }],
      ),
    );
  }
  return told;
}

function titled({ title, author }: ArticleSource): Told {
  const text = plainText(title);
  return tell(
    { say: 'titled', title: shorten(text, 200), script: scriptOf(text) },
    [],
    [{ speaker: author, where: 'title', text: title }],
  );
}

function whatTheAuthorSays({ facts, commits, title, author }: ArticleSource): Told | null {
  const unseen = new Set(facts.description.unseen.map(({ sentence }) => sentence));
  const say = (sentences: string[], words: SpokenWords[]): Told => {
    const where = words[0]?.where === 'commit' ? 'commit' : 'description';
    const script = scriptOf(sentences.join(' '));
    return tell({ say: 'authorSays', sentences, script, where }, [], words);
  };
  const fromDescription = chooseSentences(facts.description.text, title, unseen);
  if (fromDescription.length > 0) {
    return say(fromDescription, [{ speaker: author, where: 'description', text: facts.description.text }]);
  }
  const bodies = commits.map((commit) => withoutSubject(commit.message, title));
  const fromCommits = chooseSentences(bodies.join('\n\n'), title, unseen);
  if (fromCommits.length === 0) return null;
  return say(
    fromCommits,
    commits.map((commit) => ({ speaker: commit.author, where: 'commit', text: commit.message })),
  );
}

/** The subject of a squashed commit is the title once more, and its trailers are for machines. */
function withoutSubject(message: string, title: string): string {
  const [subject = '', ...rest] = message.split('\n');
  const body = rest
    .filter((line) => !/^[A-Z][\w-]+-by:|^Change-Id:|^Merge |^Signed-off/i.test(line))
    .join('\n');
  return subject.startsWith(title.slice(0, 40)) || /^(?:merge|wip|fixup!|update)\b/i.test(subject)
    ? body
    : `${subject}.\n\n${body}`;
}

function chooseSentences(text: string, title: string, unseen: Set<string>): string[] {
  const chosen: string[] = [];
  let length = 0;
  for (const { text: sentence, heading, isItem } of placeSentences(text)) {
    // What the diff does not show is told apart, and not as the author's reason.
    if ((heading !== null && otherSections.test(heading)) || unseen.has(sentence)) continue;
    const plain = tidy(authorWords(plainText(sentence)), isItem);
    // A description that repeats the title tells nothing.
    if (!tellsSomething(plain) || repeats(plain, title) || addressInside.test(sentence)) continue;
    if (chosen.length === mostSentences || (chosen.length > 0 && length + plain.length > mostCharacters))
      break;
    chosen.push(plain);
    length += plain.length;
  }
  return chosen;
}

/** Without the address that stands in its middle, a sentence would have a hole. */
const addressInside = /(?<![([<])https?:\/\/\S+\s+\S+\s+\S/;

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?<=\p{L}{3})s$/u, ''));

function repeats(sentence: string, title: string): boolean {
  const known = new Set(wordsOf(title));
  const words = wordsOf(sentence);
  return words.filter((word) => known.has(word)).length >= words.length * 0.85;
}

/** Squashed commits are listed with the prefixes that they had. */
const authorWords = (sentence: string): string => {
  const { text, scope } = bareTitle(sentence);
  return /^[a-z]+(?:\([^)]*\))?!?: /.test(sentence) && (scope !== null || text !== sentence)
    ? text
    : sentence;
};

function tidy(sentence: string, isItem: boolean): string {
  const plain = shorten(sentence.replace(/^[-*•]\s+/, ''), longestSentence);
  return isItem && /[\p{L}\p{N}`)]$/u.test(plain)
    ? `${plain}${scriptOf(plain) === 'japanese' ? '。' : '.'}`
    : plain;
}

const greeting =
  /^(?:hi|hello|hey|thanks?|thank you|please|cc|fyi|ptal|lgtm|fix(?:es|ed)?|close[sd]?|resolve[sd]?|ref(?:s|erences)?|see|related(?: to)?|part of|follow[- ]up (?:to|of)|depends on|n\/a|none|no)\b[^.]{0,30}[.!:#]?$/i;

function tellsSomething(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const isWide = scriptOf(sentence) !== 'latin';
  if (isWide ? sentence.length < 6 : words < 4) return false;
  // What ends with a colon announces something that is not in this sentence.
  return (
    !/[:：]$/.test(sentence) &&
    !greeting.test(sentence) &&
    !/^(?:#\d+|[\w-]+\/[\w-]+#\d+)|\bby @[\w-]+ in\b|^Sourced from|first contribution in/.test(sentence)
  );
}

function extent({ files }: Facts): Told[] {
  const nothing = (reason: 'empty' | 'binary' | 'mode') => [tell({ say: 'nothingToRead', reason }, [])];
  if (files.length === 0) return nothing('empty');
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  if (additions + deletions === 0) {
    if (files.every(({ kind }) => kind === 'binary')) return nothing('binary');
    if (files.every(({ status }) => status === 'modified')) return nothing('mode');
  }
  const countOf = (kind: FileKind) => files.filter((file) => file.kind === kind).length;
  const paths = files.map(({ path }) => path);
  return [
    tell(
      {
        say: 'extent',
        paths,
        tests: countOf('test'),
        documents: countOf('documentation'),
        additions,
        deletions,
        place: commonPlace(paths),
      },
      [],
    ),
  ];
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
  const most = [...counts].filter(([, count]) => paths.length > 1 && count >= paths.length * 0.6);
  return (
    most.sort(([one, a], [other, b]) => other.split('/').length - one.split('/').length || b - a)[0]?.[0] ??
    null
  );
}
