import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { said } from '../text.ts';
import { evidence } from './evidence.ts';
import { hunkFigure } from './hunk.ts';
import { risks } from './risks.ts';
import { paragraphs } from './sentences.ts';
import { changeItem, type ShownArticle } from './shown-article.ts';

/** What changed: sections of a model with its risks after the first, or hunks below one heading. */
export function changes(context: PageContext, shown: ShownArticle): Html {
  const { mainChanges, writer } = shown.content;
  if (mainChanges.length === 0) return nothing;
  const isByModel = writer.kind === 'ai';
  const sections = mainChanges.map((_, index) => change(context, shown, index));
  const [first, ...rest] = sections;
  return html`<section class="changes">${!isByModel && html`<h2${context.ours}>${context.words.inArticle.change}</h2>`}
${isByModel ? html`${first}${risks(context, shown)}${rest}` : sections}</section>`;
}

function change(context: PageContext, shown: ShownArticle, index: number): Html {
  const { heading, hunk } = shown.content.mainChanges[index] ?? { heading: null, hunk: null };
  const item = changeItem(shown.content, index);
  return html`<div class="stop item beat" id="${item.id}">${heading !== null && html`<h2 class="statement">${said(shown.content.languageCode, heading)}</h2>\n`}${
    item.statements.length > 0 &&
    html`<div class="telling">${paragraphs(context, shown, item.statements)}</div>\n`
  }${hunk && hunkFigure(context, shown, hunk, shown.content.mainChanges[index])}
${evidence(context, shown, item)}</div>
`;
}
