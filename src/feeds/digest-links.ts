import type { ArticleSummary } from '../contract/article.ts';
import { articleLink } from '../pages/links.ts';
import { isQuotedAlready } from '../pages/quotation.ts';
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
export function sentenceOf({ standfirst, quote }: ArticleSummary): string | null {
  if (standfirst !== null) return plainText(standfirst);
  const words = quote && plainText(quote.text);
  return words && (isQuotedAlready(words) ? words : `“${words}”`);
}
