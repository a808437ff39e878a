/** A request within this time after one without an answer would only wait for nothing, too. */
const leftAloneMs = 30_000;

/** Remembers that a host did not answer, until it does or enough time has passed. */
export class CircuitBreaker {
  readonly #clock: () => Date;
  #until = 0;
  /** How many answers were heard. */
  #heard = 0;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  isKnown(): boolean {
    return this.#until > this.#clock().getTime();
  }

  get heard(): number {
    return this.#heard;
  }

  /** For a question that was asked after so many answers: a host that has answered other questions since is not silent. */
  begin(heardBefore: number): void {
    if (this.#heard === heardBefore) this.#until = this.#clock().getTime() + leftAloneMs;
  }

  end(): void {
    this.#heard += 1;
    this.#until = 0;
  }
}
