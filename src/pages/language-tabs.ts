import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { interfaceLanguages, languageName } from './words/words.ts';

/** The languages in which a list is to be had, and all of them together; the one that it is in, or null for all, is marked. */
export function languageTabs(
  { words }: PageContext,
  current: string | null,
  addressIn: (asked: string) => string,
): Html {
  const codes = new Set<string>([...interfaceLanguages, ...(current === null ? [] : [current])]);
  const link = (asked: string, isCurrent: boolean, word: string, code?: string): Html =>
    html`<a href="${addressIn(asked)}"${isCurrent && html` aria-current="true"`}${code && html` lang="${code}" hreflang="${code}"`}>${word}</a> `;
  return html`<nav class="languages" aria-label="${words.settings.language}">${[...codes].map((code) =>
    link(code, code === current, languageName(code), code),
  )}${link('all', current === null, words.home.allLanguages)}</nav>`;
}
