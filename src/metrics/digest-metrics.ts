import type { Exposition } from './exposition.ts';

export type DigestMetrics = ReturnType<typeof createDigestMetrics>;

export function createDigestMetrics(exposition: Exposition) {
  const digests = exposition.counter(
    'digests_total',
    'Digests by how they were to be sent and what became of them: sent, tried again, given up, or not known.',
    ['to', 'outcome'],
  );
  return {
    count: (to: 'mail' | 'webhook', outcome: string): void => digests.inc({ to, outcome }),
  };
}
