import type { LikedArticleInfo } from '../contract/article-lists.ts';
import { accountTabs } from './account-tabs.ts';
import { articleRow } from './article-row.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { hostNamed, repositoryPath, withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';
import { type Pages, pagesAround } from './pages-around.ts';

/** What the reader likes, the latest like first. */
export function likedPage(context: PageContext, liked: LikedArticleInfo[], pages: Pages): Html {
  const { words } = context;
  return layout(context, {
    title: `${words.liked.title} · Pullquote`,
    styles: ['doing.css'],
    main: html`<div class="home own">
<h1 class="unseen">${words.liked.title}</h1>
${accountTabs(context, '/liked')}
${
  liked.length > 0
    ? html`<ul class="rows">${liked.map((article) => articleRow(context, article, { isMain: true, below: takeBack(context, article) }))}</ul>`
    : html`<p class="said">${words.liked.empty}</p><p><a href="/">${words.failure.home}</a></p>`
}
${pagesAround(context, pages, { path: '/liked', isByTime: true })}
</div>`,
  });
}

/** A form, so that a like can be taken back where it is listed, with or without scripts. */
function takeBack({ words, firstHost }: PageContext, article: LikedArticleInfo): Html {
  const { articleId, host, prNumber, languageCode } = article;
  const action = withQuery(`${repositoryPath(article)}/${prNumber}/like`, hostNamed(host, firstHost));
  return html`<form class="do" method="post" action="${action}"><input type="hidden" name="article" value="${articleId}"><input type="hidden" name="language" value="${languageCode}"><input type="hidden" name="like" value="no"><button class="plain">${words.liked.remove}</button></form>`;
}
