/** Whoever asks within this time of a question without an answer would only wait for nothing, too. */
const leftAloneMs = 30_000;

/** Remembers that a host did not answer, until it does or enough time has passed. */
export class Silence {
  readonly #clock: () => Date;
  #until = 0;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  isKnown(): boolean {
    return this.#until > this.#clock().getTime();
  }

  begin(): void {
    this.#until = this.#clock().getTime() + leftAloneMs;
  }

  end(): void {
    this.#until = 0;
  }
}
