import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';

interface Described {
  name: string;
  help: string;
  labels: readonly string[];
  bounds: readonly number[];
}

export class Series {
  readonly #bounds: readonly number[];
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(seconds: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += seconds;
  }
}

/** The library's histogram checks and hashes labels for every value, which takes about ten times as long. */
class Histogram {
  readonly #described: Described;
  readonly #series = new Map<string, { values: readonly string[]; series: Series }>();

  constructor(described: Described) {
    this.#described = described;
  }

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

const fullName = (name: string): string => `pullquote_${name}`;

/** All metrics of a process in the format of Prometheus. Labels come from closed lists, never from names of users. */
export class Exposition {
  readonly #registry = new Registry();
  readonly #histograms: Histogram[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 20 });
  }

  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> {
    return new Counter({ name: fullName(name), help, labelNames, registers: [this.#registry] });
  }

  gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name: fullName(name), help, labelNames, registers: [this.#registry] });
  }

  histogram(described: ConstructorParameters<typeof Histogram>[0]): Histogram {
    const histogram = new Histogram({ ...described, name: fullName(described.name) });
    this.#histograms.push(histogram);
    return histogram;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    const others = await this.#registry.metrics();
    return [others, ...this.#histograms.map((histogram) => histogram.text())].join('\n');
  }
}
