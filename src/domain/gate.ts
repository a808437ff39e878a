interface Waiting {
  line: string;
  admit: () => void;
}

/**
 * Lets a few in at a time, the others in the order in which they came. Everybody comes in a line, and no line gets all
 * the places, so that one in which nothing moves does not keep the others out.
 */
export class Gate {
  readonly #places: number;
  readonly #placesOfOneLine: number;
  readonly #insideByLine = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #inside = 0;

  constructor(places: number, placesOfOneLine: number) {
    this.#places = places;
    this.#placesOfOneLine = placesOfOneLine;
  }

  /** Waits for a place, which is left by calling what is returned. Rejects with the signal's reason when it is aborted before. */
  async enter(line: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#hasPlace(line)) this.#take(line);
    else await this.#turn(line, signal);
    let isInside = true;
    return () => {
      if (isInside) this.#leave(line);
      isInside = false;
    };
  }

  #hasPlace(line: string): boolean {
    return this.#inside < this.#places && (this.#insideByLine.get(line) ?? 0) < this.#placesOfOneLine;
  }

  #take(line: string): void {
    this.#inside += 1;
    this.#insideByLine.set(line, (this.#insideByLine.get(line) ?? 0) + 1);
  }

  async #turn(line: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { line, admit: resolve };
    const giveUp = () => {
      this.#waiting.delete(waiting);
      reject(signal.reason);
    };
    this.#waiting.add(waiting);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  #leave(line: string): void {
    this.#inside -= 1;
    const left = (this.#insideByLine.get(line) ?? 0) - 1;
    if (left > 0) this.#insideByLine.set(line, left);
    else this.#insideByLine.delete(line);
    for (const waiting of this.#waiting) {
      if (!this.#hasPlace(waiting.line)) continue;
      this.#waiting.delete(waiting);
      this.#take(waiting.line);
      waiting.admit();
    }
  }
}
