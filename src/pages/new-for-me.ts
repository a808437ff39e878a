import type { FeedEntry } from '../contract/article-lists.ts';
import { articleRow } from './article-row.ts';
import { type Html, html, nothing } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';
import { type Pages, pagesAround } from './pages-around.ts';

/** What is new in the repositories that a user follows. */
export interface NewForMe {
  /** The newest, whether they were read or not. */
  entries: FeedEntry[];
  total: number;
  unread: number;
  changed: number;
  /** When it was looked up: what is written later is not marked as read with it. */
  asOf: string;
}

/** How many stand above the newest articles of all. */
export const mostAbove = 5;

const path = '/new';

/** What the first page of a user begins with; nothing where they follow nothing that is written about. */
export function newAbove(context: PageContext, fresh: NewForMe): Html {
  if (fresh.total === 0) return nothing;
  const { home } = context.words;
  return html`<section class="new-for-me" aria-labelledby="new-for-me">
${heading(context, fresh, html`<h2 id="new-for-me">${home.newForMe}</h2>`)}
<ul class="rows">${fresh.entries.map((entry) => articleRow(context, entry))}</ul>
${fresh.total > fresh.entries.length && html`<p class="pages"><a href="${path}">${home.allNewForMe}</a></p>`}
</section>`;
}

/** All of it, on a page of its own. */
export function newForMePage(context: PageContext, fresh: NewForMe & Pages): Html {
  const { home } = context.words;
  return layout(context, {
    title: `${home.newForMe} · Pullquote`,
    main: html`<div class="home">
<section class="new-for-me">${heading(context, fresh, html`<h1>${home.newForMe}</h1>`)}
${
  fresh.entries.length > 0
    ? html`<ul class="rows">${fresh.entries.map((entry) => articleRow(context, entry, { isMain: true }))}</ul>`
    : html`<div class="notice"><p class="said">${home.nothingForMe}</p><p><a href="/favorites">${home.toFavorites}</a></p></div>`
}
${pagesAround(context, fresh, { path, isByTime: true })}</section>
</div>`,
  });
}

function heading(
  { words: { home } }: PageContext,
  { total, unread, changed, asOf }: NewForMe,
  title: Html,
): Html {
  const isAllRead = unread === 0 && changed === 0;
  return html`<div class="heading">${title} ${total > 0 && html`<span class="meta">${isAllRead ? home.allRead : home.unread(unread, changed)}</span>`}
${!isAllRead && html`<form method="post" action="${path}/read"><input type="hidden" name="until" value="${asOf}"><button class="tool">${home.markAllRead}</button></form>`}</div>`;
}
