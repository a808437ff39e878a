/** Often enough that proxies do not take a connection for dead. */
const usualRoundMs = 15_000;

/** A round has so many turns. */
const turns = 15;

/**
 * One clock for all streams that are silent most of the time. It is the turn of a fifteenth of them at a time, so that
 * thousands cost little, and never much at once.
 */
export class Heartbeats {
  readonly #turns = Array.from({ length: turns }, () => new Set<() => void>());
  readonly #roundMs: number;
  #joined = 0;
  #alive = 0;
  #turn = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(roundMs = usualRoundMs) {
    this.#roundMs = roundMs;
  }

  /** Calls back in every round until the returned function is called. */
  join(beat: () => void): () => void {
    const turn = this.#turns[this.#joined++ % turns];
    turn?.add(beat);
    this.#alive += 1;
    this.#timer ??= setInterval(() => this.#tick(), this.#roundMs / turns).unref();
    return () => {
      if (!turn?.delete(beat)) return;
      this.#alive -= 1;
      if (this.#alive > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #tick(): void {
    for (const beat of this.#turns[this.#turn++ % turns] ?? []) beat();
  }
}
