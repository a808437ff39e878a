import { standfirstMaxLength } from '../../contract/article.ts';
import { cardLink, cardSize } from '../card.ts';
import { type Html, html, prose } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { articleLink } from '../links.ts';
import { plainText } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

/** What search engines and link previews show of a page, at most: a standfirst is never cut. */
const longestDescription = standfirstMaxLength;

export function descriptionOf({ content }: ShownArticle): string {
  const said = plainText(
    content.standfirst?.text ??
      content.quote?.text ??
      content.background[0]?.text ??
      content.aiGeneratedTitle,
  );
  if (said.length <= longestDescription) return said;
  const cut = said.slice(0, longestDescription - 1);
  return `${cut.replace(/\s\S{0,30}$|[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** What sharing shows, and the addresses of the article in each language: from the address that was set, and from no other. */
export function articleHead({ publicUrl, firstHost }: PageContext, shown: ShownArticle): Html {
  const { article, content, languages, isPrivate } = shown;
  if (isPrivate) return html`<meta name="robots" content="noindex">\n`;
  const preview = html`<meta property="og:type" content="article">
<meta property="og:site_name" content="Pullquote">
<meta property="og:title" content="${prose(plainText(content.aiGeneratedTitle))}">
<meta property="og:description" content="${prose(descriptionOf(shown))}">
<meta property="og:locale" content="${content.languageCode}">
`;
  if (publicUrl === null) return preview;
  const address = (language?: string) => `${publicUrl}${articleLink(article, firstHost, { language })}`;
  const canonical = address(content.languageCode);
  return html`${preview}<link rel="canonical" href="${canonical}">
${languages.map((code) => html`<link rel="alternate" hreflang="${code}" href="${address(code)}">\n`)}<link rel="alternate" hreflang="x-default" href="${address()}">
<meta property="og:url" content="${canonical}">
<meta property="og:image" content="${publicUrl}${cardLink(shown)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${cardSize.width}">
<meta property="og:image:height" content="${cardSize.height}">
<meta name="twitter:card" content="summary_large_image">
`;
}
