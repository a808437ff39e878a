interface Waiting {
  begin: () => void;
}

/**
 * Who may use a session that there is only one of. Statements that stand alone follow each other without waiting; somebody
 * may have the session to themselves, and then all others wait, in the order in which they came.
 */
export class Turns {
  readonly #patienceMs: number;
  readonly #tooLate: () => Error;
  readonly #waiting: Waiting[] = [];
  #isTaken = false;

  constructor(patienceMs: number, tooLate: () => Error) {
    this.#patienceMs = patienceMs;
    this.#tooLate = tooLate;
  }

  /** Begins some work when nobody has the session to themselves; rejects, without having begun, when that takes too long. */
  async next<Result>(begin: () => Result | Promise<Result>): Promise<Result> {
    if (!this.#isTaken) return begin();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = { begin: () => resolve(begin()) };
    this.#waiting.push(waiting);
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      reject(this.#tooLate());
    }, this.#patienceMs);
    return promise.finally(() => clearTimeout(timer));
  }

  /** Takes the session, for oneself alone. Returns how to give it back, once. */
  take(): Promise<() => void> {
    return this.next(() => {
      this.#isTaken = true;
      return () => this.#giveBack();
    });
  }

  #giveBack(): void {
    this.#isTaken = false;
    while (!this.#isTaken) {
      const waiting = this.#waiting.shift();
      if (!waiting) return;
      waiting.begin();
    }
  }
}
