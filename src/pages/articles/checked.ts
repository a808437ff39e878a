import { isRecorded, joinSentences, readingDetails, writtenBy } from '../../domain/article-words.ts';
import { type Html, html, nothing } from '../html.ts';
import { dated, layout, noIndex, type PageContext } from '../layout.ts';
import { articleLink } from '../links.ts';
import { repositoryName } from '../rows.ts';
import { plainText, said, within } from '../text.ts';
import { headline, type ShownArticle } from './shown-article.ts';

type Checked = Pick<ShownArticle, 'article' | 'content'>;

/** The last line of an article: what was read, and a link to how it was checked. */
export function footer(context: PageContext, { article, content }: Checked): Html {
  const { words, firstHost, ours } = context;
  const { coverage, writer, languageCode } = content;
  // An example says so at its beginning.
  const [by = ''] = isRecorded(writer) ? [] : writtenBy(words.inArticle, writer);
  const address = articleLink(article, firstHost, { language: languageCode }, '/checked');
  return html`<p class="checked"${ours}>${joinSentences([words.inArticle.read(coverage), by])} <a href="${address}" rel="nofollow">${words.article.checked}</a></p>`;
}

/** How an article was checked, with figures, what the checks can miss, and where to report mistakes. */
export function checkedPage(context: PageContext, { article, content }: Checked): Html {
  const { words, language, firstHost, contactUrl } = context;
  const { languageCode, coverage, verification, writer, summaryGeneratedAt, headSha } = content;
  const { checked } = words;
  const back = articleLink(article, firstHost, { language: languageCode });
  const [by = '', ...because] = writtenBy(words.inArticle, writer);
  const list = (lines: string[]): Html => html`<ul>${lines.map((line) => html`<li>${line}</li>\n`)}</ul>`;
  const title = `${words.article.checked}${words.inArticle.colon}${plainText(headline({ article, content }))}`;
  return layout(context, {
    title: `${title} · ${article.owner}/${article.repo}#${article.prNumber}`,
    description: words.article.checked,
    head: noIndex,
    main: html`<article class="article checking">
<header class="opening"><p class="meta">${repositoryName(context, article)} <a href="${back}">#${article.prNumber}</a> <span>${dated(context, checked.when(summaryGeneratedAt, headSha.slice(0, 10)))}</span></p>
<h1>${words.article.checked}</h1>
<p class="standfirst"><a href="${back}"${within(language, languageCode)}>${said(languageCode, headline({ article, content }))}</a></p></header>
<div class="text">
<section><p class="told">${joinSentences([words.inArticle.read(coverage), ...readingDetails(words.inArticle, coverage), by, ...because])}</p>
${skipped(context, coverage)}${lookedAt(coverage)}</section>
<section><h2>${checked.compared}</h2>
<p class="told">${checked.how[writer.kind]}</p>
${list(checked.figures(verification))}
<p class="told">${checked.quotations}</p></section>
<section><h2>${checked.limits}</h2>
${list([...checked.misses, ...(writer.kind === 'ai' ? checked.missesOfModels : [])])}</section>
<section><h2>${checked.mistake}</h2>
<p class="told">${contactUrl === null ? checked.tellOperator : html`<a href="${contactUrl}">${checked.report}</a>`}</p></section>
</div>
</article>`,
  });
}

function lookedAt({ lookedAt: listed = [] }: ShownArticle['content']['coverage']): Html {
  if (listed.length === 0) return nothing;
  const files = [...Map.groupBy(listed, ({ fileName }) => fileName)];
  return html`<ul class="skipped">${files.map(([fileName]) => html`<li><bdi>${fileName}</bdi></li>`)}</ul>`;
}

const shownSkipped = 12;

function skipped(
  { words: { checked } }: PageContext,
  { skipped: listed, skippedTotal }: ShownArticle['content']['coverage'],
): Html {
  if (skippedTotal === 0) return nothing;
  const shown = listed.slice(0, shownSkipped);
  return html`<p class="meta">${checked.skipped(skippedTotal)}</p><ul class="skipped">${shown.map(
    ({ fileName, reason }) => html`<li><bdi>${fileName}</bdi> <span>${reason}</span></li>`,
  )}${skippedTotal > shown.length && html`<li>${checked.andMore(skippedTotal - shown.length)}</li>`}</ul>`;
}
