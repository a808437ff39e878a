import type { Html } from './html.ts';

/**
 * The HTML of a page, in bytes: a thousand changed lines with their colours fit, it is made in 20 ms of the main thread, and
 * compressed in 10 ms of another. Strangers decide how long lines, names and lists are, and one character can become twelve bytes.
 */
export const mostPageBytes = 512 * 1024;

/** For what surrounds the parts that strangers make long. */
const frameBytes = 128 * 1024;

/** Of feeds: their markup is escaped once more, and readers fetch it often. */
export const mostFeedBytes = 192 * 1024;

/** What a page still has room for. Every part whose length or number strangers decide takes from it. */
export class Room {
  #left: number;
  #isUsedUp = false;

  constructor(bytes: number = mostPageBytes - frameBytes) {
    this.#left = bytes;
  }

  /** Whether something did not fit: what is made only to be left out costs as much as what is shown. */
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

  /** As many of the first items as fit. */
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
