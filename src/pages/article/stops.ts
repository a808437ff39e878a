import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { evidence } from './evidence.ts';
import { excerptFigure, isWide } from './excerpt.ts';
import { sentences } from './sentences.ts';
import { beatsOfChange, type Item, type ShownArticle } from './shown-article.ts';

/** What changed, stop by stop: sentences, the lines they speak of, and in the margin what else bears them out. */
export function stops(context: PageContext, shown: ShownArticle): Html {
  const { mainChanges } = shown.content;
  if (mainChanges.length === 0) return nothing;
  return html`<section class="changes${isWide(shown) && ' wide'}"><h2${context.ours}>${context.words.article.whatChanged}</h2>
<ol>${mainChanges.map(
    (_, index) => html`<li class="stop item" id="change-${index + 1}">${beatsOfChange(
      shown.content,
      index,
    ).map((item, place) => beat(context, shown, { item, index, isFirst: place === 0 }))}</li>
`,
  )}</ol></section>`;
}

interface Told {
  item: Item;
  /** Which change it is of. */
  index: number;
  isFirst: boolean;
}

function beat(context: PageContext, shown: ShownArticle, { item, index, isFirst }: Told): Html {
  const { mainChanges } = shown.content;
  const areOfSeveralTypes = new Set(mainChanges.map(({ changeTypes }) => changeTypes[0])).size > 1;
  const type = (areOfSeveralTypes && mainChanges[index]?.changeTypes[0]) || null;
  return html`<div class="beat"><p class="told">${isFirst && html`<span class="number">${index + 1}</span> `}${sentences(context, shown, item.statements)}</p>
${item.excerpts.map((excerpt) => excerptFigure(context, shown, excerpt, { statements: item.statements, type }))}
${evidence(context, shown, item)}</div>`;
}
