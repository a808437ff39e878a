import type { Review } from '../contract/reviews.ts';
import { otherLanguageOf } from '../domain/articles.ts';
import { hunkFigure } from './articles/code.ts';
import type { ShownArticle } from './articles/shown-article.ts';
import { sentences } from './articles/story.ts';
import { type Html, html, nothing } from './html.ts';
import { dated, type PageContext } from './layout.ts';
import { webAddress } from './links.ts';
import { markdownBlocks } from './markdown.ts';
import { within } from './text.ts';

/** The requests of reviewers, and the changes that followed. */
export function review(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const { review: found } = shown.content;
  if (!found || found.points.length === 0) return nothing;
  const { rest, points, newComments } = found;
  return html`<section class="review" id="review"><h2${ours}>${words.inArticle.review.heading}</h2>
${points.map((point) => pointOf(context, shown, point))}${rest && html`<p class="told">${sentences(context, shown, [rest])}</p>\n`}${
  newComments > 0 && html`<p class="meta"${ours}>${words.inArticle.review.newComments(newComments)}</p>\n`
}</section>`;
}

function pointOf(context: PageContext, shown: ShownArticle, point: Review['points'][number]): Html {
  const { words, ours } = context;
  const { asReviewed, asMerged, asNow } = words.inArticle.review;
  const { hunkAsReviewed, hunk, statements } = point;
  const isMerged = shown.article.state === 'merged';
  return html`<div class="stop item beat">${point.words.map((said) => quotation(context, shown, said))}
<p class="told">${sentences(context, shown, statements)}</p>
${hunkAsReviewed && html`<p class="meta"${ours}>${asReviewed}</p>\n${hunkFigure(context, shown, hunkAsReviewed, [])}\n`}${
  hunk &&
  html`<p class="meta"${ours}>${isMerged ? asMerged : asNow}</p>\n${hunkFigure(context, shown, hunk, statements)}\n`
}</div>
`;
}

function quotation(
  context: PageContext,
  { article, content: { languageCode } }: ShownArticle,
  { author, markdown, cut, url, createdAt }: Review['points'][number]['words'][number],
): Html {
  const { words, ours } = context;
  const other = otherLanguageOf(markdown, languageCode);
  const address = webAddress(url);
  const date = dated(context, createdAt.replace('Z', '.000Z'));
  const notes = [
    ...(cut ? [words.inArticle.shortened] : []),
    ...(other ? [words.inArticle.original[other]] : []),
  ];
  return html`<blockquote class="written" dir="auto"${other && within(languageCode, other)}>${markdownBlocks(
    markdown,
    { hostPrUrl: article.hostPrUrl },
  ).map(({ shown }) => shown)}</blockquote>
<p class="meta"${ours}><span><bdi>${author}</bdi></span> ${
    address ? html`<a href="${address}" rel="noreferrer">${date}</a>` : html`<span>${date}</span>`
  }${notes.map((note) => html` <span>${note}</span>`)}</p>
`;
}
