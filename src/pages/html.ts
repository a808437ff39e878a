import { nameHidden, type Reading } from '../domain/text.ts';

/** Markup that this module made. A string is never markup, and the compiler tells the two apart. */
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

export type Shown = string | number | Html | readonly Shown[] | null | undefined | false;

/** Escapes every value that is not markup, in content and in quoted attributes alike. */
export const html = (parts: TemplateStringsArray, ...values: Shown[]): Html => Html.of(parts, values);

/** Text of people, in which joiners of words and emoji stay. All other invisible characters are named. */
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
