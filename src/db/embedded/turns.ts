/**
 * Who may use a session that there is only one of. Statements that stand alone follow each other without waiting; a
 * transaction has the session to itself while all other callers wait. After it come the statements that wait by then, so that
 * a single read waits for one transaction and not for all; then the next transaction.
 */
export class Turns {
  readonly #patienceMs: number;
  readonly #tooLate: () => Error;
  readonly #statements = new Set<() => void>();
  readonly #takers = new Set<() => void>();
  #isTaken = false;

  constructor(patienceMs: number, tooLate: () => Error) {
    this.#patienceMs = patienceMs;
    this.#tooLate = tooLate;
  }

  /** Begins some work when no transaction has the session to itself; rejects, without having begun, when that takes too long. */
  next<Result>(begin: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(begin, this.#statements);
  }

  /** Takes the session, for oneself alone. Returns how to give it back, once. */
  take(): Promise<() => void> {
    const begin = (): (() => void) => {
      this.#isTaken = true;
      return () => this.#giveBack();
    };
    return this.#inTurn(begin, this.#takers);
  }

  async #inTurn<Result>(begin: () => Result | Promise<Result>, waiting: Set<() => void>): Promise<Result> {
    if (!this.#isTaken) return begin();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const start = (): void => resolve(begin());
    waiting.add(start);
    const timer = setTimeout(() => {
      waiting.delete(start);
      reject(this.#tooLate());
    }, this.#patienceMs);
    return promise.finally(() => clearTimeout(timer));
  }

  #giveBack(): void {
    this.#isTaken = false;
    for (const start of this.#statements) start();
    this.#statements.clear();
    const [next] = this.#takers;
    if (!next) return;
    this.#takers.delete(next);
    next();
  }
}
