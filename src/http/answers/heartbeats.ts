/** Often enough that proxies do not take a connection for dead. */
const everySeconds = 15;

/**
 * One clock for all streams that are silent most of the time. Each second it is the turn of a fifteenth of them, so that
 * thousands cost little, and never much at once.
 */
export class Heartbeats {
  readonly #turns = Array.from({ length: everySeconds }, () => new Set<() => void>());
  #joined = 0;
  #alive = 0;
  #second = 0;
  #timer: NodeJS.Timeout | null = null;

  /** Calls back in every round until the returned function is called. */
  join(beat: () => void): () => void {
    const turn = this.#turns[this.#joined++ % everySeconds];
    turn?.add(beat);
    this.#alive += 1;
    this.#timer ??= setInterval(() => this.#tick(), 1_000).unref();
    return () => {
      if (!turn?.delete(beat)) return;
      this.#alive -= 1;
      if (this.#alive > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #tick(): void {
    for (const beat of this.#turns[this.#second++ % everySeconds] ?? []) beat();
  }
}
