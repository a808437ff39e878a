import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { evidence } from './evidence.ts';
import { sentences } from './sentences.ts';
import { pointItem, type ShownArticle } from './shown-article.ts';

/** What a reader should watch for, behind what changed; what has a name of its own stands above it. */
export function points(context: PageContext, shown: ShownArticle): Html {
  const { notablePoints } = shown.content;
  const listed = notablePoints.flatMap(({ categories, label }, index) => {
    if (label !== null) return [];
    const item = pointItem(shown.content, index);
    return [
      html`<li class="item beat" id="${item.id}"><div class="telling"><p class="category"${context.ours}>${categories.join(' ')}</p>
<p class="told">${sentences(context, shown, item.statements)}</p></div>
${evidence(context, shown, item)}</li>
`,
    ];
  });
  if (listed.length === 0) return nothing;
  return html`<section class="points"><h2${context.ours}>${context.words.article.watchFor}</h2>
<ul>${listed}</ul></section>`;
}
