import type { AlsoChanged } from '../../contract/article-parts.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { webAddress } from '../links.ts';
import { fileName, text } from '../text.ts';
import { evidence } from './evidence.ts';
import { sentences } from './sentences.ts';
import { alsoItem, type ShownArticle } from './shown-article.ts';

/** What became of tests: new cases by name, then what else changed in them. */
export function tests(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const changed = shown.content.tests;
  if (!changed || changed.addedTotal + changed.statements.length === 0) return nothing;
  const { added, addedTotal, statements } = changed;
  const names = added.map((name) => `\`\` ${name.replace(/`{2,}/g, '`')} \`\``);
  return html`<section class="tests" id="tests"><h2${ours}>${words.inArticle.tests}</h2>
${addedTotal > 0 && html`<p class="told">${text(words.inArticle.newTests(names, addedTotal - added.length))}</p>\n`}${statements.map(
  (one) => html`<p class="told">${sentences(context, shown, [one])}</p>\n`,
)}</section>`;
}

/** What the rest of the article does not mention: a sentence by a model, or a line for each edit. */
export function also(context: PageContext, shown: ShownArticle): Html {
  const { content } = shown;
  if (content.also.length === 0) return nothing;
  const item = alsoItem(content);
  const lines = item.statements.map((one) => sentences(context, shown, [one]));
  const told =
    lines.length === 1
      ? html`<p class="told">${lines}</p>`
      : html`<ul>${lines.map((line) => html`<li>${line}</li>\n`)}</ul>`;
  const heading = html`<h2${context.ours}>${context.words.inArticle.also}</h2>`;
  if (item.statements.length > 0)
    return html`<section class="also">${heading}
<div class="item beat"><div class="telling">${told}</div>${evidence(context, shown, item)}</div></section>`;
  return html`<section class="also">${heading}
<ul>${content.also.map((row) => html`<li>${sentences(context, shown, [row.statement])}${onlyFile(context, row)}</li>\n`)}</ul></section>`;
}

/** The only file of a row, which leads to its lines on the host; without a link, only if the sentence does not name it. */
function onlyFile({ ours }: PageContext, { statement, files: [only = ''], filesTotal }: AlsoChanged): Html {
  const address = webAddress(statement.evidence.find((one) => one.fileName === only)?.hostUrl ?? null);
  if (filesTotal !== 1 || (!address && statement.text.includes(only))) return nothing;
  const name = fileName(only);
  return html` <span class="where"${ours}>${address ? html`<a href="${address}" rel="noreferrer">${name}</a>` : name}</span>`;
}
