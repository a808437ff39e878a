import { type Html, html } from '../html.ts';
import { layout, type PageContext } from '../layout.ts';
import { articleLink } from '../links.ts';
import { plainText, said } from '../text.ts';
import type { CodeGap, CodeLine } from './cited-code.ts';
import { codeFigure } from './hunk.ts';
import type { ShownArticle } from './shown-article.ts';

/** Lines beside a hunk, and what lies beyond them. */
interface ShownLines {
  file: string;
  lines: CodeLine[];
  beyond: CodeGap | null;
  indent: string | null;
}

/** Lines beside a hunk, as a page of their own; where there are scripts, the article takes them from it. */
export function linesPage(
  context: PageContext,
  shown: Pick<ShownArticle, 'article' | 'content' | 'change'>,
  { file, lines, beyond, indent }: ShownLines,
): Html {
  const { article, content } = shown;
  const isAbove = beyond?.beside?.direction === 'above';
  const rest = beyond ? [beyond] : [];
  const code = isAbove ? [...rest, ...lines] : [...lines, ...rest];
  const lying = { file, heading: null, statements: [], address: null };
  const figure = codeFigure(context, shown, { ...lying, code, indent });
  const back = articleLink(article, context.firstHost, { language: content.languageCode });
  return layout(context, {
    title: `${file} · ${plainText(content.aiGeneratedTitle)}`,
    head: html`<meta name="robots" content="noindex">\n`,
    scripts: ['lines.js'],
    main: html`<div class="article beside"><h1>${said(content.languageCode, content.aiGeneratedTitle)}</h1>
<p class="meta"><a href="${back}">${context.words.article.backToArticle}</a></p>
${figure}</div>`,
  });
}
