import type { IncomingMessage } from 'node:http';
import { preferredLanguages } from '../../domain/choose-language.ts';

/** Addresses at which there is a page, which speaks the language of whoever looks. */
const pageAddress = /^\/(?:$|\?|r\/)/;

/** What an answer for anybody is kept under: its address, and for a page the languages that it is wanted in. */
export function cacheKey({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  return pageAddress.test(url) ? `${url} ${preferredLanguages(headers['accept-language'])}` : url;
}
