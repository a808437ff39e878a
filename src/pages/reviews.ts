import type { Review, ReviewComment, ReviewThread, ReviewVerdict, WholeReview } from '../contract/reviews.ts';
import { joinSentences } from '../domain/article-words.ts';
import { otherLanguageOf } from '../domain/articles.ts';
import { type ReviewOrder, reviewOrders } from '../domain/reviews.ts';
import { hunkFigure } from './articles/code.ts';
import { headline, type ShownArticle } from './articles/shown-article.ts';
import { sentences } from './articles/story.ts';
import { type Html, html, nothing } from './html.ts';
import { dated, layout, noIndex, type PageContext } from './layout.ts';
import { articleLink, type Query, webAddress } from './links.ts';
import { markdownBlocks } from './markdown.ts';
import { repositoryName } from './rows.ts';
import { fileName, plainText, said, within } from './text.ts';

/** The requests of reviewers, and the changes that followed. */
export function review(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const { review: found } = shown.content;
  if (!found || found.points.length === 0) return nothing;
  const { rest, points, newComments } = found;
  return html`<section class="review" id="review"><h2${ours}>${words.inArticle.review.heading}</h2>
${points.map((point) => pointOf(context, shown, point, points.length > 1))}${rest && html`<p class="told">${sentences(context, shown, [rest])}</p>\n`}<p class="meta"${ours}><a href="${reviewLink(context, shown)}" rel="nofollow">${words.inArticle.review.whole}</a>${
    newComments > 0 && html` <span>${words.inArticle.review.newComments(newComments)}</span>`
  }</p>
</section>`;
}

const reviewLink = (
  { firstHost }: PageContext,
  { article, content }: Pick<ShownArticle, 'article' | 'content'>,
  query: Query = {},
): string => articleLink(article, firstHost, { language: content.languageCode, ...query }, '/review');

/** The link to the whole review, beside that to the full diff; nothing if nobody said anything. */
export function linkToReview(context: PageContext, shown: ShownArticle): Html {
  const { reviewers = [], threads = 0, newComments = 0 } = shown.content.review ?? {};
  if (reviewers.length + threads + newComments === 0) return nothing;
  const { words } = context;
  return html` <a class="tool" href="${reviewLink(context, shown)}" rel="nofollow">${words.review.title}${
    newComments > 0 && html` · ${words.inArticle.review.newComments(newComments)}`
  }</a>`;
}

function pointOf(
  context: PageContext,
  shown: ShownArticle,
  point: Review['points'][number],
  isAmongOthers: boolean,
): Html {
  const { words, ours } = context;
  const { asReviewed, asMerged, asNow } = words.inArticle.review;
  const { hunkAsReviewed, hunk, statements } = point;
  const isMerged = shown.article.state === 'merged';
  return html`<div class="stop item beat">${isAmongOthers && html`<p class="meta"${ours}><span>${said(context.language, words.inArticle.review.on(point.fileName))}</span></p>\n`}${point.words.map((quoted) => quotation(context, shown, quoted))}
${statements.length > 0 && html`<p class="told">${sentences(context, shown, statements)}</p>\n`}${hunkAsReviewed && html`<p class="meta"${ours}>${asReviewed}</p>\n${hunkFigure(context, shown, hunkAsReviewed, [])}\n`}${
  hunk &&
  html`<p class="meta"${ours}>${isMerged ? asMerged : asNow}</p>\n${hunkFigure(context, shown, hunk, statements)}\n`
}</div>
`;
}

function quotation(
  context: PageContext,
  { article, content: { languageCode } }: Pick<ShownArticle, 'article' | 'content'>,
  { author, markdown, cut, url, createdAt }: Review['points'][number]['words'][number],
  more: string[] = [],
): Html {
  const { words, ours } = context;
  const other = otherLanguageOf(markdown, languageCode);
  const address = webAddress(url);
  const date = dated(context, createdAt.replace('Z', '.000Z'));
  const notes = [
    ...more,
    ...(cut ? [words.inArticle.shortened] : []),
    ...(other ? [words.inArticle.original[other]] : []),
  ];
  const written =
    markdown !== '' &&
    html`<blockquote class="written" dir="auto"${other && within(languageCode, other)}>${markdownBlocks(
      markdown,
      { hostPrUrl: article.hostPrUrl },
    ).map(({ shown }) => shown)}</blockquote>\n`;
  return html`<div class="remark">${written}<p class="meta"${ours}><span><bdi>${author}</bdi></span> ${
    address ? html`<a href="${address}" rel="noreferrer">${date}</a>` : html`<span>${date}</span>`
  }${notes.map((note) => html` <span>${note}</span>`)}</p></div>
`;
}

type OnPage = Pick<ShownArticle, 'article' | 'content' | 'change' | 'hunks' | 'newSentences'>;
type Item = ReviewThread | ReviewVerdict | ReviewComment;

interface ShownReview {
  review: Pick<WholeReview, 'reviewers' | 'isHistoryReplaced' | 'hasMore'>;
  items: Item[];
  order: ReviewOrder;
  page: number;
  pages: number;
}

