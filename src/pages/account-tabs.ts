import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';

/** What is the reader's own. */
export function accountTabs(
  { words: { settings, bar, digest, favorites, liked } }: PageContext,
  current: string,
): Html {
  const tabs = [
    { path: '/my/digest', word: digest.title },
    { path: '/favorites', word: favorites.title },
    { path: '/liked', word: liked.title },
    { path: '/settings', word: settings.title },
  ];
  return html`<div class="tabs"><nav aria-label="${bar.account}">${tabs.map(
    ({ path, word }) => html`<a href="${path}"${path === current && html` aria-current="page"`}>${word}</a> `,
  )}</nav></div>`;
}
