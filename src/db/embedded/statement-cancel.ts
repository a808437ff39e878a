import type { PGlite } from '@electric-sql/pglite';

/** PostgreSQL looks at them wherever a statement can be ended: that there is something to look at, and what it is. */
const flags = ['_InterruptPending', '_QueryCancelPending'] as const;

/** Cancels the statement that PostgreSQL is in the middle of, as a server does on a cancel request. */
export class StatementCancel {
  readonly #module: PGlite['Module'];
  #isAsked = false;

  constructor({ Module }: PGlite) {
    this.#module = Module;
  }

  ask(): void {
    this.#isAsked = true;
    for (const flag of flags) this.#module.HEAPU8[this.#addressOf(flag)] = 1;
  }

  /** Whether the statement that has ended was cancelled. One that came to its end before leaves nothing to the next. */
  conclude(): boolean {
    if (!this.#isAsked) return false;
    this.#isAsked = false;
    const pending = this.#addressOf('_QueryCancelPending');
    const isCancelled = this.#module.HEAPU8[pending] === 0;
    this.#module.HEAPU8[pending] = 0;
    return isCancelled;
  }

  #addressOf(flag: (typeof flags)[number]): number {
    const address: unknown = Reflect.get(this.#module, flag);
    if (typeof address !== 'number') throw new Error(`This PGlite does not tell where ${flag} is.`);
    return address;
  }
}
