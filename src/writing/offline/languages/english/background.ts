import type { OfBackground, Quoted, Saying } from '../../statements.ts';
import { lastWords, lines, list, plural, quote } from './words.ts';

/** Somebody's sentences one after the other. */
const said = ({ sentences }: Quoted): string => lastWords(sentences.join(' '));

const foreign = ({ script }: Quoted): string => (script === 'latin' ? '' : ' in another language');

export const backgroundSayings: Saying<string, OfBackground> = {
  titled: ({ title, script }) => (script === 'latin' ? '' : `The pull request is titled ${quote(title)}.`),
  authorSays: (quoted) => `The author writes${foreign(quoted)}: ${said(quoted)}`,
  commitSays: ({ speaker, ...quoted }) =>
    `${speaker === null ? 'A commit message says' : `In a commit message, ${speaker} writes`}${foreign(quoted)}: ${said(quoted)}`,
  commentSays: ({ speaker, ...quoted }) =>
    `${speaker === null ? 'A comment says' : `In a comment, ${speaker} writes`}${foreign(quoted)}: ${said(quoted)}`,
  commitsTitled: ({ titles }) =>
    `${titles.length === 1 ? 'Its commit is' : 'Its commits are'} titled ${list(titles.map(quote))}.`,
  nobodySays: () => 'There is no description beyond the title; what follows is read from the diff.',
  closes: ({ issues }) =>
    `It says that it closes ${list(issues.map(({ number, title }) => `#${number}${title ? ` (${quote(title)})` : ''}`))}.`,
  extent: ({ added, removed, ...extent }) => {
    const among = [
      added.length > 0 && `${plural(added.length, 'new file')}`,
      removed.length > 0 && plural(removed.length, 'deleted file'),
    ].filter((part) => part !== false);
    const company = among.length > 0 && extent.paths.length > 1 ? `, ${list(among)} among them` : '';
    return `The change covers ${plural(extent.paths.length, 'file')}${company} (${lines(extent)}).`;
  },
  nothingToRead: ({ reason }) =>
    ({
      empty: 'The pull request changes no file: there is nothing more to tell.',
      binary: 'Only binary files change, and what is inside them cannot be told from a diff.',
      mode: 'No line of text changes: only the properties of files, such as whether they can be executed.',
    })[reason],
};