/** The whole review: everything that was said, with the code as it was then and as it is now. */
export function reviewPage(context: PageContext, shown: OnPage, all: ShownReview): Html {
  const { words, language, firstHost, room } = context;
  const { article, content } = shown;
  const { languageCode } = content;
  const { title, empty, orders, order } = words.review;
  const back = articleLink(article, firstHost, { language: languageCode });
  // The texts of this page are in the language of the reader.
  const here = { ...shown, content: { ...content, languageCode: language } };
  const groups = groupsOf(all.items);
  const drawn = room.fit(groups, (group, index) => {
    const file = 'fileName' in (group[0] ?? {}) ? (group[0] as ReviewThread).fileName : null;
    const before = groups[index - 1]?.[0];
    const isNext = index === 0 || (before && 'fileName' in before ? before.fileName : null) !== file;
    const heading =
      all.order === 'file' &&
      isNext &&
      html`<h2>${file === null ? words.review.general : fileName(file)}</h2>\n`;
    return html`${heading}${group.every(isByBot) ? botsOf(context, here, group) : group.map((item) => itemOf(context, here, item))}`;
  });
  const omitted = groups.slice(drawn.length).flat().length;
  return layout(context, {
    title: `${title}${words.inArticle.colon}${plainText(headline(shown))} · ${article.owner}/${article.repo}#${article.prNumber}`,
    description: title,
    head: noIndex,
    scripts: ['copy.js'],
    main: html`<article class="article">
<header class="opening"><p class="meta">${repositoryName(context, article)} <a href="${back}">#${article.prNumber}</a> <span>${title}</span></p>
<h1><a href="${back}"${within(language, languageCode)}>${said(languageCode, headline(shown))}</a></h1>
<p class="meta">${summary(context, all.review)}</p></header>
<div class="text">
${
  all.items.length === 0
    ? html`<p class="told">${empty}</p>`
    : html`<nav class="languages meta" aria-label="${order}">${reviewOrders.map((one) =>
        one === all.order
          ? html`<b>${orders[one]}</b> `
          : html`<a href="${reviewLink(context, shown, one === 'time' ? {} : { order: one })}" rel="nofollow">${orders[one]}</a> `,
      )}</nav>
<section class="review">${drawn}</section>`
}
${omitted > 0 && html`<p class="meta">${words.inArticle.andMore(omitted)}</p>`}${pageLinks(context, shown, all)}
<span class="confirmation" id="copied" role="status" data-done="${words.article.copied}" data-failed="${words.article.notCopied}"></span>
</div>
</article>`,
  });
}

function summary(
  { words }: PageContext,
  { reviewers, isHistoryReplaced, hasMore }: ShownReview['review'],
): string {
  const { review } = words.inArticle;
  const by = (state: WholeReview['reviewers'][number]['state']): string[] =>
    reviewers.filter((one) => one.state === state).map(({ login }) => login);
  const [approved, requested] = [by('approved'), by('changesRequested')];
  return joinSentences([
    ...(approved.length > 0 ? [review.approved(approved)] : []),
    ...(requested.length > 0 ? [review.requested(requested)] : []),
    ...(isHistoryReplaced ? [review.replaced] : []),
    ...(hasMore ? [review.hasMore] : []),
  ]);
}

const isByBot = (item: Item): boolean =>
  'comments' in item ? item.comments.every(({ byBot }) => byBot) : item.byBot;

/** Items of bots that follow each other are folded together. */
function groupsOf(items: Item[]): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && isByBot(item) && last.every(isByBot)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

const botsOf = (context: PageContext, shown: OnPage, group: Item[]): Html =>
  html`<details class="stop"><summary>${context.words.review.bots(group.length)}</summary>
${group.map((item) => itemOf(context, shown, item))}</details>
`;

function itemOf(context: PageContext, shown: OnPage, item: Item): Html {
  const { words } = context;
  if ('comments' in item) return threadOf(context, shown, item);
  const more = 'state' in item && item.state !== 'commented' ? [words.review.states[item.state]] : [];
  return html`<div class="stop item beat">${quotation(context, shown, item, more)}</div>
`;
}

function threadOf(context: PageContext, shown: OnPage, thread: ReviewThread): Html {
  const { words } = context;
  const { fileName: name, line, hunkAsReviewed, hunk, comments, outcome, elsewhere, resolvedBy } = thread;
  const { asReviewed, asMerged, asNow } = words.inArticle.review;
  const { resolved, outdated, outcomes, line: atLine } = words.review;
  const notes = [
    ...(thread.isResolved ? [resolved(resolvedBy)] : []),
    ...(thread.isOutdated ? [outdated] : []),
    ...(outcome && outcome !== 'elsewhere' ? [outcomes[outcome]] : []),
    ...(elsewhere === null ? [] : [outcomes.elsewhere(elsewhere)]),
  ];
  return html`<div class="stop item beat"><p class="meta"><span>${hunkAsReviewed ? asReviewed : fileName(name)}</span>${line !== null && html` <span>${atLine(line)}</span>`}${notes.map((note) => html` <span>${note}</span>`)}</p>
${hunkAsReviewed && hunkFigure(context, shown, hunkAsReviewed, [])}
${comments.map((comment) =>
  comment.byBot
    ? html`<details><summary>${words.review.bots(1)}</summary>${quotation(context, shown, comment)}</details>`
    : quotation(context, shown, comment),
)}${
  hunk &&
  html`<p class="meta">${shown.article.state === 'merged' ? asMerged : asNow}</p>\n${hunkFigure(context, shown, hunk, [])}\n`
}</div>
`;
}

function pageLinks(context: PageContext, shown: OnPage, { order, page, pages }: ShownReview): Html {
  if (pages < 2) return nothing;
  const { words } = context;
  const link = (to: number, word: string, rel: string): Html => {
    const query = { order: order === 'time' ? undefined : order, page: to > 1 ? to : undefined };
    return html`<a rel="${rel}" href="${reviewLink(context, shown, query)}">${word}</a> `;
  };
  return html`<nav class="pages" aria-label="${words.home.pages}">${page > 1 && link(page - 1, words.home.previousPage, 'prev')}<span>${words.article.pageOf(page, pages)}</span> ${page < pages && link(page + 1, words.home.nextPage, 'next')}</nav>`;
}
