import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { Histogram } from './histogram.ts';

/** What every process of Node tells has the names that dashboards know; the rest is ours. */
const fullName = (name: string): string => (/^(?:process|nodejs)_/.test(name) ? name : `pullquote_${name}`);

/** Everything that one process counts, as Prometheus reads it. Labels come from closed lists: none is anybody's name. */
export class Exposition {
  readonly #registry = new Registry();
  readonly #histograms: Histogram[] = [];

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
