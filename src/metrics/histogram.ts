interface Described {
  name: string;
  help: string;
  labels: readonly string[];
  /** Upper bounds in seconds, ascending. */
  bounds: readonly number[];
}

/** Durations under one combination of labels. */
export class Series {
  readonly #bounds: readonly number[];
  /** How many fell into each bucket alone; the last is for those above all bounds. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(seconds: number, times = 1): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + times;
    this.sum += seconds * times;
  }
}

/**
 * Durations by labels. That of the client library checks and hashes labels for every value, which takes longer than a hundredth
 * of what an answer from memory does; here a series can be kept by those who use it often.
 */
export class Histogram {
  readonly #described: Described;
  readonly #series = new Map<string, { values: readonly string[]; series: Series }>();

  constructor(described: Described) {
    this.#described = described;
  }

  /** Values are given in the order of the labels. */
  series(values: readonly string[]): Series {
    const key = values.join(' ');
    const known = this.#series.get(key);
    if (known) return known.series;
    const series = new Series(this.#described.bounds);
    this.#series.set(key, { values, series });
    return series;
  }

  text(): string {
    const { name, help } = this.#described;
    const lines = [...this.#series.values()].flatMap(({ values, series }) => this.#linesOf(values, series));
    return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
  }

  #linesOf(values: readonly string[], { counts, sum }: Series): string[] {
    const { name, labels, bounds } = this.#described;
    const own = labels.map((label, index) => `${label}="${escaped(values[index] ?? '')}"`);
    let below = 0;
    const buckets = [...bounds.map(String), '+Inf'].map((bound, index) => {
      below += counts[index] ?? 0;
      return `${name}_bucket{${[...own, `le="${bound}"`].join()}} ${below}`;
    });
    const suffix = own.length > 0 ? `{${own.join()}}` : '';
    return [...buckets, `${name}_sum${suffix} ${sum}`, `${name}_count${suffix} ${below}`];
  }
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
