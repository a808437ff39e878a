import type { ArticleContent } from '../../contract/article.ts';
import { articleRow, typeLabels } from '../article-row.ts';
import { changeMap } from '../change-map/change-map.ts';
import { fileName } from '../file-name.ts';
import { type Html, html, nothing } from '../html.ts';
import { layout } from '../layout.ts';
import type { PageContext } from '../page-context.ts';
import { plainText, text } from '../text.ts';
import { checked } from './checked.ts';
import { evidence } from './evidence.ts';
import { articleHead, descriptionOf } from './head.ts';
import { opening } from './opening.ts';
import { paragraphs, sentences } from './sentences.ts';
import type { ShownArticle } from './shown-article.ts';

/** The page of an article. */
export function articlePage(context: PageContext, shown: ShownArticle): Html {
  const { article, content, change } = shown;
  return layout(context, {
    title: `${plainText(content.aiGeneratedTitle)} · ${article.owner}/${article.repo}#${article.prNumber}`,
    description: descriptionOf(shown),
    head: articleHead(context, shown),
    scripts: ['sentences.js', ...(context.viewer?.language ? ['like.js', 'write.js'] : [])],
    styles: context.viewer?.language ? ['doing.css'] : [],
    main: html`<article class="article" lang="${content.languageCode}">
${opening(context, shown)}
${pullQuote(context, shown)}
${change && changeMap(context, change.files, changeNumbers(content))}
${background(context, shown)}
${changes(context, shown)}
${points(context, shown)}
${checked(context, shown)}
${more(context, shown)}
</article>`,
  });
}

/** Where an article tells of a file. */
function changeNumbers({ mainChanges }: ArticleContent): (fileName: string) => string | null {
  const numbers = new Map<string, string>();
  for (const [index, change] of mainChanges.entries()) {
    const target = `#change-${index + 1}`;
    for (const name of [change.fileName, ...change.evidence.map((one) => one.fileName)])
      if (name === change.fileName || !numbers.has(name)) numbers.set(name, target);
  }
  return (name) => numbers.get(name) ?? null;
}

function pullQuote({ words }: PageContext, { article, content }: ShownArticle): Html {
  const { quote } = content;
  if (!quote) return nothing;
  const where = words.told.quotedFrom[quote.from];
  return html`<figure class="quote"><blockquote><p><bdi>${text(quote.text)}</bdi></p></blockquote>
<figcaption class="meta"><bdi>${article.authorLogin}</bdi>${where}</figcaption></figure>`;
}

function background(context: PageContext, shown: ShownArticle): Html {
  const { background: statements } = shown.content;
  if (statements.length === 0) return nothing;
  return html`<section class="why" id="why"><h2>${context.words.article.why}</h2>
<div class="item"><div>${paragraphs(context, statements)}</div>${evidence(context, shown, { id: 'why', statements })}</div></section>`;
}

function changes(context: PageContext, shown: ShownArticle): Html {
  const { mainChanges } = shown.content;
  if (mainChanges.length === 0) return nothing;
  return html`<section class="changes"><h2>${context.words.article.whatChanged}</h2>
<ol>${mainChanges.map(({ fileName: file, changeTypes, statements }, index) => {
    const id = `change-${index + 1}`;
    return html`<li class="item" id="${id}"><h3><span class="number">${index + 1}</span>${typeLabels(changeTypes)}${fileName(file)}</h3>
${sentences(context, statements)}
${evidence(context, shown, { id, statements })}</li>
`;
  })}</ol></section>`;
}

function points(context: PageContext, shown: ShownArticle): Html {
  const { notablePoints } = shown.content;
  if (notablePoints.length === 0) return nothing;
  return html`<section class="points"><h2>${context.words.article.worthNoting}</h2>
<ul>${notablePoints.map(({ categories, statements }, index) => {
    const id = `point-${index + 1}`;
    return html`<li class="item" id="${id}"><p class="category">${categories.join(' ')}</p>
${sentences(context, statements)}
${evidence(context, shown, { id, statements })}</li>
`;
  })}</ul></section>`;
}

function more(context: PageContext, { article, more: others }: ShownArticle): Html {
  if (others.length === 0) return nothing;
  return html`<section class="more"><h2>${context.words.article.more(`${article.owner}/${article.repo}`)}</h2>
<ul class="rows">${others.map((other) => articleRow(context, other))}</ul></section>`;
}
