import type { ArticleSummary } from '../contract/article.ts';
import { changeTypes } from '../domain/article.ts';
import { articleRow } from './article-row.ts';
import { type Html, html } from './html.ts';
import { languageTabs } from './language-tabs.ts';
import { layout } from './layout.ts';
import { listLink, type Narrowing } from './links.ts';
import type { PageContext } from './page-context.ts';
import { type Pages, pagesAround } from './pages-around.ts';

interface NarrowedList extends Pages {
  /** What it is narrowed to; its language is the one that was asked for in the address. */
  narrowing: Narrowing;
  /** The language that the articles are in; null for all of them. */
  language: string | null;
  articles: ArticleSummary[];
}

/** The newest articles of an author, of a change type, or of both. */
export function narrowedPage(context: PageContext, shown: NarrowedList): Html {
  const { words, publicUrl, firstHost } = context;
  const { narrowing } = shown;
  const { author, type } = narrowing;
  const heading = headingOf(context, narrowing);
  const address = (changed: Narrowing): string => listLink({ ...narrowing, ...changed }, firstHost);
  const [path = '/', query = ''] = address({}).split('?');
  return layout(context, {
    title: `${heading} · Pullquote`,
    description: heading,
    head: html`${publicUrl && html`<link rel="canonical" href="${publicUrl}${address({ language: undefined })}">\n`}`,
    main: html`<div class="home">
<h1 class="repository-name">${author ? html`<bdi>${author.login}</bdi>` : heading}</h1>
<div class="tabs narrowed">${author && html`<nav aria-label="${words.narrowed.authors}"><a href="${address({ author: undefined })}">${words.narrowed.allAuthors}</a></nav>`}
<nav aria-label="${words.find.ofType}"><a href="${address({ type: undefined })}"${type === undefined && html` aria-current="true"`}>${words.narrowed.allTypes}</a> ${changeTypes.map(
      (one) =>
        html`<a href="${address({ type: one })}"${one === type && html` aria-current="true"`}>${one}</a> `,
    )}</nav>
${languageTabs(context, shown.language, (language) => address({ language }))}</div>
${
  shown.articles.length > 0
    ? html`<ul class="rows">${shown.articles.map((article) => articleRow(context, article, { isMain: true, within: narrowing }))}</ul>`
    : html`<div class="notice"><p class="said">${words.narrowed.empty}</p><p><a href="/">${words.home.toAll}</a></p></div>`
}
${pagesAround(context, shown, { path, query: Object.fromEntries(new URLSearchParams(query)), isByTime: true })}
</div>`,
  });
}

function headingOf({ words }: PageContext, { author, type }: Narrowing): string {
  const { byAuthor, ofType } = words.narrowed;
  if (!author) return ofType(type ?? '');
  return type ? `${byAuthor(author.login)}: ${type}` : byAuthor(author.login);
}
