import { type Html, html } from './html.ts';
import { languageName } from './words/words.ts';

/** Languages to choose from, each by its own name; the chosen one is among them whether it can be had or not. */
export const languageOptions = (codes: string[], chosen: string): Html =>
  html`${[...new Set([...codes, chosen])].map(
    (code) =>
      html`<option value="${code}" lang="${code}"${code === chosen && html` selected`}>${languageName(code)}</option>`,
  )}`;
