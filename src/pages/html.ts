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

// Control characters, half of a pair of which the other half is missing, and what turns the direction of the text around it.
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** Characters that nobody sees, but that change what is seen, are named where they stand. */
const nameCharacter = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (one) => entities[one] ?? '').replace(unprintable, nameCharacter);
}
