import type { ArticleSummary } from '../contract/article.ts';
import { articleLink } from '../pages/links.ts';
import { plainText } from '../pages/text.ts';

/** Where links of what leaves the service lead. */
export interface LinkRoot {
  publicUrl: string;
  /** The code host that is meant where none is named. */
  firstHost: string;
}

export const absoluteLink = (
  { publicUrl, firstHost }: LinkRoot,
  { languageCode, ...article }: ArticleSummary,
): string => publicUrl + articleLink(article, firstHost, { language: languageCode });

/** What changes for whom; where that is not said, the author's own sentence. */
export const sentenceOf = ({ standfirst, quote }: ArticleSummary): string | null =>
  standfirst !== null ? plainText(standfirst) : quote && `“${plainText(quote.text)}”`;
