export class BoundedMap<Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value, key: string) => number;
  readonly #entries = new Map<string, { value: Value; size: number }>();
  #size = 0;

  constructor(most: number, sizeOf: (value: Value, key: string) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value): void {
    this.delete(key);
    const size = this.#sizeOf(value, key);
    if (size > this.#most) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#most) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  *entries(): Generator<[string, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }
}

const cachedMs = 5 * 60 * 1000;
const mostCached = 10_000;

interface CachedAnswer<Answer> {
  pending: Promise<Answer>;
  until: number;
  answer?: Answer;
}

/** Answers that hold for some time. Concurrent callers share one. */
export function cacheAnswers<Answer>(clock: () => Date, { ms = cachedMs, most = mostCached } = {}) {
  const answers = new BoundedMap<CachedAnswer<Answer>>(most);
  return {
    cached(key: string, ask: () => Promise<Answer>): Promise<Answer> {
      const known = answers.get(key);
      if (known && known.until > clock().getTime()) return known.pending;
      const entry: CachedAnswer<Answer> = { pending: ask(), until: clock().getTime() + ms };
      answers.set(key, entry);
      entry.pending.then(
        (answer) => {
          entry.answer = answer;
        },
        // Failures are not cached: the next caller tries again.
        () => {
          if (answers.get(key) === entry) answers.delete(key);
        },
      );
      return entry.pending;
    },
    forget(matches: (answer: Answer) => boolean): void {
      for (const [key, entry] of [...answers.entries()])
        if (!('answer' in entry) || matches(entry.answer as Answer)) answers.delete(key);
    },
  };
}
