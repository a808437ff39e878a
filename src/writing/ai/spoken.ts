import { cleanDescription } from '../../reading/description/clean-description.ts';
import { sentencesIn } from '../../reading/description/markdown-blocks.ts';
import type { Facts } from '../../reading/facts.ts';
import type { SpokenWords } from '../draft.ts';
import { plainText } from '../plain-text.ts';
import { isMachine, writerOf } from '../rules/author-words.ts';
import { isMergeLine, isOfOthers } from '../rules/title.ts';
import type { ArticleSource } from '../written-article.ts';

interface Spoken {
  title: string;
  authorLogin: string;
  commits: { message: string; author: string }[];
  linkedIssues: { number: number; title: string; body: string | null }[];
  comments: { author: string; body: string }[];
  description: Facts['description'];
}

/** What people wrote, a sentence each, those first that say why: title, description, commits, issues, discussion. */
export function spokenSentences(spoken: Spoken): SpokenWords[] {
  const { title, authorLogin, commits, linkedIssues, comments, description } = spoken;
  const said: SpokenWords[] = [];
  const heard = new Set<string>();
  const say = (where: SpokenWords['where'], speaker: string, sentence: string): void => {
    const text = plainText(sentence);
    const key = text.toLowerCase();
    if (!/[\p{L}\p{N}]/u.test(text) || heard.has(key) || isMergeLine(text)) return;
    heard.add(key);
    said.push({ where, speaker, text });
  };
  const sayAll = (where: SpokenWords['where'], speaker: string, text: string): void => {
    for (const sentence of sentencesIn(text)) say(where, speaker, sentence);
  };
  const author = writerOf(authorLogin, commits);
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
  for (const comment of comments)
    if (!isMachine(comment.author)) sayAll('comment', comment.author, comment.body);
  return said;
}

type SpokenSource = Pick<
  ArticleSource,
  'title' | 'body' | 'author' | 'commits' | 'comments' | 'linkedIssues'
>;

export function spokenWords({
  title,
  body,
  author,
  commits,
  comments,
  linkedIssues,
}: SpokenSource): SpokenWords[] {
  const words: SpokenWords[] = [
    { speaker: author, where: 'title', text: title },
    { speaker: author, where: 'description', text: body ?? '' },
    ...commits.map(
      (commit): SpokenWords => ({ speaker: commit.author, where: 'commit', text: commit.message }),
    ),
    ...comments.map(
      (comment): SpokenWords => ({ speaker: comment.author, where: 'comment', text: comment.body }),
    ),
    ...linkedIssues.map(
      ({ number, title: issue, body: report }): SpokenWords => ({
        speaker: `#${number}`,
        where: 'issue',
        text: [`#${number} ${issue}`, report ?? ''].join('\n\n').trim(),
      }),
    ),
  ];
  return words.filter(({ text }) => text !== '');
}
