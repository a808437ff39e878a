import { type Html, html, prose, type Shown } from './html.ts';

/** Code that has a backtick in it stands between two of them. Longer ones do not occur, and looking further would take long. */
const codeSpans = /(?<!`)(`{1,2})(?!`)([^\n]{1,500}?)(?<!`)\1(?!`)/g;

/** Text as people write it: plain, with code between backticks. */
export function text(written: string): Html {
  const parts: Shown[] = [];
  let end = 0;
  for (const found of written.matchAll(codeSpans)) {
    parts.push(prose(written.slice(end, found.index)), html`<code>${codeOf(found)}</code>`);
    end = found.index + found[0].length;
  }
  return html`${parts}${prose(written.slice(end))}`;
}

/** The same without its marks, for where there is no markup. */
export const plainText = (written: string): string =>
  written.replace(codeSpans, (...found: string[]) => codeOf(found));

/** A blank beside two backticks keeps them apart from one in the code. */
const codeOf = ([, fence = '', code = '']: string[]): string =>
  fence.length === 2 ? code.replace(/^ | $/g, '') : code;
