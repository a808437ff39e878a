import { type Html, html, nothing } from './html.ts';
import { type Query, withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';

/** Where the pages of a list before and after this one begin. */
export interface Pages {
  newer: number | null;
  older: number | null;
}

interface Around {
  path: string;
  query?: Query;
  /** Whether the list has the newest first. */
  isByTime: boolean;
}

/** The page before on the left, and the next one on the right. */
export function pagesAround(
  { words: { home } }: PageContext,
  { newer, older }: Pages,
  { path, query, isByTime }: Around,
): Html {
  if (newer === null && older === null) return nothing;
  const link = (offset: number, rel: string, word: string): Html =>
    html`<a rel="${rel}" href="${withQuery(path, { ...query, offset: offset || undefined })}">${word}</a> `;
  return html`<nav class="pages" aria-label="${home.pages}">${
    newer !== null && link(newer, 'prev', isByTime ? home.newer : home.previousPage)
  }${older !== null && link(older, 'next', isByTime ? home.older : home.nextPage)}</nav>`;
}
