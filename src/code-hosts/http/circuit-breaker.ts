/** One call that fails may be an accident; this many in a row are not. */
const failuresToOpen = 3;

/** A call to a silent host within this time would only wait for nothing, too. */
const leftAloneMs = 30_000;

/** Remembers that a host does not answer, until it does or enough time has passed. Then the first failure opens it again. */
export class CircuitBreaker {
  readonly #clock: () => Date;
  #until = 0;
  /** How many calls have failed since the last one that was answered. */
  #failures = 0;
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
    if (this.#successes !== successesBefore) return;
    this.#failures += 1;
    if (this.#failures >= failuresToOpen) this.#until = this.#clock().getTime() + leftAloneMs;
  }

  recordSuccess(): void {
    this.#successes += 1;
    this.#failures = 0;
    this.#until = 0;
  }
}
