import type { ArticleContent } from '../../contract/article.ts';
import { type PointLabel, pointLabels } from '../../domain/article.ts';
import { fileName } from '../file-name.ts';
import { type Html, html, nothing } from '../html.ts';
import { webAddress } from '../links.ts';
import type { PageContext } from '../page-context.ts';
import { linesOfPlace } from './evidence.ts';
import { sentences } from './sentences.ts';
import type { ShownArticle } from './shown-article.ts';

type Point = ArticleContent['notablePoints'][number] & { number: number };

/** What nobody should miss, above the changes: one bar for all points of a kind. */
export function callouts(context: PageContext, shown: ShownArticle): Html {
  const points: Point[] = shown.content.notablePoints.map((point, index) => ({
    ...point,
    number: index + 1,
  }));
  const drawn = pointLabels.flatMap((label) => {
    const own = points.filter((point) => point.label === label);
    return own.length > 0 ? [callout(context, shown, { label, points: own })] : [];
  });
  return drawn.length === 0
    ? nothing
    : html`<aside class="callouts" aria-label="${context.words.article.callouts}">${drawn}</aside>`;
}

function callout(
  context: PageContext,
  shown: ShownArticle,
  { label, points }: { label: PointLabel; points: Point[] },
): Html {
  const sources = points.flatMap((point) => sourcesOf(context, shown, point));
  const once = new Map(sources.map((source) => [String(source), source]));
  return html`<div class="callout ${label}"><p class="source"${context.ours}><b>${context.words.told.labels[label]}</b> ${[...once.values()]}</p>
${points.map(
  ({ number, statements }) =>
    html`<div id="point-${number}">${statements.map((one) => html`<p class="told">${sentences(context, shown, [one])}</p>`)}</div>`,
)}</div>`;
}

/** Where it stands: the lines of the diff, or else what of the author's is quoted. */
function sourcesOf({ words }: PageContext, { article }: ShownArticle, { statements }: Point): Html[] {
  return statements.flatMap(({ source, evidence }) => {
    const lines = evidence.map((one) => {
      const place = html`${fileName(one.fileName)} ${linesOfPlace(one)}`;
      const address = webAddress(one.hostUrl);
      return address
        ? html`<a href="${address}" rel="noreferrer">${place}</a> `
        : html`<span>${place}</span> `;
    });
    if (lines.length > 0 || !source) return lines;
    return [html`<span><bdi>${article.authorLogin}</bdi>${words.told.quotedFrom[source]}</span> `];
  });
}
