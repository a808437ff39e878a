import { nameHidden, type Reading } from '../domain/text.ts';

/** Markup made by this module. Strings are never markup, which the compiler checks. */
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

  /** A style sheet from `web`, which contains no markup. */
  static ofStyles(sheet: string): Html {
    return new Html(sheet.replaceAll('</', ''));
  }

  /** The same with links to this service under another origin, or as plain text. Values contain no quotation marks. */
  linkedTo(origin: string | null): Html {
    const found = / href="(\/[^"]*)"/g;
    const to = origin === null ? '' : html` href="${origin}`.toString();
    return new Html(this.#markup.replace(found, (_, path) => (origin === null ? '' : `${to}${path}"`)));
  }

  static of(parts: TemplateStringsArray, values: Shown[]): Html {
    let markup = parts[0] ?? '';
    for (const [index, value] of values.entries()) markup += showValue(value) + (parts[index + 1] ?? '');
    return new Html(markup);
  }
}

export type Shown = string | number | Html | readonly Shown[] | null | undefined | false;

/** Escapes every value that is not markup, in content and in quoted attributes. */
export const html = (parts: TemplateStringsArray, ...values: Shown[]): Html => Html.of(parts, values);

/** Text of other people. Joiners in words and emoji stay, and all other invisible characters are named. */
export const prose = (text: string): Html => Html.ofProse(text);

export const nothing: Html = html``;

function showValue(value: Shown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(showValue).join('');
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

/**
 * The limit for the HTML of a page in bytes: enough for a thousand highlighted lines, made in 20 ms of the main thread
 * and compressed in 10 ms of another. Strangers choose the length of lines, names and lists, and one character can
 * become twelve bytes.
 */
export const mostPageBytes = 512 * 1024;

/** The bytes of a page reserved for the parts whose length strangers cannot choose. */
const frameBytes = 128 * 1024;

/** The limit for feeds, which is lower because their markup is escaped again and readers fetch them often. */
export const mostFeedBytes = 192 * 1024;

/** The remaining space of a page. Every part whose length or number strangers choose takes from it. */
export class Room {
  #left: number;
  #isUsedUp = false;

  constructor(bytes: number = mostPageBytes - frameBytes) {
    this.#left = bytes;
  }

  /** Whether something did not fit, so that further parts need not be made at all. */
  get isUsedUp(): boolean {
    return this.#isUsedUp;
  }

  take(part: Html): boolean {
    const bytes = Buffer.byteLength(part.toString());
    this.#isUsedUp ||= bytes > this.#left;
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  fit<Item>(items: readonly Item[], show: (item: Item, index: number) => Html): Html[] {
    const shown: Html[] = [];
    for (const [index, item] of items.entries()) {
      const part = show(item, index);
      if (!this.take(part)) break;
      shown.push(part);
    }
    return shown;
  }
}
