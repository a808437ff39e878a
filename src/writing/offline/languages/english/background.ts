import type { OfBackground, Quoted, Saying } from '../../statements.ts';
import { code, lastWords, lines, list, plural, quote } from './words.ts';

/** Somebody's sentences one after the other; an ellipsis stands where some are left out. */
const said = ({ sentences, gapsAfter }: Quoted): string =>
  lastWords(sentences.map((text, index) => (gapsAfter[index] ? `${text} …` : text)).join(' '));

const foreign = ({ script }: Quoted): string => (script === 'latin' ? '' : ' in another language');

export const backgroundSayings: Saying<string, OfBackground> = {
  titled: ({ title, script }) => (script === 'latin' ? '' : `The pull request is titled ${quote(title)}.`),
  authorSays: (quoted) => `The author writes${foreign(quoted)}: ${said(quoted)}`,
  commitSays: ({ speaker, ...quoted }) =>
    speaker === null
      ? `A commit message says${foreign(quoted)}: ${said(quoted)}`
      : `In a commit message, ${speaker} writes${foreign(quoted)}: ${said(quoted)}`,
  commentSays: ({ speaker, ...quoted }) =>
    `${speaker === null ? 'A comment says' : `In a comment, ${speaker} writes`}${foreign(quoted)}: ${said(quoted)}`,
  commitsTitled: ({ titles, isOne, hasMore }) =>
    isOne
      ? `Its commit is titled ${list(titles.map(quote))}.`
      : `Its commits are titled ${list(titles.map(quote))}${hasMore ? ', among others' : ''}.`,
  nobodySays: ({ isClone }) =>
    isClone
      ? 'This clone holds no description of the change; what follows is read from the diff.'
      : 'There is no description beyond the title; what follows is read from the diff.',
  closes: ({ issues }) =>
    `It says that it closes ${list(issues.map(({ number, title }) => `#${number}${title ? ` (${quote(title)})` : ''}`))}.`,
  extent: ({ tests, documents, place, ...extent }) => {
    const among = [
      tests.length > 0 && plural(tests.length, 'test file'),
      documents.length > 0 && plural(documents.length, 'document'),
    ].filter((part) => part !== false);
    const others = extent.paths.length - tests.length - documents.length;
    const company = among.length > 0 && others > 0 ? `, ${list(among)} among them` : '';
    return `The change covers ${plural(extent.paths.length, 'file')}${company} (${lines(extent)})${place ? `, most of it under ${code(place)}` : ''}.`;
  },
  nothingToRead: ({ reason }) =>
    ({
      empty: 'The pull request changes no file: there is nothing more to tell.',
      binary: 'Only binary files change, and what is inside them cannot be told from a diff.',
      mode: 'No line of text changes: only the properties of files, such as whether they can be executed.',
    })[reason],
  unseen: ({ sentences }) =>
    `The description also says ${list(sentences.map((sentence) => quote(sentence.replace(/[.。]$/, ''))))}; the diff does not show ` +
    `${sentences.length === 1 ? 'it, so it may have been done elsewhere or was left out' : 'these, so they may have been done elsewhere or were left out'}.`,
};
