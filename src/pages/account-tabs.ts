import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';

/** What is the reader's own. */
export function accountTabs({ words: { settings, bar, digest } }: PageContext, current: string): Html {
  const tabs = [
    { path: '/my/digest', word: digest.title },
    { path: '/favorites', word: settings.favorites },
    { path: '/liked', word: settings.liked },
    { path: '/settings', word: settings.title },
  ];
  return html`<div class="tabs"><nav aria-label="${bar.account}">${tabs.map(
    ({ path, word }) => html`<a href="${path}"${path === current && html` aria-current="page"`}>${word}</a> `,
  )}</nav></div>`;
}
