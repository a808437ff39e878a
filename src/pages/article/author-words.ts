import type { ArticleContent } from '../../contract/article.ts';
import type { AuthorWords } from '../../contract/article-parts.ts';
import { isPullQuote, otherLanguageOf } from '../../domain/article.ts';
import { isFromClone } from '../../domain/repositories.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { webAddress } from '../links.ts';
import { markdownBlocks } from '../markdown.ts';
import { within } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

/** Shown at once; the rest opens. */
const firstLines = 15;

/** What the author wrote about the change: a pull quote where it is short. With a model it is one click away, at the end. */
export function authorWords(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const { content } = shown;
  const { authorWords: written, languageCode } = content;
  if (!written) return quoteOf(context, shown);
  const { markdown, from } = written;
  const blocks = markdownBlocks(markdown, {
    isCommitMessage: from !== 'description' || isFromClone(shown.article),
  });
  if (blocks.length === 0) return nothing;
  const other = otherLanguageOf(markdown, languageCode);
  const attributes = html` dir="auto"${other && within(languageCode, other)}`;
  const isByModel = content.writer.kind === 'ai';
  if (isPullQuote(markdown) && !isByModel)
    return pullQuote(context, shown, { said: blocks[0]?.shown ?? nothing, attributes, other, from });
  let lines = 0;
  const later = blocks.findIndex((block, index) => {
    lines += block.lines;
    return index > 0 && lines > firstLines;
  });
  const first = isByModel ? [] : later < 0 ? blocks : blocks.slice(0, later);
  const rest = blocks.slice(first.length);
  const quotation = (some: typeof blocks): Html =>
    html`<blockquote class="written"${attributes}>${some.map((block) => block.shown)}</blockquote>`;
  const onHost = webAddress(shown.article.hostPrUrl);
  return html`<section class="description" id="words"><h2${ours}>${words.inArticle.authorsWords[from]}</h2>
${first.length > 0 && quotation(first)}${
  rest.length > 0 &&
  html`
<details><summary${ours}>${isByModel ? words.article.showWords : words.article.readOn}</summary>${quotation(rest)}</details>`
}
<p class="meta"${ours}>${attribution(context, shown, { from, other })}${
    written.more && onHost && html` <a href="${onHost}" rel="noreferrer">${words.article.restOnHost}</a>`
  }</p></section>`;
}

interface Attributed {
  from: AuthorWords['from'] | NonNullable<ArticleContent['quote']>['from'];
  other: 'en' | 'ja' | null;
}

/** Who wrote it and where, and in which language where that is another one. */
function attribution({ words }: PageContext, { article }: ShownArticle, { from, other }: Attributed): Html {
  const { quotedFrom, writtenIn, original } = words.inArticle;
  const places = { ...quotedFrom, ...writtenIn };
  return html`${from !== 'commits' && html`<span><bdi>${article.authorLogin}</bdi>${places[from]}</span>`}${other && html` <span>${original[other]}</span>`}`;
}

const pullQuote = (
  context: PageContext,
  shown: ShownArticle,
  { said, attributes, ...attributed }: Attributed & { said: Html; attributes: Html },
): Html => html`<figure class="quote" id="words"><blockquote${attributes}>${said}</blockquote>
<figcaption class="meta"${context.ours}>${attribution(context, shown, attributed)}</figcaption></figure>`;

/** An article that was written before it had the author's words has one sentence of them. */
function quoteOf(context: PageContext, shown: ShownArticle): Html {
  const { quote, languageCode } = shown.content;
  if (!quote) return nothing;
  const other = otherLanguageOf(quote.text, languageCode);
  const attributes = html` dir="auto"${other && within(languageCode, other)}`;
  const [block] = markdownBlocks(quote.text, { isCommitMessage: true });
  return pullQuote(context, shown, { said: block?.shown ?? nothing, attributes, other, from: quote.from });
}
