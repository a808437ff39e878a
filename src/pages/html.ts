import { nameHidden, type Reading } from '../domain/text.ts';

/**
 * Markup that this module made. Nothing else can make one: a string is never markup, whatever stands in it, and the compiler
 * tells the two apart.
 */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }

  static ofProse(text: string): Html {
    return new Html(escapeText(text, 'prose'));
  }

  static of(parts: TemplateStringsArray, values: Shown[]): Html {
    let markup = parts[0] ?? '';
    for (const [index, value] of values.entries()) markup += show(value) + (parts[index + 1] ?? '');
    return new Html(markup);
  }
}

/** What can stand in a page: text and numbers as they are, markup of ours, and nothing. */
export type Shown = string | number | Html | readonly Shown[] | null | undefined | false;

/** Makes markup. Every value that is not markup itself is text, in content and in quoted attributes alike. */
export const html = (parts: TemplateStringsArray, ...values: Shown[]): Html => Html.of(parts, values);

/**
 * Words of people. Invisible characters are named in all that is shown; here those are not that make a word or an emoji what
 * it is.
 */
export const prose = (text: string): Html => Html.ofProse(text);

export const nothing: Html = html``;

function show(value: Shown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(show).join('');
  return escapeText(String(value));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string, reading: Reading = 'exact'): string {
  return nameHidden(
    text.replace(/[&<>"']/g, (one) => entities[one] ?? ''),
    reading,
  );
}
