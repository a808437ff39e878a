import { type Html, html, nothing, prose } from '../html.ts';
import { articleLink } from '../links.ts';
import type { PageContext } from '../page-context.ts';
import { plainText } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

/** What search engines and link previews show of a page, at most. */
const longestDescription = 160;

export function descriptionOf({ content }: ShownArticle): string {
  const said = plainText(
    content.standfirst?.text ??
      content.quote?.text ??
      content.background[0]?.text ??
      content.aiGeneratedTitle,
  );
  return said.length <= longestDescription ? said : `${said.slice(0, longestDescription - 1).trimEnd()}…`;
}

/** Addresses of the article in each language, and what sharing shows: from the address that was set, and from no other. */
export function articleHead({ publicUrl, firstHost }: PageContext, shown: ShownArticle): Html {
  const { article, content, languages, isPrivate } = shown;
  if (isPrivate) return html`<meta name="robots" content="noindex">\n`;
  if (publicUrl === null) return nothing;
  const address = (language?: string) => `${publicUrl}${articleLink(article, firstHost, { language })}`;
  const canonical = address(content.languageCode);
  return html`<link rel="canonical" href="${canonical}">
${languages.map((code) => html`<link rel="alternate" hreflang="${code}" href="${address(code)}">\n`)}<link rel="alternate" hreflang="x-default" href="${address()}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Pullquote">
<meta property="og:title" content="${prose(plainText(content.aiGeneratedTitle))}">
<meta property="og:description" content="${prose(descriptionOf(shown))}">
<meta property="og:url" content="${canonical}">
<meta property="og:locale" content="${content.languageCode}">
`;
}
