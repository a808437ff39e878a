import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { Histogram } from './histogram.ts';

const prefix = 'pullquote_';

/** Everything that one process counts, as Prometheus reads it. Labels come from closed lists: none is anybody's name. */
export class Exposition {
  readonly #registry = new Registry();
  readonly #histograms: Histogram[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
  ): Counter<Label> {
    return new Counter({ name: prefix + name, help, labelNames, registers: [this.#registry] });
  }

  gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name: prefix + name, help, labelNames, registers: [this.#registry] });
  }

  histogram(described: ConstructorParameters<typeof Histogram>[0]): Histogram {
    const histogram = new Histogram({ ...described, name: prefix + described.name });
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
