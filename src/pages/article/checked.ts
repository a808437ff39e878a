import { writtenBy } from '../../domain/article-words.ts';
import { afterSentence } from '../../domain/text.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { text } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

const shownSkipped = 12;

const joined = (sentences: string[]): string =>
  sentences
    .map((one) => `${one}${afterSentence(one)}`)
    .join('')
    .trim();

/** One line on what was read and what wrote it, which opens to what was checked, what was not read, when and for what. */
export function checked({ words, ours }: PageContext, { content }: ShownArticle): Html {
  const { verification, coverage, writer, summaryGeneratedAt, headSha } = content;
  const [by = '', ...because] = writtenBy(words.inArticle, writer);
  return html`<details class="checked"${ours}><summary>${joined([words.inArticle.read(coverage), by])} <span class="link">${words.article.checked}</span></summary>
<p class="prose">${joined([words.inArticle.checked(verification), ...because])}</p>
${skipped(words, content.coverage)}
<p class="meta"><time datetime="${summaryGeneratedAt}">${words.checked.when(words.date(summaryGeneratedAt), headSha.slice(0, 10))}</time></p>
<p class="keys" hidden>${text(words.article.keys)}</p>
</details>`;
}

function skipped(
  { checked: said }: PageContext['words'],
  { skipped: listed, skippedTotal }: ShownArticle['content']['coverage'],
): Html {
  if (skippedTotal === 0) return nothing;
  const shown = listed.slice(0, shownSkipped);
  return html`<p class="meta">${said.skipped(skippedTotal)}</p><ul class="skipped">${shown.map(
    ({ fileName, reason }) => html`<li><bdi>${fileName}</bdi> <span>${reason}</span></li>`,
  )}${skippedTotal > shown.length && html`<li>${said.andMore(skippedTotal - shown.length)}</li>`}</ul>`;
}
