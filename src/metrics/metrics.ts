import { createDatabaseMetrics } from './database-metrics.ts';
import { createDigestMetrics } from './digest-metrics.ts';
import { Exposition } from './exposition.ts';
import { createFigures } from './figures.ts';
import { createHostMetrics } from './host-metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { createRequestMetrics } from './request-metrics.ts';
import { createModelMetrics, createWritingMetrics } from './writing-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** The instruments of one process. They know nothing of what they measure; each is handed to those that use it. */
export function createMetrics(version: string) {
  const exposition = new Exposition();
  exposition.gauge('info', 'The version that runs.', ['version']).set({ version }, 1);
  const settleProcess = createProcessMetrics(exposition);
  const requests = createRequestMetrics(exposition);
  return {
    requests,
    database: createDatabaseMetrics(exposition),
    writing: createWritingMetrics(exposition),
    models: createModelMetrics(exposition),
    hosts: createHostMetrics(exposition),
    digests: createDigestMetrics(exposition),
    setFigures: createFigures(exposition),
    contentType: exposition.contentType,
    text: (): Promise<string> => {
      settleProcess();
      requests.settleCache();
      return exposition.text();
    },
  };
}
