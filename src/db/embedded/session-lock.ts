/**
 * A lock on the only session that there is. Statements that stand alone follow each other without waiting; a
 * transaction has the session to itself while all other callers wait. After it come the statements that wait by then, so that
 * a single read waits for one transaction and not for all; then the next transaction.
 */
export class SessionLock {
  readonly #patienceMs: number;
  readonly #tooLate: () => Error;
  readonly #statements = new Set<() => void>();
  readonly #transactions = new Set<() => void>();
  #isTaken = false;

  constructor(patienceMs: number, tooLate: () => Error) {
    this.#patienceMs = patienceMs;
    this.#tooLate = tooLate;
  }

  /** Whether a transaction has the session, and how many callers wait for their turn. */
  get load(): { inUse: number; waiting: number } {
    return { inUse: this.#isTaken ? 1 : 0, waiting: this.#statements.size + this.#transactions.size };
  }

  /** Begins some work when no transaction has the session to itself; rejects, without having begun, when that takes too long. */
  whenFree<Result>(begin: () => Promise<Result>): Promise<Result> {
    return this.#whenUnlocked(begin, this.#statements);
  }

  /** Takes the session for one transaction alone. Returns how to release it, once. */
  acquire(): Promise<() => void> {
    const begin = (): (() => void) => {
      this.#isTaken = true;
      return () => this.#release();
    };
    return this.#whenUnlocked(begin, this.#transactions);
  }

  async #whenUnlocked<Result>(
    begin: () => Result | Promise<Result>,
    waiting: Set<() => void>,
  ): Promise<Result> {
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

  #release(): void {
    this.#isTaken = false;
    for (const start of this.#statements) start();
    this.#statements.clear();
    const [next] = this.#transactions;
    if (!next) return;
    this.#transactions.delete(next);
    next();
  }
}
