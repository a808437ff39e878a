import { Check } from 'typebox/value';
import type { Config } from '../../config.ts';
import { HealthCheckResponseData } from '../../contract/service.ts';
import { Type } from '../../contract/type.ts';
import { createEgressClient } from '../../egress/egress-client.ts';

const Well = Type.Object({ data: HealthCheckResponseData });

const Unwell = Type.Object({
  error: Type.Object({
    code: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), problem: Type.String() }))),
  }),
});

/** What answers at an address: this service, well or not; something else; or nothing. */
export type Answering =
  | { kind: 'well'; version: string }
  | { kind: 'unwell'; problems: string[] }
  | { kind: 'other' }
  | { kind: 'none'; reason: string };

const limits = { patienceMs: 5_000, mostBytes: 64 * 1024, mayBePrivate: true };

/** Where the service of these settings answers on this machine; null where it took any free port. */
export function localAddress({ listen, port }: Pick<Config, 'listen' | 'port'>): string | null {
  if (port === 0) return null;
  const name = listen === '0.0.0.0' ? '127.0.0.1' : listen === '::' ? '::1' : listen;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Asks for the health of what answers at an address. */
export async function askService(config: Config, origin: string): Promise<Answering> {
  const way = createEgressClient(config, { ...limits, origins: [origin] });
  try {
    const response = await way.fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(limits.patienceMs) });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && Check(Well, answer)) return { kind: 'well', version: answer.data.version };
    if (response.status !== 503 || !Check(Unwell, answer)) return { kind: 'other' };
    const problems = (answer.error.details ?? []).map(({ field, problem }) => `${field} ${problem}`);
    return { kind: 'unwell', problems };
  } catch (error) {
    return { kind: 'none', reason: reasonOf(error) };
  } finally {
    await way.close();
  }
}

/** The innermost reason, which says most: those around it say that a call has failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return code || error.message || error.name;
}
