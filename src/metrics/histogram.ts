interface Described {
  name: string;
  help: string;
  labels: readonly string[];
  /** Upper bounds in seconds, ascending. */
  bounds: readonly number[];
}

interface Series {
  values: readonly string[];
  /** How many fell into each bucket alone; the last is for those above all bounds. */
  counts: number[];
  sum: number;
}

/**
 * Durations by labels. That of the client library checks and hashes labels for every value, which takes longer than a hundredth
 * of what an answer from memory does.
 */
export class Histogram {
  readonly #described: Described;
  readonly #series = new Map<string, Series>();

  constructor(described: Described) {
    this.#described = described;
  }

  /** Values are given in the order of the labels. */
  observe(seconds: number, values: readonly string[] = []): void {
    const { bounds } = this.#described;
    const series = this.#seriesOf(values);
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  text(): string {
    const { name, help } = this.#described;
    const lines = [...this.#series.values()].flatMap((series) => this.#linesOf(series));
    return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
  }

  #seriesOf(values: readonly string[]): Series {
    const key = values.join(' ');
    const known = this.#series.get(key);
    if (known) return known;
    const counts = Array.from({ length: this.#described.bounds.length + 1 }, () => 0);
    const series = { values, counts, sum: 0 };
    this.#series.set(key, series);
    return series;
  }

  #linesOf({ values, counts, sum }: Series): string[] {
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
