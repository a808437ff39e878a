import { type Html, html } from './html.ts';

const codeSpans = /(?<!`)`([^`]+)`(?!`)/;

/** Text as people write it: plain, with code between backticks. */
export function text(written: string): Html {
  return html`${written.split(codeSpans).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** The same without its marks, for where there is no markup. */
export const plainText = (written: string): string => written.split(codeSpans).join('');
