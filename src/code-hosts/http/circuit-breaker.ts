/** A request within this time after one without an answer would only wait for nothing, too. */
const leftAloneMs = 30_000;

/** Remembers that a host did not answer, until it does or enough time has passed. */
export class CircuitBreaker {
  readonly #clock: () => Date;
  #until = 0;
  /** How many calls were answered. */
  #successes = 0;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  isOpen(): boolean {
    return this.#until > this.#clock().getTime();
  }

  get successes(): number {
    return this.#successes;
  }

  /** For a call that was made after so many answers: a host that has answered other calls since is not silent. */
  recordFailure(successesBefore: number): void {
    if (this.#successes === successesBefore) this.#until = this.#clock().getTime() + leftAloneMs;
  }

  recordSuccess(): void {
    this.#successes += 1;
    this.#until = 0;
  }
}
