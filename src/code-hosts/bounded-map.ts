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
