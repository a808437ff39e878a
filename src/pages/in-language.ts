import { type Html, html, nothing } from './html.ts';
import { text } from './text.ts';

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** Attributes of text in a language: which one that is, and that it runs from right to left where it does. */
export const inLanguage = (code: string): Html =>
  html` lang="${code}"${rightToLeft.has(code) && html` dir="rtl"`}`;

/** Attributes of words in one language that stand in text of another; none where both are the same. */
export const within = (outer: string, code: string): Html =>
  outer === code
    ? nothing
    : html` lang="${code}"${rightToLeft.has(outer) && !rightToLeft.has(code) && html` dir="ltr"`}`;

/** What an article says, apart from what stands around it. Code that it begins with does not turn it around. */
export const said = (code: string, words: string): Html =>
  html`<bdi${rightToLeft.has(code) && html` dir="rtl"`}>${text(words)}</bdi>`;
