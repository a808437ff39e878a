import type { IncomingMessage } from 'node:http';
import { preferredLanguages } from '../../domain/choose-language.ts';

/**
 * Addresses at which there is a page or a feed, which speak the viewer's language. The same page at an address that is spelt in
 * another way, such as `/%72/…`, is not kept.
 */
const pageAddress = /^\/(?:$|\?|r\/|a\/|feeds\/|repositories(?:$|\?))/;

export const isPageAddress = (url: string): boolean => pageAddress.test(url);

/** What an answer for anonymous viewers is cached under: its address, and for a page or feed the languages that it is wanted in. */
export function cacheKey({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  return isPageAddress(url) ? `${url} ${preferredLanguages(headers['accept-language'])}` : url;
}
