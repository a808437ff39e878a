/** One sample of a metric. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

interface Family {
  name: string;
  type: string;
  samples: Sample[];
}

const types = new Set(['counter', 'gauge', 'histogram', 'summary', 'untyped']);
const metricName = /^[a-zA-Z_:][a-zA-Z\d_:]*$/;
const labelPair = /([a-zA-Z_][a-zA-Z\d_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;
const numeral = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i;

/**
 * Parses the Prometheus text format 0.0.4 and throws if a rule is broken: each family has its HELP and TYPE once and before
 * its consecutive samples; no sample repeats; buckets grow and end with +Inf.
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.');
  const families = new Map<string, Family>();
  const helped = new Set<string>();
  const seen = new Set<string>();
  let current: Family | null = null;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (helped.has(name) || !metricName.test(name))
        throw new Error(`HELP a second time, or of nothing: ${line}`);
      helped.add(name);
    } else if (keyword === 'TYPE') {
      if (families.has(name) || !helped.has(name) || !types.has(rest)) throw new Error(`A bad TYPE: ${line}`);
      current = { name, type: rest, samples: [] };
      families.set(name, current);
    } else {
      const sample = parseSample(line);
      if (!current || !belongs(sample.name, current)) throw new Error(`Not in its family: ${line}`);
      const key = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(key)) throw new Error(`A second time: ${line}`);
      seen.add(key);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name = '', , inBraces = '', value = ''] = /^([^\s{]+)(\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (!metricName.test(name) || !numeral.test(value)) throw new Error(`Not a sample: ${line}`);
  const labels: Record<string, string> = {};
  labelPair.lastIndex = 0;
  let end = 0;
  for (let pair = labelPair.exec(inBraces); pair; pair = labelPair.exec(inBraces)) {
    const [, label = '', text = ''] = pair;
    if (label in labels) throw new Error(`A label twice: ${line}`);
    labels[label] = text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
    end = labelPair.lastIndex;
  }
  if (end !== inBraces.length || inBraces.endsWith(','))
    throw new Error(`Labels that end too early: ${line}`);
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

function belongs(sample: string, { name, type }: Family): boolean {
  const endings = { histogram: ['_bucket', '_sum', '_count'], summary: ['', '_sum', '_count'] }[type] ?? [''];
  return endings.some((ending) => sample === name + ending);
}

function checkFamily({ name, type, samples }: Family): void {
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0)))
    throw new Error(`${name} counts back.`);
  if (type !== 'histogram') return;
  const bySeries = Map.groupBy(samples, ({ labels: { le, ...own } }) => JSON.stringify(own));
  for (const series of bySeries.values()) {
    const buckets = series.filter((one) => one.name === `${name}_bucket`);
    const last = buckets.at(-1);
    const count = series.find((one) => one.name === `${name}_count`)?.value;
    if (last?.labels.le !== '+Inf' || last.value !== count) throw new Error(`${name} has no bucket for all.`);
    for (const [index, { labels, value }] of buckets.entries()) {
      const before = buckets[index - 1];
      const grows =
        !before ||
        (Number(before.labels.le) < Number(labels.le?.replace('+Inf', 'Infinity')) && before.value <= value);
      if (!grows) throw new Error(`The buckets of ${name} do not grow.`);
    }
  }
}
