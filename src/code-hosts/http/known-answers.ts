/** An answer that a host may say is still right. */
export interface KnownAnswer {
  tag: string;
  /** Something that JSON can say. */
  data: object;
  headers: Record<string, string | undefined>;
}

/** What is kept to be asked about again, so that unchanged answers cost neither side anything. Bounded by its size. */
export class KnownAnswers {
  readonly #mostBytes: number;
  readonly #answers = new Map<string, { answer: KnownAnswer; bytes: number }>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  find(key: string): KnownAnswer | null {
    const known = this.#answers.get(key);
    if (!known) return null;
    this.#answers.delete(key);
    this.#answers.set(key, known);
    return known.answer;
  }

  keep(key: string, answer: KnownAnswer): void {
    this.#forget(key);
    const bytes = JSON.stringify(answer.data).length + key.length;
    if (bytes > this.#mostBytes) return;
    this.#answers.set(key, { answer, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#answers.get(key)?.bytes ?? 0;
    this.#answers.delete(key);
  }
}
