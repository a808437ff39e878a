const lineBreak = 10;

/** Takes what comes in chunks by lines, by numbers of bytes, and up to a mark. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks;
  }

  /** Without its end; null where the end of everything comes first. */
  async takeLine(): Promise<string | null> {
    let end = this.#rest.indexOf(lineBreak);
    while (end < 0 && (await this.#more())) end = this.#rest.indexOf(lineBreak);
    if (end < 0) return null;
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  /** Null where the end comes first. */
  async take(count: number): Promise<Buffer | null> {
    const taken = [];
    let missing = count;
    while (missing > this.#rest.length) {
      taken.push(this.#rest);
      missing -= this.#rest.length;
      this.#rest = Buffer.alloc(0);
      if (!(await this.#more())) return null;
    }
    taken.push(this.#rest.subarray(0, missing));
    this.#rest = this.#rest.subarray(missing);
    return Buffer.concat(taken);
  }

  /** What comes before a mark, as it comes, and takes the mark away; false where the end comes first. */
  async *takeUntil(mark: Buffer): AsyncGenerator<Buffer, boolean> {
    for (;;) {
      const found = this.#rest.indexOf(mark);
      // The mark may have begun at the end of what is there.
      const certain = found >= 0 ? found : Math.max(0, this.#rest.length - mark.length + 1);
      if (certain > 0) {
        const chunk = this.#rest.subarray(0, certain);
        this.#rest = this.#rest.subarray(certain);
        yield chunk;
      }
      if (found >= 0) {
        this.#rest = this.#rest.subarray(mark.length);
        return true;
      }
      if (!(await this.#more())) return false;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (!done) this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return !done;
  }
}
