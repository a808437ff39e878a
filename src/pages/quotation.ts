import { type Html, html } from './html.ts';
import { text } from './text.ts';

/** What begins with a mark of its own gets none before it. */
export const isQuotedAlready = (words: string): boolean => /^["'“”„‟«‘’‚「『]/.test(words);

/** The author's own sentence between quotation marks, within a line of ours. */
export const quoted = (words: string): Html =>
  isQuotedAlready(words) ? html`<bdi>${text(words)}</bdi>` : html`“<bdi>${text(words)}</bdi>”`;
