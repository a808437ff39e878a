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

interface CachedResponse<Value> {
  pending: Promise<Value>;
  until: number;
  response?: Value;
}

/** Caches responses for some time. Concurrent callers share one call. */
export function cacheResponses<Value>(clock: () => Date, { ms = cachedMs, most = mostCached } = {}) {
  const responses = new BoundedMap<CachedResponse<Value>>(most);
  return {
    cached(key: string, ask: () => Promise<Value>): Promise<Value> {
      const known = responses.get(key);
      if (known && known.until > clock().getTime()) return known.pending;
      const entry: CachedResponse<Value> = { pending: ask(), until: clock().getTime() + ms };
      responses.set(key, entry);
      entry.pending.then(
        (response) => {
          entry.response = response;
        },
        // Failures are not cached, so the next caller tries again.
        () => {
          if (responses.get(key) === entry) responses.delete(key);
        },
      );
      return entry.pending;
    },
    forget(matches: (response: Value) => boolean): void {
      for (const [key, entry] of [...responses.entries()])
        if (!('response' in entry) || matches(entry.response as Value)) responses.delete(key);
    },
  };
}
