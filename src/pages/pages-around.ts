import { type Html, html, nothing } from './html.ts';
import { type Query, withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';

/** Where the pages of a list before and after this one begin. */
export interface Pages {
  newer: number | null;
  older: number | null;
}

export function olderAndNewer(
  { words }: PageContext,
  path: string,
  { newer, older }: Pages,
  query: Query = {},
): Html {
  if (newer === null && older === null) return nothing;
  const link = (offset: number, rel: string, word: string): Html =>
    html`<a rel="${rel}" href="${withQuery(path, { ...query, offset: offset || undefined })}">${word}</a> `;
  return html`<nav class="pages" aria-label="${words.home.older}">${
    newer !== null && link(newer, 'prev', words.home.newer)
  }${older !== null && link(older, 'next', words.home.older)}</nav>`;
}
