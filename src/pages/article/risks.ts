import type { ArticleContent } from '../../contract/article.ts';
import { risksOf } from '../../domain/article.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { webAddress } from '../links.ts';
import { fileName } from '../text.ts';
import { linesOfPlace } from './evidence.ts';
import { sentences } from './sentences.ts';
import type { ShownArticle } from './shown-article.ts';

/** What nobody should miss: one quiet box for each point, its label first. */
export function risks(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const boxes = risksOf(shown.content).map(
    ({ point, index }) =>
      html`<div class="risk${point.label && ` ${point.label}`}" id="point-${index + 1}"><p class="told"><b${ours}>${point.label ? words.inArticle.labels[point.label] : words.inArticle.risk}</b>${words.inArticle.afterLabel}${sentences(context, shown, point.statements)}</p>
<p class="source"${ours}>${sourcesOf(context, shown, point)}</p></div>
`,
  );
  return boxes.length === 0
    ? nothing
    : html`<aside class="risks" aria-label="${words.article.callouts}">${boxes}</aside>`;
}

/** Where it can be seen: the lines of the diff, or else where the author wrote it. */
function sourcesOf(
  { words }: PageContext,
  { article }: ShownArticle,
  { statements }: ArticleContent['notablePoints'][number],
): Html[] {
  const sources = statements.flatMap(({ source, evidence }) => {
    const lines = evidence.map((one) => {
      const place = html`${fileName(one.fileName)} ${linesOfPlace(words, one)}`;
      const address = webAddress(one.hostUrl);
      return address
        ? html`<a href="${address}" rel="noreferrer">${place}</a> `
        : html`<span>${place}</span> `;
    });
    if (lines.length > 0 || !source) return lines;
    return [html`<span><bdi>${article.authorLogin}</bdi>${words.inArticle.quotedFrom[source]}</span> `];
  });
  return [...new Map(sources.map((source) => [String(source), source])).values()];
}
