import { writtenBy } from '../../domain/article-words.ts';
import { afterSentence } from '../../domain/join-sentences.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { text } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

const shownSkipped = 12;

/** How an article was checked: what was found, what was read, what was not and why, who wrote it, when and for what. */
export function checked({ words, ours }: PageContext, { content }: ShownArticle): Html {
  const { checked: said } = words;
  const { verification, coverage, writer, summaryGeneratedAt, headSha } = content;
  const sentences = [words.told.checked(verification), said.read(coverage), ...writtenBy(words.told, writer)];
  const { claims, verified, repaired } = verification;
  const found = verified + repaired;
  return html`<section class="checked"${ours}><h2>${words.article.checked}</h2>
<p class="prose">${sentences.map((one) => `${one}${afterSentence(one)}`)}</p>
${claims > 0 && html`<meter min="0" max="${claims}" value="${found}" aria-label="${said.meter}">${found}/${claims}</meter>`}
${skipped(words, content.coverage)}
<p class="meta"><time datetime="${summaryGeneratedAt}">${said.when(words.date(summaryGeneratedAt), headSha.slice(0, 10))}</time></p>
<p class="keys" hidden>${text(words.article.keys)}</p>
</section>`;
}

function skipped(
  { checked: said }: PageContext['words'],
  { skipped: listed, skippedTotal }: ShownArticle['content']['coverage'],
): Html {
  if (skippedTotal === 0) return nothing;
  const shown = listed.slice(0, shownSkipped);
  return html`<details class="skipped"><summary>${said.skipped(skippedTotal)}</summary><ul>${shown.map(
    ({ fileName, reason }) => html`<li><bdi>${fileName}</bdi> <span>${reason}</span></li>`,
  )}${skippedTotal > shown.length && html`<li>${said.andMore(skippedTotal - shown.length)}</li>`}</ul></details>`;
}
