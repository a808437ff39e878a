/** A promise that is begun by the first caller and shared by all; after a failure, the next caller begins it anew. */
export class LazyPromise<Value> {
  readonly #begin: () => Promise<Value>;
  #begun: Promise<Value> | null = null;

  constructor(begin: () => Promise<Value>) {
    this.#begin = begin;
  }

  get(): Promise<Value> {
    this.#begun ??= this.#begin().catch((error) => {
      this.#begun = null;
      throw error;
    });
    return this.#begun;
  }

  /** What came of it; null where it was not begun, or failed. */
  async ifStarted(): Promise<Value | null> {
    return (await this.#begun?.catch(() => null)) ?? null;
  }
}
