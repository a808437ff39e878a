import { cleanDescription } from '../../reading/description/clean-description.ts';
import { dropHidden } from '../../reading/description/drop-hidden.ts';
import { sentencesIn, sentencesOfComment } from '../../reading/description/markdown-blocks.ts';
import { visibleText } from '../../reading/description/sentences.ts';
import type { Facts } from '../../reading/facts.ts';
import type { ArticleSource } from '../articles.ts';
import type { SpokenWords } from '../draft.ts';
import { plainText } from '../plain-text.ts';
import { foldedWords, isMachine, writerOf } from '../rules/author-words.ts';
import { isMergeLine, isOfOthers } from '../rules/title.ts';

type SpokenSource = Pick<
  ArticleSource,
  'title' | 'body' | 'author' | 'commits' | 'comments' | 'linkedIssues'
>;

/** Sentences of people, those that may give reasons first: title, description, commits, issues, discussion. */
export function spokenSentences(
  source: Omit<SpokenSource, 'body'>,
  description: Pick<Facts['description'], 'text'>,
): SpokenWords[] {
  const { title, commits, linkedIssues, comments } = source;
  const said: SpokenWords[] = [];
  const heard = new Set<string>();
  const say = (
    where: SpokenWords['where'],
    speaker: string,
    sentence: string,
    comment?: SpokenWords['said'],
  ): void => {
    const text = plainText(sentence);
    const key = foldedWords(text);
    if (!/[\p{L}\p{N}]/u.test(text) || heard.has(key) || isMergeLine(text)) return;
    heard.add(key);
    said.push({ where, speaker, text, ...(comment && { said: comment }) });
  };
  const sayAll = (where: SpokenWords['where'], speaker: string, text: string): void => {
    for (const sentence of sentencesIn(text)) say(where, speaker, sentence);
  };
  const author = writerOf(source.author, commits);
  say('title', author, title);
  sayAll('description', author, description.text);
  for (const commit of commits) {
    const [subject = '', ...body] = commit.message.split('\n');
    if (isOfOthers(subject)) continue;
    const writer = writerOf(commit.author, [commit]);
    say('commit', writer, subject);
    sayAll('commit', writer, cleanDescription(body.join('\n')));
  }
  for (const { number, title: issue, body } of linkedIssues) {
    if (issue !== '') say('issue', `#${number}`, issue);
    sayAll('issue', `#${number}`, body ?? '');
  }
  for (const { author: speaker, body, said: known } of comments) {
    if (isMachine(speaker)) continue;
    for (const [place, sentence] of (known ? sentencesOfComment : sentencesIn)(body).entries())
      if (sentence.length <= longestOfComment)
        say('comment', speaker, sentence, known && { ...known, place });
  }
  return said;
}

const longestOfComment = 1_000;

/** Lines that articles leave out but that a question may be about: the trailers of commits. */
export function unspokenLines(
  { commits }: Pick<SpokenSource, 'commits'>,
  spoken: SpokenWords[],
): SpokenWords[] {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  const heard = plain(spoken.map(({ text }) => text).join());
  const lines = new Map<string, SpokenWords>();
  const add = (where: SpokenWords['where'], speaker: string, line: string): void => {
    const key = plain(line.replace(/\s*\(#\d+\)$/, ''));
    if (key !== '' && !heard.includes(key) && !lines.has(key))
      lines.set(key, { where, speaker, text: line.trim() });
  };
  const linesOf = (text: string): string[] => dropHidden(visibleText(text)).split('\n');
  for (const commit of commits)
    for (const line of linesOf(commit.message)) add('commit', writerOf(commit.author, [commit]), line);
  return [...lines.values()];
}

export function spokenWords(source: SpokenSource): SpokenWords[] {
  const { title, body, author, commits, comments, linkedIssues } = source;
  const words: SpokenWords[] = [
    { speaker: author, where: 'title', text: title },
    { speaker: author, where: 'description', text: body ?? '' },
    ...commits.map((one) => ({ speaker: one.author, where: 'commit' as const, text: one.message })),
    ...comments.map((one) => ({ speaker: one.author, where: 'comment' as const, text: one.body })),
    ...linkedIssues.map(({ number, title: issue, body: report }) => ({
      speaker: `#${number}`,
      where: 'issue' as const,
      text: [`#${number} ${issue}`, report ?? ''].join('\n\n').trim(),
    })),
  ];
  return words.filter(({ text }) => text !== '');
}
