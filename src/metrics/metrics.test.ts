import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { registerMemoryTracer } from '../../test/memory-tracer.ts';
import { parseExposition } from '../../test/parse-exposition.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { createMetrics } from './metrics.ts';
import { beginRequestSpan, inSpan } from './spans.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const metrics = createMetrics('1.2.3');
const exported = async () => parseExposition(await metrics.text());

/** Metric names in expressions; histograms add one of three endings. */
const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b(?:pullquote|nodejs|process)_\w+/g)].map(([name]) => name)),
];

test('durations fall into the bucket whose bound they do not exceed, and labels are escaped', async () => {
  for (const seconds of [0.005, 0.006, 100])
    metrics.requests.observeRequest({ method: 'GET', route: '/a\\b"c', status: 200 }, seconds);
  metrics.requests.observeRequest({ method: 'BREW', route: undefined, status: 404 }, 1);
  const { samples = [] } = (await exported()).get('pullquote_http_request_duration_seconds') ?? {};
  const counts = samples.filter(({ labels, name }) => labels.method === 'GET' && name.endsWith('_bucket'));
  assert.deepEqual(
    counts.map(({ value }) => value),
    [1, 2, 2, 2, 2, 2, 2, 2, 3],
  );
  assert.equal(counts[0]?.labels.route, '/a\\b"c');
  const others = samples.filter(({ labels, name }) => labels.route === 'none' && name.endsWith('_count'));
  assert.deepEqual(
    others.map(({ labels, value }) => [labels.method, value]),
    [['other', 1]],
  );
});

test('each cached response is counted and timed', async () => {
  for (let number = 0; number < 40; number += 1)
    metrics.requests.observeHit({ method: 'GET', route: '/kept', status: 200 }, 0.01);
  const families = await exported();
  const { samples = [] } = families.get('pullquote_http_request_duration_seconds') ?? {};
  const own = samples.filter(({ labels }) => labels.route === '/kept');
  const valueAt = (ending: string) => own.find(({ name }) => name.endsWith(ending))?.value ?? 0;
  assert.deepEqual([valueAt('_count'), valueAt('_sum').toFixed(2)], [40, '0.40']);
  assert.deepEqual(
    families.get('pullquote_cache_answers_total')?.samples.map(({ value }) => value),
    [40, 0],
  );
});

test('garbage collections are exported as `nodejs_gc_duration_seconds`, by kind', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert.ok(typeof collect === 'function');
  const counts = async () => {
    const { samples = [] } = (await exported()).get('nodejs_gc_duration_seconds') ?? {};
    return samples.filter(({ name, labels }) => name.endsWith('_count') && labels.kind === 'major');
  };
  await waitUntil('it is told', async () => {
    collect();
    return (await counts()).some(({ value }) => value > 0);
  });
});

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; description: string };
}

test('the dashboard and alerts name only exported metrics, and each alert has a description', async () => {
  const families = await exported();
  const isExported = (name: string) =>
    families.has(name) || families.has(name.replace(/_(?:bucket|sum|count)$/, ''));
  const { groups }: { groups: { rules: Rule[] }[] } = parse(read('ops/alerts.yaml'));
  const rules = groups.flatMap(({ rules: some }) => some);
  assert.ok(rules.length >= 8);
  for (const { alert, expr, annotations } of rules) {
    assert.ok(namesIn(expr).length > 0, alert);
    assert.match(annotations.description, /^[A-Z].{20,}\.$/s, alert);
  }
  const dashboard: { panels: { targets: { expr: string }[] }[] } = JSON.parse(
    read('ops/grafana-dashboard.json'),
  );
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  assert.ok(shown.length >= 8);
  const named = namesIn([...rules.map(({ expr }) => expr), ...shown].join('\n'));
  assert.deepEqual(
    named.filter((name) => !isExported(name)),
    [],
  );
});

test('docs/metrics.md lists exactly the exported `pullquote_` metrics', async () => {
  const own = [...(await exported()).keys()].filter((name) => name.startsWith('pullquote_'));
  const listed = [...read('docs/metrics.md').matchAll(/^\| `(pullquote_\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), own.toSorted());
});

test('a tracer registered after the program started gets no spans', async () => {
  const spans = registerMemoryTracer();
  assert.equal(await inSpan('some work', {}, async () => 'done'), 'done');
  assert.deepEqual([beginRequestSpan, spans], [null, []]);
});
